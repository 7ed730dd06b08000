#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "logwood/ids.hpp"

namespace logwood {

inline constexpr std::size_t label_name_size_max = 200;  ///< bytes

/// What a label mark says: from here on `name` stands on `target`, or on nothing.
struct LabelMark {
  std::string name;
  std::optional<EntryId> target;
};

/// Nothing when the text is no label, or says nothing any more because it was erased.
[[nodiscard]] std::optional<LabelMark> read_label(std::string_view entry_text);

}  // namespace logwood
