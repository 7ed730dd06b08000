#pragma once

#include <unistd.h>

#include <filesystem>

namespace logwood {

/// A place for folders that need not survive anything: in memory where the system has such a place,
/// so that thousands of syncs cost little.
inline std::filesystem::path fast_folder() {
  const std::filesystem::path memory = "/dev/shm";
  if (::access(memory.c_str(), W_OK | X_OK) == 0) return memory;
  return std::filesystem::temp_directory_path();
}

}  // namespace logwood
