#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace logwood {

using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 over the parts as if they were one string.
[[nodiscard]] Sha256 sha256(std::initializer_list<std::string_view> parts);

/// The bytes as they are, for hashing them again.
[[nodiscard]] inline std::string_view as_bytes(const Sha256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

[[nodiscard]] std::string to_hex(const Sha256& digest);

/// Reads 64 lower-case hex digits; false when the text is anything else.
[[nodiscard]] bool from_hex(std::string_view text, Sha256& digest);

}  // namespace logwood
