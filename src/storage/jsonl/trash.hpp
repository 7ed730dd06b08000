// Where removed sessions lie until somebody wants them back. Only purging deletes anything.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

struct RemovedSession {
  SessionId id;
  std::string name;  ///< trash/<id>.<time>, for names_in_trash
};

/// What is in the trash, by id: each session as often as it was removed, of those of one id the one
/// removed last at the end.
Result<std::vector<RemovedSession>> removed_sessions(io::FileSystem& files);

/// Moves a session, plain or archived, and its blobs to the trash. `now` is a timestamp.
Result<> move_to_trash(io::FileSystem& files, const SessionId& session, const SessionNames& names,
                       std::string_view now, std::chrono::milliseconds patience);

/// Moves the one of that id which was removed last back to its place, and its blobs before it: a
/// session that is in its place has them. After a power cut in between it can be repeated.
Result<> restore_from_trash(io::FileSystem& files, const SessionId& session,
                            const SessionNames& names, std::chrono::milliseconds patience);

/// Deletes what is in the trash of a session, and what was cut off from it.
Result<> purge_from_trash(io::FileSystem& files, const SessionId& session);

/// Finishes the removal, or undoes the restoring, that somebody died over: blobs of the session
/// that still lie in their old place go where they belong.
Result<> bring_blobs_to_trash(io::FileSystem& files, const RemovedSession& session);

}  // namespace logwood::storage::jsonl
