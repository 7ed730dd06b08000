// What of an entry can be searched for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/entry_fields.hpp"

namespace logwood::catalog {

struct NamedCall {
  std::string id;
  std::string name;  ///< of the tool
};

struct IndexedText {
  std::string type;
  std::string role;
  std::vector<NamedCall> calls;
  std::vector<std::string> answered;  ///< the ids of the calls whose results it has
  std::string timestamp;
  std::string text;  ///< empty: there is nothing to search
};

/// Of a message what it says, its calls with their arguments, and its results; of a summary the
/// summary.
[[nodiscard]] IndexedText indexed_text(std::string_view entry_text, const EntryPlace& place);

}  // namespace logwood::catalog
