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

/// Tells `visit` the members of an object whose text is known to be valid. Much faster than to
/// check it; of a text that is not valid, some of it is told.
void for_each_json_member(std::string_view object, const JsonMemberVisitor& visit);

/// The value of the member `name` of an object whose text is known to be valid;
/// of several the last. Empty when there is none, or the text is no object.
[[nodiscard]] std::string_view json_member(std::string_view object, std::string_view name);

/// The same for several names, in one pass: the values in the order of the names.
template <std::size_t count>
[[nodiscard]] std::array<std::string_view, count> json_members(
    std::string_view object, const std::string_view (&names)[count]) {
  std::array<std::string_view, count> values;
  for_each_json_member(object, [&](const JsonMember& member) {
    for (std::size_t i = 0; i < count; ++i) {
      if (member.is(names[i])) values[i] = member.value;
    }
  });
  return values;
}

/// Tells `visit` the elements of an array whose text is known to be valid, as
/// views without outer white space. Nothing happens when it is no array.
void for_each_json_element(std::string_view array,
                           const std::function<void(std::string_view)>& visit);

/// Tells `visit` every string of a text known to be valid, names of members too: what stands
/// between the quotes, escapes as written.
void for_each_json_string(std::string_view text,
                          const std::function<void(std::string_view)>& visit);

/// What a fault means, as a clause for a message: "is not valid UTF-8 at byte 7".
[[nodiscard]] std::string describe(const JsonCheck& check);

/// The text a JSON string token stands for. Nothing for anything that is not a
/// string token, or holds half a surrogate pair. The token must be valid JSON.
[[nodiscard]] std::optional<std::string> json_string_value(std::string_view token);

/// The same, empty where that is nothing: for members that mean nothing unless they are text.
[[nodiscard]] inline std::string json_text_or_empty(std::string_view token) {
  return json_string_value(token).value_or("");
}

/// The number a token spells, if it is a whole one from 0 that fits.
[[nodiscard]] std::optional<std::uint64_t> json_unsigned(std::string_view token);

/// `text` (valid UTF-8) as a JSON string token. Control characters, DEL and the
/// line separators U+2028 and U+2029 are written as escapes.
[[nodiscard]] std::string json_quoted(std::string_view text);

}  // namespace logwood
