#include "base/escaped_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/escaped_unit.hpp"
#include "base/json_text.hpp"

namespace logwood {
namespace {

constexpr std::string_view replacement_escape = "\\ufffd";

// Control characters, quotes, backslashes, DEL, and the first byte of the line separators.
constexpr auto may_need_escape = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = true;
  for (const unsigned c : {0x22U, 0x5cU, 0x7fU, 0xe2U}) table[c] = true;
  return table;
}();

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
    const std::string_view rest = std::string_view(json).substr(at);
    const auto unit = escaped_unit(rest);
    if (!unit) {
      at += 2;  // an escape of one character
      continue;
    }
    const auto next =
        is_high_surrogate(*unit) ? escaped_unit(rest.substr(escaped_unit_size)) : std::nullopt;
    if (next && is_low_surrogate(*next)) {
      at += 2 * escaped_unit_size;
      continue;
    }
    if (is_high_surrogate(*unit) || is_low_surrogate(*unit)) {
      json.replace(at, replacement_escape.size(), replacement_escape);
      ++mended;
    }
    at += escaped_unit_size;
  }
  return mended;
}

}  // namespace logwood
