// The two ends of a file: what a list can do with before anybody reads all of it.
#pragma once

#include <optional>

#include "logwood/ids.hpp"
#include "storage/agents/agent_lines.hpp"
#include "storage/catalog_reader.hpp"

namespace logwood::storage::agents {

/// Nothing where the ends do not say it: of a document, of what is packed, of what cannot be read.
/// Changes nothing, so that several threads can look at several files.
[[nodiscard]] std::optional<Glance> glance_at(const SessionId& session, const AgentSource& source);

}  // namespace logwood::storage::agents
