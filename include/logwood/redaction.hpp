#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// One thing that a redaction hides: an entry, a string of it, or parts of that string. The
/// bytes stay where they are; erasing removes them.
struct RedactionTarget {
  EntryId id;
  std::string pointer = {};  ///< RFC 6901, to a string of the entry; empty: all of the entry
  /// Code points [first, second) of that string; none: all of it.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges = {};
};

}  // namespace logwood
