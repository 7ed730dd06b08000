// Finding the parts of a text that is known to be JSON: strings are jumped over, not looked at, so
// that the long ones cost next to nothing. Whatever the text is, nothing outside it is touched.
#include <cstring>

#include "base/json_text.hpp"

namespace logwood {
namespace {

bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at])) ++at;
  return at;
}

// After the string whose opening quote stands at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (std::size_t from = at + 1; from < text.size();) {
    const void* const found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) break;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t backslashes = 0;
    while (text[quote - backslashes - 1] == '\\') ++backslashes;  // the opening quote ends this
    if (backslashes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return text.size();
}

// After the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        at = skip_string(text, at);
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

void for_each_json_member(std::string_view object, const JsonMemberVisitor& visit) {
  std::size_t at = skip_space(object, 0);
  if (at == object.size() || object[at] != '{') return;
  while (true) {
    at = skip_space(object, at + 1);
    if (at >= object.size() || object[at] != '"') return;
    const std::size_t key_end = skip_string(object, at);
    if (key_end < at + 2) return;
    const std::string_view key = object.substr(at + 1, key_end - at - 2);
    at = skip_space(object, key_end);
    if (at >= object.size() || object[at] != ':') return;
    const std::size_t begin = skip_space(object, at + 1);
    const std::size_t end = skip_value(object, begin);
    visit({key, object.substr(begin, end - begin), key.find('\\') != std::string_view::npos});
    at = skip_space(object, end);
    if (at >= object.size() || object[at] != ',') return;
  }
}

std::string_view json_member(std::string_view object, std::string_view name) {
  std::string_view value;
  for_each_json_member(object, [&](const JsonMember& member) {
    if (member.is(name)) value = member.value;
  });
  return value;
}

void for_each_json_element(std::string_view array,
                           const std::function<void(std::string_view)>& visit) {
  if (!array.starts_with('[')) return;
  for (std::size_t at = 0;;) {
    at = skip_space(array, at + 1);
    const std::size_t end = skip_value(array, at);
    if (end == at) return;
    visit(array.substr(at, end - at));
    at = skip_space(array, end);
    if (at >= array.size() || array[at] != ',') return;
  }
}

void for_each_json_string(std::string_view text,
                          const std::function<void(std::string_view)>& visit) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string_view::npos;) {
    const std::size_t end = skip_string(text, at);
    if (end < at + 2) return;
    visit(text.substr(at + 1, end - at - 2));
    at = end;
  }
}

}  // namespace logwood
