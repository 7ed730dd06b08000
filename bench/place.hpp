#pragma once

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace logwood::bench {

/// The file system a folder lies on, in words: how dear a sync is depends on it most of all.
inline std::string file_system_of(const std::string& folder) {
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0) return "unknown";
  const std::string device = fmt::format("{}:{}", major(found.st_dev), minor(found.st_dev));

  // 36 35 98:0 / /mnt rw,noatime shared:1 - ext4 /dev/loop0 rw
  std::string kind = "unknown";
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string number, parent, of_device;
    words >> number >> parent >> of_device;
    const std::size_t dash = line.find(" - ");
    if (of_device != device || dash == std::string::npos) continue;
    std::istringstream(line.substr(dash + 3)) >> kind;
  }
  if (kind != "ext4") return kind;

  std::error_code none;
  const auto link = std::filesystem::read_symlink("/sys/dev/block/" + device, none);
  for (const auto& journal : std::filesystem::directory_iterator("/proc/fs/jbd2", none)) {
    if (journal.path().filename().string().starts_with(link.filename().string() + "-")) {
      return "ext4 with a journal";
    }
  }
  return "ext4 without a journal";
}

/// Where temporary files lie on a disk: in memory nothing is ever cold, and syncs cost nothing.
inline std::string disk_folder() {
  const std::string folder = std::filesystem::temp_directory_path();
  return file_system_of(folder) == "tmpfs" ? "/var/tmp" : folder;
}

}  // namespace logwood::bench
