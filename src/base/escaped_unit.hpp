// The escape \uXXXX of JSON, which stands for one unit of UTF-16: a character, or half of one.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace logwood {

inline constexpr std::size_t escaped_unit_size = 6;

/// The unit of the escape that a text begins with; nothing when another thing stands there.
[[nodiscard]] inline std::optional<unsigned> escaped_unit(std::string_view text) {
  if (text.size() < escaped_unit_size || !text.starts_with("\\u")) return std::nullopt;
  const char* const end = text.data() + escaped_unit_size;
  unsigned unit = 0;
  const auto read = std::from_chars(text.data() + 2, end, unit, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return unit;
}

/// The first and the second half of a surrogate pair.
[[nodiscard]] inline bool is_high_surrogate(unsigned unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
[[nodiscard]] inline bool is_low_surrogate(unsigned unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

}  // namespace logwood
