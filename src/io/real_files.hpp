// Files of the operating system, below one folder.
//
// What lies in the folder is believed to be ours only as far as the system says so:
// the folder belongs to this user and no other user can write to it, every file is a
// regular one, owned by this user, with one name. Anything else (a symbolic link, a
// second hard link, a FIFO, a folder) is refused with `permission_denied` and stays.
#pragma once

#include <memory>
#include <string>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

struct OpenFolder {
  /// Make the folder, mode 0700, and the folders it lies in, where they are missing.
  bool create = false;
  /// Also where locks and syncs may not keep their promise: NFS, SMB, FUSE…
  bool allow_remote = false;
};

/// Opens the folder at `path`. `not_found` when it is missing, `unsupported` on a
/// remote file system that was not allowed.
Result<std::unique_ptr<FileSystem>> open_folder(const std::string& path, OpenFolder options);

}  // namespace logwood::io
