#include "io/outside_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "io/descriptor.hpp"
#include "io/file_status.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

Folder open_below(int parent, const char* name, int flags) {
  const int opened = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  if (opened < 0) return nullptr;
  DIR* const folder = ::fdopendir(opened);
  if (folder == nullptr) ::close(opened);
  return Folder(folder);
}

class Walk {
 public:
  Walk(const std::function<bool(std::string_view)>& wants,
       const std::function<void(FileStamp&&)>& visit)
      : wants_(wants), visit_(visit) {}

  void into(DIR* folder, const std::string& prefix, int depth) const {
    const int here = ::dirfd(folder);
    while (const dirent* const one = ::readdir(folder)) {
      const std::string_view name = one->d_name;
      if (name == "." || name == "..") continue;
      const std::string path = prefix + one->d_name;
      if (one->d_type == DT_DIR) {
        below(here, one->d_name, path, depth);
      } else if (one->d_type == DT_UNKNOWN || (one->d_type == DT_REG && wants_(path))) {
        look_at(here, one->d_name, path, depth);
      }
    }
  }

 private:
  void below(int here, const char* name, const std::string& path, int depth) const {
    if (depth == 0) return;
    if (const Folder folder = open_below(here, name, O_NOFOLLOW))
      into(folder.get(), path + "/", depth - 1);
  }

  void look_at(int here, const char* name, const std::string& path, int depth) const {
    struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
    if (::statx(here, name, AT_SYMLINK_NOFOLLOW, stamp_mask, &found) != 0) return;
    if (S_ISREG(found.stx_mode)) {
      if (wants_(path)) visit_(stamp_of(path, found));
    } else if (S_ISDIR(found.stx_mode)) {  // a file system that does not tell
      below(here, name, path, depth);
    }
  }

  const std::function<bool(std::string_view)>& wants_;
  const std::function<void(FileStamp&&)>& visit_;
};

}  // namespace

Result<> for_each_file_outside(const std::string& folder, int depth,
                               const std::function<bool(std::string_view path)>& wants,
                               const std::function<void(FileStamp&&)>& visit) {
  const Folder opened = open_below(AT_FDCWD, folder.c_str(), 0);
  if (opened == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return system_error(errno, "look into", folder);
  }
  Walk(wants, visit).into(opened.get(), "", depth);
  return {};
}

Result<FileStamp> stamp_outside(const std::string& path) {
  struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(AT_FDCWD, path.c_str(), 0, stamp_mask, &found) != 0)
    return system_error(errno, "look at", path);
  return stamp_of(path, found);
}

}  // namespace logwood::io
