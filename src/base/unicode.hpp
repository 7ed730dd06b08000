// What Unicode says about characters: how wide they are on a terminal, which of them must not reach
// one, and which make words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace logwood {

/// One character of a text, valid UTF-8 or not.
struct CodePoint {
  std::uint32_t value = 0;  ///< U+FFFD where the bytes are no character
  std::size_t size = 0;     ///< bytes it takes, at least 1
  bool is_valid = true;
};

/// The first character of a text that is not empty.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

/// Columns it takes on a terminal: 0, 1 or 2.
[[nodiscard]] std::size_t columns_of(std::uint32_t code_point);

/// Control characters of any kind, and those that change the direction of text around them: what a
/// terminal obeys instead of showing it.
[[nodiscard]] bool is_control(std::uint32_t code_point);

/// What becomes of line breaks and tabs.
enum class Lines : std::uint8_t {
  one,       ///< all become spaces
  kept,      ///< line breaks stay, tabs become spaces
  document,  ///< both stay
};

/// The text with every control character, direction mark and byte that is no character made
/// visible: `\x1b`, `\u{202e}`. The one way for text from outside to where somebody reads it.
[[nodiscard]] std::string printable(std::string_view untrusted, Lines lines = Lines::one);

/// What a character is to somebody who reads words.
enum class LetterKind : std::uint8_t { none, small, capital, digit };

/// Letters without case, and marks on letters, are `small`.
[[nodiscard]] LetterKind letter_kind(std::uint32_t code_point);

/// Adds the character, as a small letter where it has one, to a text in UTF-8.
void append_lower(std::string& text, std::uint32_t code_point);

}  // namespace logwood
