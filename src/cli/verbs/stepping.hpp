#pragma once

#include <optional>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "logwood/store.hpp"

namespace logwood::cli {

class Command;

/// show --step: the path to `tip` one entry at a time. A person goes forwards and back; where
/// nobody can be asked, all steps are printed.
Result<> step_through(const Command& command, Store& store, const SessionId& session,
                      const std::optional<EntryId>& tip);

}  // namespace logwood::cli
