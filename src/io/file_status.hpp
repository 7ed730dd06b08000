#pragma once

#include <sys/stat.h>

#include "io/file_system.hpp"

namespace logwood::io {

/// What stat(2) says, in our words.
[[nodiscard]] inline FileStatus status_of(const struct stat& found) {
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return {.identity = {.device = found.st_dev, .inode = found.st_ino},
          .size_bytes = static_cast<std::uint64_t>(found.st_size),
          .modified_ns = nanoseconds(found.st_mtim),
          .changed_ns = nanoseconds(found.st_ctim)};
}

}  // namespace logwood::io
