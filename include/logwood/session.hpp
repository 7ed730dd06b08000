#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// Where the entries of a session were first recorded, when it was not here: in another
/// agent's file, or in the session it was forked from.
struct Origin {
  std::string agent;       ///< "pi", "claude", "codex" …; "logwood" of a fork
  std::string session_id;  ///< its id there
  std::string version;     ///< of that agent
  std::string git_branch;
  std::optional<EntryId> entry_id = std::nullopt;  ///< the last one that was taken over
  bool operator==(const Origin&) const = default;
};

/// What a fork names as its origin's agent.
inline constexpr const char* fork_agent = "logwood";

/// The entry of another session that a session grew out of.
struct ParentSession {
  SessionId session_id;
  std::optional<EntryId> entry_id;
  bool operator==(const ParentSession&) const = default;
};

/// What a caller may say about a new session. All of it is optional.
struct NewSession {
  std::optional<SessionId> id = std::nullopt;
  std::string key = {};  ///< `agent:channel:peer` …; many sessions may share one
  std::string cwd = {};
  std::optional<ParentSession> parent = std::nullopt;
  std::optional<Origin> origin = std::nullopt;
};

/// The first line of a session.
struct SessionHeader {
  SessionId id;
  std::uint32_t version = 1;
  std::vector<std::string> required;  ///< names in `requires`: what a reader must know
  std::string created;                ///< timestamp
  std::string key;
  std::string cwd;
  std::optional<ParentSession> parent;
  std::optional<Origin> origin;
  bool operator==(const SessionHeader&) const = default;
};

}  // namespace logwood
