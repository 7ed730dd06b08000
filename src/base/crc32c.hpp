#pragma once

#include <cstdint>
#include <string_view>

namespace logwood {

/// CRC-32C (Castagnoli, check value e3069283), computed piece by piece: seals
/// cover the session id and the line, which do not lie side by side in memory.
class Crc32c {
 public:
  Crc32c& add(std::string_view bytes);
  [[nodiscard]] std::uint32_t value() const { return ~state_; }

  /// Goes on after bytes whose CRC is `value`.
  [[nodiscard]] static Crc32c resume(std::uint32_t value) {
    Crc32c crc;
    crc.state_ = ~value;
    return crc;
  }

 private:
  std::uint32_t state_ = 0xFFFFFFFFU;
};

}  // namespace logwood
