// Sessions of opencode, which are in a database, or before that in a file for each part of each
// message: found, and put together to the document that opencode itself exports.
#pragma once

#include <functional>
#include <string>

#include "logwood/result.hpp"
#include "storage/agents/agent_lines.hpp"

namespace logwood::storage::agents {

/// Whether the source has to be put together: a database, or a file below storage/session.
[[nodiscard]] bool is_of_opencode(const AgentSource& source);

Result<std::string> opencode_document(const AgentSource& source);

/// Tells the sessions in the databases of a folder (opencode.db, opencode-<channel>.db). One that
/// cannot be read has none. Returns the paths of the databases.
std::vector<std::string> for_each_in_databases(const std::string& folder,
                                               const std::function<void(AgentSource&&)>& visit);

}  // namespace logwood::storage::agents
