#include "base/json_text.hpp"

#include <fmt/format.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "base/escaped_text.hpp"
#include "base/escaped_unit.hpp"
#include "base/utf8.hpp"

namespace logwood {
namespace {

bool is_special(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

#ifdef __SSE2__
constexpr std::ptrdiff_t step = 32;

// A bit for each of 32 bytes that does not simply go on a string: a quote, a backslash or a control
// character. Most bytes of an entry stand in strings, so many are looked at in one step.
std::uint32_t specials_in(const char* at) {
  const auto specials = [](const char* sixteen) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
    const __m128i last_control = _mm_set1_epi8(0x1f);
    const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last_control), last_control);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    return _mm_or_si128(control, _mm_or_si128(quote, backslash));
  };
  const auto low = static_cast<std::uint32_t>(_mm_movemask_epi8(specials(at)));
  const auto high = static_cast<std::uint32_t>(_mm_movemask_epi8(specials(at + 16)));
  return low | high << 16U;
}
#else
constexpr std::ptrdiff_t step = 8;

std::uint32_t specials_in(const char* at) {
  std::uint32_t found = 0;
  for (unsigned i = 0; i < step; ++i) found |= std::uint32_t{is_special(at[i])} << i;
  return found;
}
#endif

// What may follow a backslash, besides u and its digits.
constexpr auto is_escapable = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("\"\\/bfnrt")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class Checker {
 public:
  Checker(std::string_view text, const JsonMemberVisitor& visit)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), visit_(visit) {}

  JsonCheck run() {
    const bool valid = check_document();
    return {valid ? JsonFault::none : fault_, static_cast<std::size_t>(at_ - begin_), has_newline_};
  }

 private:
  // One value and white space. The containers that are open are bits of a
  // stack, so that depth costs neither recursion nor memory.
  bool check_document() {
    skip_space();
    while (true) {
      if (!check_value_start()) return false;
      if (opened_) {
        opened_ = false;
        continue;
      }
      // A value is complete: go on in its container, or close it and look again.
      while (true) {
        note_member_end();
        skip_space();
        if (depth_ == 0) return at_ == end_;
        if (at_ == end_) return false;
        if (*at_ == ',') {
          ++at_;
          skip_space();
          if (is_object_[depth_ - 1] && !check_key()) return false;
          break;
        }
        if (*at_ != (is_object_[depth_ - 1] ? '}' : ']')) return false;
        ++at_;
        --depth_;
      }
    }
  }

  // At the first byte of a value. Scalars are consumed whole. A container that
  // holds something is entered: opened_ says that its first value comes next.
  bool check_value_start() {
    if (at_ == end_) return false;
    if (depth_ == 1) value_begin_ = at_;
    switch (*at_) {
      case '{':
      case '[':
        return open_container(*at_ == '{');
      case '"':
        return check_string();
      case 't':
        return check_word("true");
      case 'f':
        return check_word("false");
      case 'n':
        return check_word("null");
      default:
        return check_number();
    }
  }

  bool open_container(bool object) {
    if (depth_ == json_depth_max) {
      fault_ = JsonFault::too_deep;
      return false;
    }
    ++at_;
    skip_space();
    if (at_ != end_ && *at_ == (object ? '}' : ']')) {
      ++at_;
      return true;
    }
    is_object_[depth_++] = object;
    opened_ = true;
    return !object || check_key();
  }

  bool check_key() {
    const char* const key = at_ + 1;
    if (at_ == end_ || *at_ != '"' || !check_string()) return false;
    if (depth_ == 1) {
      key_ = {key, static_cast<std::size_t>(at_ - 1 - key)};
      key_has_escape_ = key_.find('\\') != std::string_view::npos;
    }
    skip_space();
    if (at_ == end_ || *at_ != ':') return false;
    ++at_;
    skip_space();
    return true;
  }

  bool check_string() {
    ++at_;
    while (end_ - at_ >= step) {
      const char* const begin = at_;
      std::uint32_t specials = specials_in(begin);
      at_ += step;
      while (specials != 0) {
        const char* const special = begin + std::countr_zero(specials);
        if (*special != '\\') return check_string_end(special);
        const char* const after = begin + step;
        at_ = special + 1;
        if (!check_escape()) return false;
        // What the escape consists of is dealt with, in this step or beyond it.
        specials = at_ < after ? specials & ~0U << (at_ - begin) : 0;
        at_ = std::max(at_, after);
      }
    }
    while (at_ != end_) {
      if (!is_special(*at_)) {
        ++at_;
      } else if (*at_ != '\\') {
        return check_string_end(at_);
      } else {
        ++at_;
        if (!check_escape()) return false;
      }
    }
    return false;
  }

  // At what is neither plain nor an escape: a quote, or it must not be there.
  bool check_string_end(const char* at) {
    const bool is_quote = *at == '"';
    at_ = is_quote ? at + 1 : at;
    return is_quote;
  }

  bool check_escape() {
    if (at_ == end_) return false;
    const char kind = *at_;
    if (kind == 'u') {
      for (int i = 1; i <= 4; ++i) {
        if (end_ - at_ <= i || !is_hex(at_[i])) return false;
      }
      at_ += 5;
      return true;
    }
    if (!is_escapable[static_cast<unsigned char>(kind)]) return false;
    ++at_;
    return true;
  }

  bool check_word(std::string_view word) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) !=
        word) {
      return false;
    }
    at_ += word.size();
    return true;
  }

  bool check_number() {
    if (at_ != end_ && *at_ == '-') ++at_;
    if (at_ == end_ || !is_digit(*at_)) return false;
    if (*at_++ != '0') skip_digits();
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      if (!check_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!check_digits()) return false;
    }
    return true;
  }

  bool check_digits() {
    if (at_ == end_ || !is_digit(*at_)) return false;
    skip_digits();
    return true;
  }

  void skip_digits() {
    while (at_ != end_ && is_digit(*at_)) ++at_;
  }

  void skip_space() {
    for (; at_ != end_; ++at_) {
      if (*at_ == '\n' || *at_ == '\r') {
        has_newline_ = true;
      } else if (*at_ != ' ' && *at_ != '\t') {
        return;
      }
    }
  }

  void note_member_end() {
    if (depth_ == 1 && is_object_[0] && visit_) {
      visit_({key_, {value_begin_, static_cast<std::size_t>(at_ - value_begin_)}, key_has_escape_});
    }
  }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  const JsonMemberVisitor& visit_;
  std::bitset<json_depth_max> is_object_;
  std::size_t depth_ = 0;
  bool opened_ = false;
  bool has_newline_ = false;
  JsonFault fault_ = JsonFault::syntax;
  std::string_view key_;
  bool key_has_escape_ = false;
  const char* value_begin_ = nullptr;
};

void put_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0U | code >> 6U);
    put(0x80U | (code & 63U));
  } else if (code < 0x10000) {
    put(0xe0U | code >> 12U);
    put(0x80U | (code >> 6U & 63U));
    put(0x80U | (code & 63U));
  } else {
    put(0xf0U | code >> 18U);
    put(0x80U | (code >> 12U & 63U));
    put(0x80U | (code >> 6U & 63U));
    put(0x80U | (code & 63U));
  }
}

char simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

enum class HalfPair { refused, replaced };

// Resolves the escapes of a valid string's inside.
std::optional<std::string> unescaped(std::string_view inside, HalfPair half) {
  std::string out;
  out.reserve(inside.size());
  while (true) {
    const std::size_t plain = std::min(inside.find('\\'), inside.size());
    out.append(inside.substr(0, plain));
    inside.remove_prefix(plain);
    if (inside.empty()) return out;
    if (inside.size() < 2) return std::nullopt;
    if (inside[1] != 'u') {
      out += simple_escape(inside[1]);
      inside.remove_prefix(2);
      continue;
    }
    const auto unit = escaped_unit(inside);
    if (!unit) return std::nullopt;
    inside.remove_prefix(escaped_unit_size);
    const auto low = is_high_surrogate(*unit) ? escaped_unit(inside) : std::nullopt;
    unsigned code = *unit;
    if (low && is_low_surrogate(*low)) {
      code = 0x10000 + ((*unit - 0xd800) << 10U) + (*low - 0xdc00);
      inside.remove_prefix(escaped_unit_size);
    } else if (is_high_surrogate(*unit) || is_low_surrogate(*unit)) {
      if (half == HalfPair::refused) return std::nullopt;
      code = 0xfffd;
    }
    put_utf8(out, code);
  }
}

bool is_string_token(std::string_view token) {
  return token.size() >= 2 && token.front() == '"' && token.back() == '"';
}

}  // namespace

bool JsonMember::is_escaped(std::string_view name) const {
  return unescaped(key, HalfPair::refused) == name;
}

JsonCheck check_json(std::string_view text, const JsonMemberVisitor& visit) {
  if (!is_utf8(text)) return {JsonFault::not_utf8, 0, false};
  return Checker(text, visit).run();
}

std::string describe(const JsonCheck& check) {
  switch (check.fault) {
    case JsonFault::none:
      return "is valid JSON";
    case JsonFault::not_utf8:
      return "is not valid UTF-8";
    case JsonFault::syntax:
      return fmt::format("is not valid JSON at byte {}", check.offset);
    case JsonFault::too_deep:
      return fmt::format("nests deeper than {} at byte {}", json_depth_max, check.offset);
  }
  return "is not valid JSON";
}

std::optional<std::string> json_string_value(std::string_view token) {
  if (!is_string_token(token)) return std::nullopt;
  return unescaped(token.substr(1, token.size() - 2), HalfPair::refused);
}

std::string json_text_or_empty(std::string_view token) {
  if (!is_string_token(token)) return "";
  return unescaped(token.substr(1, token.size() - 2), HalfPair::replaced).value_or("");
}

std::optional<std::uint64_t> json_unsigned(std::string_view token) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || problem != std::errc() || end != token.data() + token.size())
    return std::nullopt;
  return value;
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  append_escaped(out, text);
  out += '"';
  return out;
}

}  // namespace logwood
