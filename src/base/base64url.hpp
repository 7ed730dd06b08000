#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace logwood {

/// The 64 characters of base64url, in order of their value.
inline constexpr std::string_view base64url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes `bytes`, whose number divides by three, as base64url without padding:
/// four characters for each three bytes, so every value has one spelling.
inline void to_base64url(std::span<const std::uint8_t> bytes, char* out) {
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    const std::uint32_t three = static_cast<std::uint32_t>(bytes[i]) << 16U |
                                static_cast<std::uint32_t>(bytes[i + 1]) << 8U | bytes[i + 2];
    *out++ = base64url_alphabet[three >> 18U & 63U];
    *out++ = base64url_alphabet[three >> 12U & 63U];
    *out++ = base64url_alphabet[three >> 6U & 63U];
    *out++ = base64url_alphabet[three & 63U];
  }
}

/// Whether every character is one of the alphabet.
[[nodiscard]] bool is_base64url(std::string_view text);

}  // namespace logwood
