// JSON as text. Nothing stored is ever parsed into values and written again, so
// all we need of JSON is to know that a text is valid and where the members of
// its outermost object lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace logwood {

/// One member of an object, as views into its text.
struct JsonMember {
  std::string_view key;        ///< between the quotes, escapes as written
  std::string_view value;      ///< the whole value, quotes or braces included
  bool may_be_escaped = true;  ///< false: the key holds no escape

  /// Whether the key means `name`, however it is spelled.
  [[nodiscard]] bool is(std::string_view name) const {
    return key == name || (may_be_escaped && is_escaped(name));
  }
  [[nodiscard]] bool is_escaped(std::string_view name) const;
};

enum class JsonFault {
  none,
  not_utf8,
  syntax,
  too_deep,
};

struct JsonCheck {
  JsonFault fault = JsonFault::none;
  std::size_t offset = 0;    ///< where it went wrong
  bool has_newline = false;  ///< a raw CR or LF stands between two tokens

  explicit operator bool() const { return fault == JsonFault::none; }
};

using JsonMemberVisitor = std::function<void(const JsonMember&)>;

/// Arrays and objects may nest this deep; the outermost one counts.
inline constexpr std::size_t json_depth_max = 128;

/// Checks that `text` is one JSON value (RFC 8259) in valid UTF-8, with nothing
/// but white space around it. If the value is an object, `visit` is told its
/// members in order, duplicates included. Iterative, and allocates nothing.
[[nodiscard]] JsonCheck check_json(std::string_view text, const JsonMemberVisitor& visit = {});

/// Values of the members that some names were given for, in the order of the names; empty where an
/// object has no such member, and the last where it has several.
template <std::size_t count>
using JsonValues = std::array<std::string_view, count>;
template <std::size_t count>
using JsonNames = const std::string_view (&)[count];

template <std::size_t count>
void note_json_member(const JsonMember& member, JsonNames<count> names, JsonValues<count>& values) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!member.is(names[i])) continue;
    values[i] = member.value;
    return;
  }
}

/// Checks a text and finds members of its outermost object, in one pass.
template <std::size_t count>
[[nodiscard]] JsonCheck check_json(std::string_view text, JsonNames<count> names,
                                   JsonValues<count>& values) {
  return check_json(
      text, [&](const JsonMember& member) { note_json_member<count>(member, names, values); });
}

/// A walk through the members of an object or the elements of an array whose text is known to be
/// valid. Much faster than to check it; of a text that is not valid, some of it is told.
class JsonWalk {
 public:
  /// `bracket` says what `text` should begin with: `{` or `[`. Anything else has nothing in it.
  JsonWalk(std::string_view text, char bracket);

  bool next(JsonMember& member);
  /// An element comes without the white space around it.
  bool next(std::string_view& element);

  /// `next` of an element in two steps: between them its members can be walked through, and then
  /// its end is known.
  bool enter();
  [[nodiscard]] JsonWalk inner() const { return {text_.substr(at_), '{'}; }
  std::string_view leave(const JsonWalk& inner);

 private:
  [[nodiscard]] bool has_more() const;
  std::string_view leave_at(std::size_t end);

  std::string_view text_;
  std::size_t at_;  // the bracket or comma before what comes next, or the bracket after the last
};

/// Tells `visit` the members of an object whose text is known to be valid.
template <class Visit>
void for_each_json_member(std::string_view object, Visit visit) {
  JsonMember member;
  for (JsonWalk walk(object, '{'); walk.next(member);) visit(std::as_const(member));
}

/// Tells `visit` the elements of an array whose text is known to be valid. Nothing happens when it
/// is no array.
template <class Visit>
void for_each_json_element(std::string_view array, Visit visit) {
  std::string_view element;
  for (JsonWalk walk(array, '['); walk.next(element);) visit(element);
}

/// The value of the member `name` of an object whose text is known to be valid;
/// of several the last. Empty when there is none, or the text is no object.
[[nodiscard]] std::string_view json_member(std::string_view object, std::string_view name);

/// The same for several names, in one pass.
template <std::size_t count>
[[nodiscard]] JsonValues<count> json_members(JsonWalk& object, JsonNames<count> names) {
  JsonValues<count> values;
  for (JsonMember member; object.next(member);) note_json_member<count>(member, names, values);
  return values;
}
template <std::size_t count>
[[nodiscard]] JsonValues<count> json_members(std::string_view object, JsonNames<count> names) {
  JsonWalk walk(object, '{');
  return json_members<count>(walk, names);
}

/// Tells `visit` the elements of an array and the members of each, in one pass; what is no object
/// has none.
template <std::size_t count, class Visit>
void for_each_json_object(std::string_view array, JsonNames<count> names, Visit visit) {
  for (JsonWalk walk(array, '['); walk.enter();) {
    JsonWalk inner = walk.inner();
    const JsonValues<count> values = json_members<count>(inner, names);
    visit(walk.leave(inner), values);
  }
}

/// After the string whose opening quote stands at `at` in a text known to be valid.
[[nodiscard]] std::size_t json_string_end(std::string_view text, std::size_t at);

/// Tells `visit` every string of a text known to be valid, names of members too: what stands
/// between the quotes, escapes as written.
void for_each_json_string(std::string_view text,
                          const std::function<void(std::string_view)>& visit);

/// What a fault means, as a clause for a message: "is not valid UTF-8 at byte 7".
[[nodiscard]] std::string describe(const JsonCheck& check);

/// The text a JSON string token stands for. Nothing for anything that is not a
/// string token, or holds half a surrogate pair. The token must be valid JSON.
[[nodiscard]] std::optional<std::string> json_string_value(std::string_view token);

/// What it says to whoever reads it: half a surrogate pair, which agents leave where they cut a
/// text, becomes U+FFFD. Empty where the token is no string.
[[nodiscard]] std::string json_text_or_empty(std::string_view token);

/// The number a token spells, if it is a whole one from 0 that fits.
[[nodiscard]] std::optional<std::uint64_t> json_unsigned(std::string_view token);

/// `text` (valid UTF-8) as a JSON string token. Control characters, DEL and the
/// line separators U+2028 and U+2029 are written as escapes.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace logwood
