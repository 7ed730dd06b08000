// The sessions of other agents where they lie, as a store that is only read. Nothing of theirs is
// ever written, moved or locked; what is known about them is kept in a catalog of our own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/file_system.hpp"
#include "storage/agents/agent_files.hpp"
#include "storage/backend.hpp"

namespace logwood::storage::agents {

/// `cache` is where the catalog goes; null: in memory.
std::unique_ptr<StorageBackend> open(std::vector<AgentPlace> places,
                                     std::unique_ptr<io::FileSystem> cache);

/// One file, which is the only session.
Result<std::unique_ptr<StorageBackend>> open_file(const std::string& path);

}  // namespace logwood::storage::agents
