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

void walk(DIR* folder, const std::string& prefix, int depth,
          const std::function<void(FileStamp&&)>& visit) {
  const int here = ::dirfd(folder);
  while (const dirent* const one = ::readdir(folder)) {
    const std::string_view name = one->d_name;
    if (name == "." || name == "..") continue;
    if (one->d_type == DT_DIR) {
      if (depth == 0) continue;
      if (const Folder below = open_below(here, one->d_name, O_NOFOLLOW))
        walk(below.get(), prefix + one->d_name + "/", depth - 1, visit);
      continue;
    }
    if (one->d_type != DT_REG && one->d_type != DT_UNKNOWN) continue;
    struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
    if (::statx(here, one->d_name, AT_SYMLINK_NOFOLLOW, stamp_mask, &found) != 0) continue;
    if (S_ISREG(found.stx_mode)) {
      visit(stamp_of(prefix + one->d_name, found));
    } else if (S_ISDIR(found.stx_mode) && depth > 0) {  // a file system that does not tell
      if (const Folder below = open_below(here, one->d_name, O_NOFOLLOW))
        walk(below.get(), prefix + one->d_name + "/", depth - 1, visit);
    }
  }
}

}  // namespace

Result<> for_each_file_outside(const std::string& folder, int depth,
                               const std::function<void(FileStamp&&)>& visit) {
  const Folder opened = open_below(AT_FDCWD, folder.c_str(), 0);
  if (opened == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return system_error(errno, "look into", folder);
  }
  walk(opened.get(), "", depth, visit);
  return {};
}

Result<FileStamp> stamp_outside(const std::string& path) {
  struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(AT_FDCWD, path.c_str(), 0, stamp_mask, &found) != 0)
    return system_error(errno, "look at", path);
  return stamp_of(path, found);
}

}  // namespace logwood::io
