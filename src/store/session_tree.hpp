// The tree of a session and its branches, from a backend.
#pragma once

#include <optional>
#include <vector>

#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "model/redaction.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// A tree, and what may not be shown of its entries: both are found in one walk.
struct LoadedTree {
  SessionTree session;
  Redactions redactions;
};

Result<LoadedTree> load_tree(storage::StorageBackend& backend, const SessionId& session);

/// An entry of a session as it may be shown; nothing where it is hidden, or cannot be
/// looked up, as a flagged one.
Result<std::optional<Entry>> find_shown(storage::StorageBackend& backend, const SessionId& session,
                                        const EntryId& id, const Redactions& redactions);

Result<std::vector<Branch>> list_branches(storage::StorageBackend& backend,
                                          const SessionId& session);

}  // namespace logwood
