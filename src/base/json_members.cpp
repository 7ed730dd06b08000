// Finding the parts of a text that is known to be JSON: strings are jumped over, not looked at, so
// that the long ones cost next to nothing. Whatever the text is, nothing outside it is touched.
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/json_text.hpp"

namespace logwood {
namespace {

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at])) ++at;
  return at;
}

struct StringEnd {
  std::size_t at;
  bool may_be_escaped;
};

StringEnd skip_string(std::string_view text, std::size_t at) {
  std::size_t from = at + 1;
#ifdef __SSE2__
  // Most strings are names and words: their end is found without a call.
  if (text.size() - from >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(quotes, backslashes)));
    if (found == 0) {
      from += 16;
    } else if (const auto first = from + static_cast<unsigned>(std::countr_zero(found));
               text[first] == '"') {
      return {first + 1, false};
    }
  }
#endif
  while (from < text.size()) {
    const void* const found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) break;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t backslashes = 0;
    while (text[quote - backslashes - 1] == '\\') ++backslashes;  // the opening quote ends this
    if (backslashes % 2 == 0) return {quote + 1, true};
    from = quote + 1;
  }
  return {text.size(), true};
}

// After the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        at = skip_string(text, at).at;
        if (depth == 0) return at;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth == 0) return at;  // the end of what the value is in
        if (--depth == 0) return at + 1;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default:
        if (depth == 0 && is_json_space(text[at])) return at;
    }
    ++at;
  }
  return at;
}

}  // namespace

JsonWalk::JsonWalk(std::string_view text, char bracket) : text_(text), at_(skip_space(text, 0)) {
  if (at_ < text_.size() && text_[at_] != bracket) at_ = text_.size();
}

bool JsonWalk::has_more() const {
  return at_ < text_.size() && (text_[at_] == ',' || text_[at_] == '{' || text_[at_] == '[');
}

bool JsonWalk::next(JsonMember& member) {
  if (!has_more()) return false;
  const std::size_t quote = at_ = skip_space(text_, at_ + 1);
  if (at_ >= text_.size() || text_[at_] != '"') return false;
  const StringEnd key = skip_string(text_, quote);
  at_ = skip_space(text_, key.at);
  if (key.at < quote + 2 || at_ >= text_.size() || text_[at_] != ':') return false;
  member.key = text_.substr(quote + 1, key.at - quote - 2);
  member.may_be_escaped = key.may_be_escaped && member.key.find('\\') != std::string_view::npos;
  at_ = skip_space(text_, at_ + 1);
  member.value = leave_at(skip_value(text_, at_));
  return true;
}

bool JsonWalk::next(std::string_view& element) {
  if (!enter()) return false;
  element = leave_at(skip_value(text_, at_));
  return true;
}

bool JsonWalk::enter() {
  if (!has_more()) return false;
  at_ = skip_space(text_, at_ + 1);
  return at_ < text_.size() && text_[at_] != ']' && text_[at_] != '}' && text_[at_] != ',';
}

std::string_view JsonWalk::leave(const JsonWalk& inner) {
  return leave_at(text_[at_] == '{' ? std::min(text_.size(), at_ + inner.at_ + 1)
                                    : skip_value(text_, at_));
}

std::string_view JsonWalk::leave_at(std::size_t end) {
  const std::string_view left = text_.substr(at_, end - at_);
  at_ = skip_space(text_, end);
  return left;
}

std::string_view json_member(std::string_view object, std::string_view name) {
  std::string_view value;
  for_each_json_member(object, [&](const JsonMember& member) {
    if (member.is(name)) value = member.value;
  });
  return value;
}

std::size_t json_string_end(std::string_view text, std::size_t at) {
  return skip_string(text, at).at;
}

void for_each_json_string(std::string_view text,
                          const std::function<void(std::string_view)>& visit) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string_view::npos;) {
    const std::size_t end = json_string_end(text, at);
    if (end < at + 2) return;
    visit(text.substr(at + 1, end - at - 2));
    at = end;
  }
}

}  // namespace logwood
