#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace logwood {

using SipKey = std::array<std::uint64_t, 2>;

/// SipHash-2-4. Entry ids come from outside; with a secret key nobody can choose
/// ids that all fall into one slot of a table.
[[nodiscard]] std::uint64_t siphash(const SipKey& key, std::string_view bytes);

/// A key that nobody knows.
[[nodiscard]] SipKey new_sip_key();

}  // namespace logwood
