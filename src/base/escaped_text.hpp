// Text as it stands in JSON: between the quotes of a string, escapes as written. It can be put
// into other JSON as it is, which is how most of the bytes of a message pass through unread.
#pragma once

#include <string>
#include <string_view>

namespace logwood {

struct EscapedText {
  std::string_view inside = {};  ///< of the quotes

  [[nodiscard]] bool empty() const { return inside.empty(); }
  [[nodiscard]] bool has_escapes() const { return inside.find('\\') != std::string_view::npos; }
  bool operator==(const EscapedText&) const = default;
};

/// Of a string token of valid JSON; of anything else nothing.
[[nodiscard]] EscapedText escaped_text(std::string_view token);

/// What it says. Half a surrogate pair becomes U+FFFD.
[[nodiscard]] std::string unescaped(EscapedText text);

/// Appends `text` (valid UTF-8) as it stands inside a JSON string.
void append_escaped(std::string& json, std::string_view text);

/// Valid JSON without the white space between its tokens.
[[nodiscard]] std::string without_spaces(std::string_view json);

/// Replaces every half of a surrogate pair in the strings of valid JSON by U+FFFD, which no API
/// refuses. Returns how many there were.
std::size_t mend_surrogates(std::string& json);

}  // namespace logwood
