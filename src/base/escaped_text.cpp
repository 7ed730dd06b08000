#include "base/escaped_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/json_text.hpp"

namespace logwood {
namespace {

constexpr std::string_view replacement_escape = "\\ufffd";

std::optional<unsigned> hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

// The unit that the escape \uXXXX at `at` stands for; nothing when another thing stands there.
std::optional<unsigned> unit_at(std::string_view json, std::size_t at) {
  if (json.size() < at + 6 || json[at] != '\\' || json[at + 1] != 'u') return std::nullopt;
  unsigned unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const auto digit = hex_value(json[i]);
    if (!digit) return std::nullopt;
    unit = unit * 16 + *digit;
  }
  return unit;
}

// Control characters, quotes, backslashes, DEL, and the first byte of the line separators.
constexpr auto may_need_escape = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = true;
  for (const unsigned c : {0x22U, 0x5cU, 0x7fU, 0xe2U}) table[c] = true;
  return table;
}();

bool is_high(unsigned unit) { return unit >= 0xd800 && unit <= 0xdbff; }
bool is_low(unsigned unit) { return unit >= 0xdc00 && unit <= 0xdfff; }

}  // namespace

EscapedText escaped_text(std::string_view token) {
  if (token.size() < 2 || token.front() != '"') return {};
  return {token.substr(1, token.size() - 2)};
}

std::string unescaped(EscapedText text) {
  if (!text.has_escapes()) return std::string(text.inside);
  std::string token;
  token.reserve(text.inside.size() + 2);
  token.append("\"").append(text.inside).append("\"");
  return json_text_or_empty(token);
}

void append_escaped(std::string& json, std::string_view text) {
  std::size_t plain = 0;  // where what needs no escape begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!may_need_escape[byte]) continue;
    const std::string_view three = text.substr(i, 3);
    const bool is_separator = three == "\xe2\x80\xa8" || three == "\xe2\x80\xa9";
    if (byte == 0xe2 && !is_separator) continue;
    json.append(text.substr(plain, i - plain));
    if (byte == '"' || byte == '\\') {
      json.append({'\\', text[i]});
    } else if (byte == '\n') {
      json += "\\n";
    } else if (byte == '\t') {
      json += "\\t";
    } else if (is_separator) {
      json += three.back() == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      json += fmt::format("\\u{:04x}", byte);
    }
    plain = i + 1;
  }
  json.append(text.substr(plain));
}

std::string without_spaces(std::string_view json) {
  std::string kept;
  kept.reserve(json.size());
  std::size_t begin = 0;  // of what is not yet kept
  for (std::size_t i = 0; i < json.size();) {
    const char c = json[i];
    if (c == '"') {
      i = json_string_end(json, i);
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      kept.append(json.substr(begin, i - begin));
      begin = i + 1;
    }
    ++i;
  }
  return kept.append(json.substr(begin));
}

std::size_t mend_surrogates(std::string& json) {
  std::size_t mended = 0;
  for (std::size_t at = json.find('\\'); at != std::string::npos; at = json.find('\\', at)) {
    const auto unit = unit_at(json, at);
    if (!unit) {
      at += 2;  // an escape of one character
      continue;
    }
    const auto next = is_high(*unit) ? unit_at(json, at + 6) : std::nullopt;
    if (next && is_low(*next)) {
      at += 12;
      continue;
    }
    if (is_high(*unit) || is_low(*unit)) {
      json.replace(at, replacement_escape.size(), replacement_escape);
      ++mended;
    }
    at += 6;
  }
  return mended;
}

}  // namespace logwood
