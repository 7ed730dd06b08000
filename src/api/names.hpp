// What people call things: a session by its id, a part of it, its key, @last or its file; an entry
// by its id, a part of it, a label or ~n from the head.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "logwood/store.hpp"

namespace logwood::api {

/// `not_found` when nothing fits; `conflict` when several do, and names some of them.
Result<SessionId> session_named(Store& store, std::string_view name);

/// A session of another agent (of any, where `agent` is empty), by a part of the id it has there.
Result<SessionId> agent_session_named(Store& store, std::string_view agent, std::string_view name);

/// The parts of `claude-7f3a…`; nothing when it does not begin with the name of an agent we know.
struct AgentSessionId {
  std::string_view agent;
  std::string_view id;
};
[[nodiscard]] std::optional<AgentSessionId> agent_session_id(std::string_view id,
                                                             char separator = '-');

/// A removed session, by its id or a part of it.
Result<SessionId> removed_session_named(Store& store, std::string_view name);

Result<EntryId> entry_named(Store& store, const SessionId& session, std::string_view name);

}  // namespace logwood::api
