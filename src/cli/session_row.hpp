// A session as a line of a list.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "logwood/catalog.hpp"

namespace logwood::cli {

/// Columns of an id that was generated, as it is shown.
inline constexpr std::size_t short_id_columns = 8;

/// As much of an id as a person types: generated ids begin alike, so of those it is the end.
[[nodiscard]] std::string short_id(std::string_view id);

/// The same as a cell of a list.
[[nodiscard]] std::string id_cell(std::string_view id);

/// Which, when, how much, what about, and what is unusual; with its line break. `indent` columns
/// stand before it already.
[[nodiscard]] std::string session_row(const SessionSummary& summary, const Command& command,
                                      std::size_t indent = 0);

/// The summary as --json prints it.
[[nodiscard]] std::string summary_json(const SessionSummary& summary);

}  // namespace logwood::cli
