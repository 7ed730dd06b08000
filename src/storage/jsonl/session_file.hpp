// A session lies in sessions/ or, archived, in archive/. Where both are there the session file
// counts, and the archive is what somebody left who died in between.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Whether anything has this name; an error where that cannot be told.
Result<bool> is_there(io::FileSystem& files, const std::string& name);

enum class Form : std::uint8_t { none, plain, archived };

/// What is there now.
Result<Form> form_of(io::FileSystem& files, const SessionNames& names);

struct SessionFile {
  std::unique_ptr<io::File> file;
  bool archived = false;
};

/// The session's bytes, for reading; `not_found` where it has neither file.
Result<SessionFile> open_session_file(io::FileSystem& files, const SessionNames& names);

/// The file that the session lies in, as it is, for writing and locked; `not_found` as above. While
/// it is held nobody moves the session.
Result<SessionFile> lock_session_file(io::FileSystem& files, const SessionNames& names,
                                      std::chrono::milliseconds patience);

/// The ids of all sessions, in either form, the greatest first: generated ids sort by time.
Result<std::vector<std::string>> session_ids(io::FileSystem& files);

}  // namespace logwood::storage::jsonl
