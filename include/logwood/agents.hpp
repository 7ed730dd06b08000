#pragma once

#include <functional>
#include <string>

namespace logwood {

/// Where the sessions of other agents are looked for.
struct AgentsOptions {
  /// Of the environment: HOME, and what agents go by themselves (CLAUDE_CONFIG_DIR, CODEX_HOME …).
  std::function<std::string(const char*)> variable;

  /// A folder for the catalog of these sessions, which is made where it is missing. Empty, or one
  /// that cannot be used: the catalog is kept in memory, and made each time.
  std::string cache = {};
};

}  // namespace logwood
