// An entry as a person reads it on a terminal.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "logwood/entry.hpp"

namespace logwood::cli {

/// A line that says who and when, then what was said, each line indented.
[[nodiscard]] std::string entry_view(const Entry& entry, const Command& command);

/// One line without a line break: `[user] fix the flaky test`.
[[nodiscard]] std::string entry_line(const Entry& entry);

/// The entry as --json prints it: its own text, and what is not in it.
[[nodiscard]] std::string entry_json(const Entry& entry);

}  // namespace logwood::cli
