// Keys and titles that agents keep beside their sessions, read once for all sessions of a folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exchange/session_index.hpp"
#include "storage/agents/agent_lines.hpp"

namespace logwood::storage::agents {

class SessionIndexes {
 public:
  /// Says of a source what is said about its session; its stamp changes with that.
  void apply(AgentSource& source, const std::string& session_id);

  /// The files it asked, as they were before.
  [[nodiscard]] const std::vector<catalog::Watched>& watched() const { return watched_; }

 private:
  const exchange::SessionIndex& index_at(const std::string& path, bool is_lines);

  std::map<std::string, exchange::SessionIndex> indexes_;  // by path
  std::vector<catalog::Watched> watched_;
};

}  // namespace logwood::storage::agents
