// Compares what this library and the oracle (tests/oracle) say of a session file.
#pragma once

#include <string>
#include <string_view>

#include "format/tail_walk.hpp"

namespace logwood {

/// Empty when both agree; else both sides, an item a line. `scan` and `tails` are
/// the oracle's answers, as JSON text.
[[nodiscard]] std::string oracle_difference(std::string_view bytes, std::string_view session_id,
                                            format::AtRest at_rest, std::string_view scan,
                                            std::string_view tails);

}  // namespace logwood
