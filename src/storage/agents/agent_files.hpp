// Where the sessions of other agents lie on this machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exchange/format.hpp"
#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/agents/agent_lines.hpp"

namespace logwood::storage::agents {

/// A folder of an agent.
struct AgentPlace {
  const exchange::Format* format = nullptr;
  exchange::Place place;
};

/// What a session of another agent is called here: `claude-7f3a…`. One that is no id as it is goes
/// by its hash.
[[nodiscard]] SessionId id_of(const exchange::Format& format, const std::string& name);

using AgentFiles = std::map<SessionId, AgentSource>;

/// All of them, as they are now. Where two files have one name, the later one counts.
Result<AgentFiles> find_files(const std::vector<AgentPlace>& places);

/// One file, wherever it lies.
Result<AgentFiles> only_file(const std::string& path);

}  // namespace logwood::storage::agents
