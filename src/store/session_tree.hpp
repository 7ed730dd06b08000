// The tree of a session and its branches, from a backend.
#pragma once

#include <vector>

#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood {

Result<SessionTree> load_tree(storage::StorageBackend& backend, const SessionId& session);

Result<std::vector<Branch>> list_branches(storage::StorageBackend& backend,
                                          const SessionId& session);

}  // namespace logwood
