#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace logwood {

/// A UUID of version 7 (RFC 9562): milliseconds since the epoch, then 74 of the
/// 80 random bits.
[[nodiscard]] std::string uuid_v7(std::uint64_t unix_ms,
                                  const std::array<std::uint8_t, 10>& random);

/// A UUID of version 8 made from 16 given bytes: for ids that are derived, not drawn.
[[nodiscard]] std::string uuid_v8(std::array<std::uint8_t, 16> bytes);

}  // namespace logwood
