// Session files that come from another store as they are, seals included.
#pragma once

#include <chrono>
#include <optional>

#include "io/file_system.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Makes the file of a session of pieces of one, or replaces the one that ends at `replaced`.
Result<> put_stored_session(io::FileSystem& files, const SessionId& session,
                            const SessionNames& names, const std::optional<ChainEnd>& replaced,
                            const StoredSource& source, std::chrono::milliseconds patience);

}  // namespace logwood::storage::jsonl
