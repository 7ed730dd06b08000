// Sessions that are kept packed: archive/<id>.jsonl.zst (docs/format.md, F18) in the place of
// sessions/<id>.jsonl.
//
// Both ways a new file is written whole, synced, read back and compared; it takes its name and the
// folder is synced; only then the old file goes. So a power cut leaves the one, the other, or both
// with the same content, and then the session file counts.
#pragma once

#include <chrono>
#include <functional>

#include "io/file_system.hpp"
#include "logwood/erasure.hpp"
#include "logwood/ids.hpp"
#include "logwood/pages.hpp"
#include "logwood/progress.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Archives a session. One that is archived stays so.
Result<ArchiveResult> archive_session(io::FileSystem& files, const SessionId& session,
                                      const SessionNames& names, std::chrono::milliseconds patience,
                                      const Progress& progress = {});

/// Brings a session back. Of one that is not archived it removes what is left of an archive.
Result<ArchiveResult> unarchive_session(io::FileSystem& files, const SessionId& session,
                                        const SessionNames& names,
                                        std::chrono::milliseconds patience,
                                        const Progress& progress = {});

/// Removes archives beside a session file, which is `file`, open and locked: finished or not, they
/// mean nothing. When it returns, no power cut brings one back.
Result<> remove_leftover_archive(io::FileSystem& files, const SessionNames& names, io::File& file);

/// Erases in a session that may be archived: it is brought back for it, and archived again. Where
/// that last step fails it stays as it is, erased, and the erasure is returned all the same.
Result<Erasure> erase_unarchived(io::FileSystem& files, const SessionId& session,
                                 const SessionNames& names, std::chrono::milliseconds patience,
                                 const std::function<Result<Erasure>()>& erase);

}  // namespace logwood::storage::jsonl
