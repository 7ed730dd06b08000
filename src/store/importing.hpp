// Sessions made of entries that were recorded elsewhere: another store's file, or the sound part of
// a session that is damaged.
#pragma once

#include "logwood/byte_source.hpp"
#include "logwood/import.hpp"
#include "logwood/progress.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood {

Result<Imported> import_file(storage::StorageBackend& backend, const ByteSource& file,
                             const ImportOptions& options, const Progress& progress);

/// The sound entries of a session as a new one, called `<id>-repaired`. The old one stays as it is.
Result<Imported> repair_session(storage::StorageBackend& backend, const SessionId& session);

}  // namespace logwood
