#pragma once

#include <optional>
#include <string_view>

#include "logwood/ids.hpp"

namespace logwood {

/// Where a head mark moves the head: an entry, or (inner nothing) before the
/// first one. Outer nothing: the text is no head mark, or says nothing any more
/// because it was erased.
[[nodiscard]] std::optional<std::optional<EntryId>> head_target(std::string_view entry_text);

}  // namespace logwood
