#pragma once

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "io/file_system.hpp"

namespace logwood::io {

/// What to ask statx(2) for. Not for times: since Linux 6.13 a file whose times were
/// looked at takes a finer time stamp with its next write, and stores its inode for
/// it. That made each append dearer by a third of a plain write.
inline constexpr unsigned status_mask = STATX_TYPE | STATX_INO | STATX_SIZE;

/// For stamps, which are asked for once a look at all sessions and not with each append.
inline constexpr unsigned stamp_mask = status_mask | STATX_MTIME | STATX_CTIME;

/// What statx(2) says, in our words.
[[nodiscard]] inline FileStatus status_of(const struct statx& found) {
  return {.identity = {.device = makedev(found.stx_dev_major, found.stx_dev_minor),
                       .inode = found.stx_ino},
          .size_bytes = found.stx_size,
          .is_file = S_ISREG(found.stx_mode)};
}

[[nodiscard]] inline FileStamp stamp_of(const std::string& name, const struct statx& found) {
  const auto nanoseconds = [](const struct statx_timestamp& time) {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  };
  const FileStatus status = status_of(found);
  return {name, status.identity, status.size_bytes, nanoseconds(found.stx_mtime),
          nanoseconds(found.stx_ctime)};
}

}  // namespace logwood::io
