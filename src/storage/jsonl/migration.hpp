#pragma once

#include <chrono>

#include "io/file_system.hpp"
#include "logwood/ids.hpp"
#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Writes a session of version 0 as a sealed file that then takes its name. Lines
/// that are no entries are copied as they are. Until the rename the old file is
/// untouched, and after a failure or a crash it still is.
Result<MigrationResult> migrate_session(io::FileSystem& files, const SessionId& session,
                                        const SessionNames& names,
                                        std::chrono::milliseconds patience);

}  // namespace logwood::storage::jsonl
