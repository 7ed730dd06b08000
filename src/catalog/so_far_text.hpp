// What is known of a session as text, for a catalog that keeps it in one column.
#pragma once

#include <string>
#include <string_view>

#include "catalog/summary_builder.hpp"
#include "logwood/result.hpp"

namespace logwood::catalog {

/// JSON, without the size of the session, which is known outside of it.
[[nodiscard]] std::string so_far_text(const SoFar& so_far);

/// `damaged` when it is no such text.
Result<SoFar> parse_so_far(std::string_view text);

}  // namespace logwood::catalog
