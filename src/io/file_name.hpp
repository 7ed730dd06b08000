#pragma once

#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood::io {

/// Says what is wrong with a name, if anything. A name is relative and stays below
/// its folder: parts separated by single '/', none of them empty, "." or "..", and
/// no NUL, at which the system would stop reading.
Result<> check_name(std::string_view name);

/// A name cut before its last part: "trash/a.jsonl" lies in "trash" as "a.jsonl",
/// and "a" lies in "".
struct SplitName {
  std::string folder;
  std::string last;
};
[[nodiscard]] SplitName split_name(std::string_view name);

}  // namespace logwood::io
