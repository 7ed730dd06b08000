// What of an entry can be searched for.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "model/entry_fields.hpp"

namespace logwood::catalog {

/// By the id of the call, so that a result has the name of its tool.
using ToolNames = std::unordered_map<std::string, std::string>;

struct IndexedText {
  std::string type;
  std::string role;
  std::string tool;  ///< that is called, or answers
  std::string timestamp;
  std::string text;  ///< empty: there is nothing to search
};

/// Of a message what it says, its calls with their arguments, and its results; of a summary the
/// summary. Calls are added to `tools`.
[[nodiscard]] IndexedText indexed_text(std::string_view entry_text, const EntryPlace& place,
                                       ToolNames& tools);

}  // namespace logwood::catalog
