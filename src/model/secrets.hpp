// Suspected secrets: keys, tokens and passwords that got into a transcript. A rule is here only if
// what it matches is hardly ever anything else: a fixed prefix with a fixed length, or a name
// beside it. Silence is preferred over noise, since people stop reading a scanner that cries wolf:
//
//   - nothing is guessed from entropy alone;
//   - placeholders are none: `sk-xxxx…`, `AKIAIOSFODNN7EXAMPLE`, `<your key>`, runs of one
//     character, passwords that are words such as "password" or variables such as `${PASSWORD}`.
//
// So what is found is probably one, and what is not found may still be one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace logwood {

struct Secret {
  std::string_view rule;  ///< what it seems to be, for people: "github token"
  std::size_t begin = 0;  ///< the secret itself, not what stands beside it
  std::size_t end = 0;
};

/// In the order they stand, none inside another. In time proportional to the text.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text);

/// The rules that match in the strings of an entry, one for each secret; `text` is its object. Its
/// id, parent, type and timestamp are not looked at.
[[nodiscard]] std::vector<std::string_view> secrets_in_entry(std::string_view text);

/// The entry with each of them replaced by "[redacted]". A text without any is returned as it is.
[[nodiscard]] std::string without_secrets(std::string text);

}  // namespace logwood
