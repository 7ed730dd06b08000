#pragma once

#include <string>
#include <string_view>

namespace logwood {

/// The bytes that pairs of lower-case hex digits spell.
[[nodiscard]] inline std::string bytes_in_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes(hex.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  }
  return bytes;
}

}  // namespace logwood
