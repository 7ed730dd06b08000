#include "base/uuid.hpp"

#include <string_view>

namespace logwood {
namespace {

std::string spell(std::array<std::uint8_t, 16> bytes, std::uint8_t version) {
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0fU) | static_cast<unsigned>(version) << 4U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3fU) | 0x80U);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(36, '-');
  char* at = text.data();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) ++at;
    *at++ = digits[bytes[i] >> 4U];
    *at++ = digits[bytes[i] & 15U];
  }
  return text;
}

}  // namespace

std::string uuid_v7(std::uint64_t unix_ms, const std::array<std::uint8_t, 10>& random) {
  std::array<std::uint8_t, 16> bytes{};
  for (unsigned i = 0; i < 6; ++i) bytes[i] = static_cast<std::uint8_t>(unix_ms >> (40U - 8U * i));
  for (std::size_t i = 0; i < random.size(); ++i) bytes[6 + i] = random[i];
  return spell(bytes, 7);
}

std::string uuid_v8(std::array<std::uint8_t, 16> bytes) { return spell(bytes, 8); }

}  // namespace logwood
