// The line of another agent's file that an entry was made of, kept with it so that the file can be
// written again byte for byte. Where the payload of the entry is a piece of the line, only what
// stands around it is kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exchange/told_line.hpp"
#include "logwood/entry.hpp"

namespace logwood::exchange {

/// `"source":{…}`, a member of the meta of a tree entry. `payload` is a piece of the line, or
/// empty.
[[nodiscard]] std::string source_member(std::string_view agent, const Line& line,
                                        std::string_view payload);

/// The payload of an `agent_line` mark. `is_json`: the line is known to be an object.
[[nodiscard]] std::string agent_line_payload(std::string_view agent, const Line& line,
                                             bool is_json);

/// The bytes of the line, with its line break if it had one; nothing when the entry was made of
/// none, or of one of another agent.
[[nodiscard]] std::optional<std::string> carried_line(const Entry& entry, std::string_view agent);

/// Its line stands in another file, from which the session goes on.
[[nodiscard]] bool is_of_other_file(const Entry& entry);

}  // namespace logwood::exchange
