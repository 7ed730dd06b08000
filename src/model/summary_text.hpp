// What an entry that sums up others says: a compaction, or what became of another branch.
#pragma once

#include <string>
#include <string_view>

#include "base/json_text.hpp"

namespace logwood {

[[nodiscard]] inline bool is_summary(std::string_view type) {
  return type == "compaction_summary" || type == "branch_summary";
}

/// Empty where the entry is none.
[[nodiscard]] inline std::string summary_text(std::string_view type, std::string_view payload) {
  return is_summary(type) ? json_text_or_empty(json_member(payload, "summary")) : std::string();
}

}  // namespace logwood
