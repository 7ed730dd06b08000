// What was used, as numbers and as a chart.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "logwood/catalog.hpp"

namespace logwood::cli {

[[nodiscard]] std::string totals_view(const StoreTotals& totals, const Command& command);

/// One line for all, then one for each day, model and tool.
[[nodiscard]] std::string totals_json(const StoreTotals& totals);

}  // namespace logwood::cli
