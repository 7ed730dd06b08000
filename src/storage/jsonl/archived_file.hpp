#pragma once

#include <memory>
#include <string>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// The session file that an archive holds, read in place: status and read_at are about its
/// bytes, identity and lock those of the archive. What is read is unpacked frame by frame, and the
/// last few frames are kept. A call that would change something is `internal`.
///
/// `name` is for messages. `damaged` where the archive has no seek table that fits it; a frame that
/// cannot be unpacked is `damaged` when it is read.
Result<std::unique_ptr<io::File>> open_archive(std::unique_ptr<io::File> archive,
                                               const std::string& name);

}  // namespace logwood::storage::jsonl
