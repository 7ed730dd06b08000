// A session as a line of a list.
#pragma once

#include <algorithm>
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

/// Columns of what a person calls a session of an agent; 0 where it is none.
[[nodiscard]] std::size_t name_width(std::string_view id);

/// What a person calls a session: `claude:7f3a9c01` of another agent's, else the short id.
[[nodiscard]] std::string session_name(std::string_view id);
/// The same as a cell of a list with such names in it.
[[nodiscard]] std::string session_cell(std::string_view id, std::size_t columns);
/// As wide as the longest of them.
template <class List, class IdOf>
[[nodiscard]] std::size_t name_columns(const List& list, IdOf id_of) {
  std::size_t columns = short_id_columns;
  for (const auto& one : list) columns = std::max(columns, name_width(id_of(one)));
  return columns;
}

/// Which, when, how much, what about, and what is unusual; with its line break. `indent` columns
/// stand before it already; the name takes `name_columns`.
[[nodiscard]] std::string session_row(const SessionSummary& summary, const Command& command,
                                      std::size_t name_columns = short_id_columns,
                                      std::size_t indent = 0);

/// The summary as --json prints it.
[[nodiscard]] std::string summary_json(const SessionSummary& summary);

}  // namespace logwood::cli
