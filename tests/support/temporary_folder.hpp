#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace logwood {

/// A new empty folder, only ours, that is gone with everything in it at the end.
class TemporaryFolder {
 public:
  /// Below `place`, or where the system keeps such things (TMPDIR).
  explicit TemporaryFolder(
      const std::filesystem::path& place = std::filesystem::temp_directory_path())
      : path_((place / "logwood-test-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;  // what a test left unreadable stays
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace logwood
