#include "io/outside_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <memory>
#include <vector>

#include "base/in_parallel.hpp"
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

using Wants = std::function<bool(std::string_view path)>;

// What lies in one folder: files that are wanted, and the names of folders.
struct Content {
  std::vector<FileStamp> files;
  std::vector<std::string> folders;
};

// The folder is looked at before what is in it: what comes meanwhile changes it.
Content look_into(DIR* folder, const std::string& prefix, const Wants& wants,
                  std::vector<FileStamp>& looked_into) {
  Content content;
  struct statx status;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(::dirfd(folder), "", AT_EMPTY_PATH, stamp_mask, &status) == 0)
    looked_into.push_back(stamp_of(prefix, status));
  while (const dirent* const one = ::readdir(folder)) {
    const std::string_view name = one->d_name;
    if (name == "." || name == "..") continue;
    if (one->d_type == DT_DIR) {
      content.folders.emplace_back(name);
      continue;
    }
    if (one->d_type != DT_UNKNOWN && one->d_type != DT_REG) continue;
    const std::string path = prefix + one->d_name;
    if (one->d_type == DT_REG && !wants(path)) continue;
    if (::statx(::dirfd(folder), one->d_name, AT_SYMLINK_NOFOLLOW, stamp_mask, &status) != 0)
      continue;
    if (S_ISDIR(status.stx_mode)) {  // a file system that does not tell
      content.folders.emplace_back(name);
    } else if (S_ISREG(status.stx_mode) && (one->d_type == DT_REG || wants(path))) {
      content.files.push_back(stamp_of(path, status));
    }
  }
  return content;
}

void append(std::vector<FileStamp>& to, std::vector<FileStamp>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

// All of it, below a folder that is open.
void look_below(DIR* folder, const std::string& prefix, int depth, const Wants& wants,
                OutsideFiles& found) {
  Content content = look_into(folder, prefix, wants, found.folders);
  append(found.files, std::move(content.files));
  if (depth == 0) return;
  for (const std::string& name : content.folders) {
    if (const Folder below = open_below(::dirfd(folder), name.c_str(), O_NOFOLLOW))
      look_below(below.get(), prefix + name + "/", depth - 1, wants, found);
  }
}

}  // namespace

Result<OutsideFiles> files_outside(const std::string& folder, int depth, const Wants& wants) {
  OutsideFiles found;
  const Folder opened = open_below(AT_FDCWD, folder.c_str(), 0);
  if (opened == nullptr) {
    if (errno != ENOENT && errno != ENOTDIR) return system_error(errno, "look into", folder);
    found.folders.emplace_back();
    return found;
  }
  Content content = look_into(opened.get(), "", wants, found.folders);
  append(found.files, std::move(content.files));
  if (depth == 0) return found;
  std::vector<OutsideFiles> below(content.folders.size());
  in_parallel(
      below.size(), 1,
      [&](std::size_t i) {
        const std::string& name = content.folders[i];
        if (const Folder inner = open_below(::dirfd(opened.get()), name.c_str(), O_NOFOLLOW))
          look_below(inner.get(), name + "/", depth - 1, wants, below[i]);
      },
      [&](std::size_t i) {
        append(found.files, std::move(below[i].files));
        append(found.folders, std::move(below[i].folders));
        return true;
      });
  return found;
}

Result<FileStamp> stamp_outside(const std::string& path) {
  struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(AT_FDCWD, path.c_str(), 0, stamp_mask, &found) != 0)
    return system_error(errno, "look at", path);
  return stamp_of(path, found);
}

}  // namespace logwood::io
