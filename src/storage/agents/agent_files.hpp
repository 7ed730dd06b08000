// Where the sessions of other agents lie on this machine.
#pragma once

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

/// Sessions by id, and where they lie.
class AgentFiles {
 public:
  struct One {
    SessionId id;
    AgentSource source;
  };

  AgentFiles() = default;
  /// Where two have one id, the one that changed last counts, and one in a database before it.
  explicit AgentFiles(std::vector<One> files);

  /// Null: there is none.
  [[nodiscard]] const AgentSource* find(const SessionId& id) const;
  /// By id.
  [[nodiscard]] const std::vector<One>& all() const { return files_; }

 private:
  std::vector<One> files_;
};

/// A look at all of them.
struct FoundFiles {
  AgentFiles files;
  /// Folders, and files beside the sessions: while none of them changes there is no other session.
  std::vector<catalog::Watched> watched;
};

/// What lies at a path; empty where nothing does.
[[nodiscard]] catalog::Stamp stamp_at(const std::string& path);

Result<FoundFiles> find_files(const std::vector<AgentPlace>& places);

/// One file, wherever it lies.
Result<FoundFiles> only_file(const std::string& path);

}  // namespace logwood::storage::agents
