#include "base/unicode.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

namespace logwood {

CodePoint first_code_point(std::string_view text) {
  utf8proc_int32_t value = 0;
  const auto size = utf8proc_iterate(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4)), &value);
  if (size < 1) return {0xfffd, 1, false};
  return {static_cast<std::uint32_t>(value), static_cast<std::size_t>(size), true};
}

std::size_t columns_of(std::uint32_t code_point) {
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point));
  return static_cast<std::size_t>(std::clamp(width, 0, 2));
}

bool is_control(std::uint32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      break;
  }
  const bool is_directional = code_point == 0x061c || code_point == 0x200e ||
                              code_point == 0x200f ||
                              (code_point >= 0x202a && code_point <= 0x202e) ||
                              (code_point >= 0x2066 && code_point <= 0x2069);
  // Tag characters write text that nobody sees.
  return is_directional || (code_point >= 0xe0000 && code_point <= 0xe007f);
}

std::string printable(std::string_view untrusted, Lines lines) {
  std::string text;
  text.reserve(untrusted.size());
  while (!untrusted.empty()) {
    const CodePoint next = first_code_point(untrusted);
    if (!next.is_valid) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(untrusted.front()));
    } else if ((next.value == '\n' && lines != Lines::one) ||
               (next.value == '\t' && lines == Lines::document)) {
      text += untrusted.front();
    } else if (next.value == '\n' || next.value == '\t') {
      text += ' ';
    } else if (is_control(next.value)) {
      text += next.value < 0x100 ? fmt::format("\\x{:02x}", next.value)
                                 : fmt::format("\\u{{{:x}}}", next.value);
    } else {
      text += untrusted.substr(0, next.size);
    }
    untrusted.remove_prefix(next.size);
  }
  return text;
}

LetterKind letter_kind(std::uint32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return LetterKind::capital;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return LetterKind::small;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return LetterKind::digit;
    default:
      return LetterKind::none;
  }
}

void append_lower(std::string& text, std::uint32_t code_point) {
  utf8proc_uint8_t bytes[4];
  const auto size =
      utf8proc_encode_char(utf8proc_tolower(static_cast<utf8proc_int32_t>(code_point)), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace logwood
