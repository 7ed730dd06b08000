#include "io/real_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "io/descriptor.hpp"
#include "io/descriptor_file.hpp"
#include "io/file_name.hpp"
#include "io/file_status.hpp"
#include "io/file_watch.hpp"
#include "io/open_beneath.hpp"
#include "io/remote_kind.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

constexpr mode_t file_mode = 0600;
constexpr mode_t folder_mode = 0700;

Error refused(std::string_view name, std::string_view reason) {
  return Error{ErrorCode::permission_denied, fmt::format("{} {}", name, reason)};
}

Error not_regular(std::string_view name) {
  return refused(name, "is not a regular file; move it out of the store");
}

Result<> check_is_our_file(const struct stat& found, std::string_view name) {
  if (!S_ISREG(found.st_mode)) return not_regular(name);
  if (found.st_uid != ::geteuid()) {
    return refused(name, fmt::format("belongs to user {} and this process runs as user {}; use "
                                     "the store as its owner, or change the owner of the file",
                                     found.st_uid, ::geteuid()));
  }
  // None is one too: the file was replaced or removed since it was opened, which
  // whoever holds it finds out by its identity.
  if (found.st_nlink > 1) {
    return refused(name, fmt::format("has {} hard links, so that somebody else may change it; put "
                                     "a copy of it in its place",
                                     found.st_nlink));
  }
  return {};
}

Result<> check_is_our_folder(const struct stat& found, std::string_view name) {
  if (found.st_uid != ::geteuid()) {
    return refused(name, fmt::format("belongs to user {} and this process runs as user {}; use a "
                                     "folder of your own",
                                     found.st_uid, ::geteuid()));
  }
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refused(name, "can be written by other users; run chmod go-w on it");
  }
  return {};
}

class RealFolder final : public FileSystem {
 public:
  RealFolder(Descriptor root, std::string path) : root_(std::move(root)), path_(std::move(path)) {}

  Result<std::unique_ptr<File>> open(const std::string& name, Access access) override;
  Result<std::unique_ptr<File>> create(const std::string& name) override;
  Result<FileStatus> status(const std::string& name) const override;
  Result<bool> wait_for_change(const std::string& name, const FileStatus& known,
                               std::chrono::milliseconds timeout,
                               const std::stop_token& stop) const override {
    return watch_for_change(*this, root_.number(), name, known, timeout, stop);
  }
  Result<> rename(const std::string& from, const std::string& to, Replace replace) override;
  Result<> remove(const std::string& name) override;
  Result<> make_folder(const std::string& name) override;
  Result<> sync_folder(const std::string& name) override;
  Result<std::vector<std::string>> list(const std::string& name) const override;
  Result<std::vector<FileStamp>> stamps(const std::string& folder) const override;
  std::string path_of(const std::string& name) const override { return path_ + "/" + name; }
  Result<bool> is_open_to_others(const std::string& name) const override;
  Result<> close_to_others(const std::string& name) override;

 private:
  Result<std::unique_ptr<File>> open_file(const std::string& name, Access access, int flags,
                                          std::string_view attempt) const;
  Result<Descriptor> open_folder_at(const std::string& name, int flags,
                                    std::string_view attempt) const;
  Result<mode_t> mode_of(const std::string& name) const;

  Descriptor root_;
  std::string path_;
};

int flags_for(Access access) {
  if (access == Access::read) return O_RDONLY;
  return access == Access::write ? O_RDWR | O_APPEND : O_RDWR;
}

// The one function through which every file of a store is opened.
Result<std::unique_ptr<File>> RealFolder::open_file(const std::string& name, Access access,
                                                    int flags, std::string_view attempt) const {
  LOGWOOD_TRY(Descriptor opened, open_beneath(root_.number(), name, flags_for(access) | flags,
                                              (flags & O_CREAT) != 0 ? file_mode : 0, attempt));
  struct stat found{};
  if (::fstat(opened.number(), &found) != 0) return system_error(errno, "look at", name);
  LOGWOOD_CHECK(check_is_our_file(found, name));
  // An odd umask takes bits away from us, and never adds any for others.
  if ((flags & O_CREAT) != 0 && (found.st_mode & ALLPERMS) != file_mode &&
      ::fchmod(opened.number(), file_mode) != 0) {
    return system_error(errno, "set the mode of", name);
  }
  return std::make_unique<DescriptorFile>(std::move(opened), access, name);
}

// "" is the root; a new descriptor all the same, as reading a folder moves its position.
Result<Descriptor> RealFolder::open_folder_at(const std::string& name, int flags,
                                              std::string_view attempt) const {
  if (!name.empty()) return open_beneath(root_.number(), name, flags | O_DIRECTORY, 0, attempt);
  Descriptor opened(::openat(root_.number(), ".", flags | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return system_error(errno, attempt, "the store folder");
  return opened;
}

Result<std::unique_ptr<File>> RealFolder::open(const std::string& name, Access access) {
  return open_file(name, access, 0, "open");
}

Result<std::unique_ptr<File>> RealFolder::create(const std::string& name) {
  return open_file(name, Access::write, O_CREAT | O_EXCL, "create");
}

Result<FileStatus> RealFolder::status(const std::string& name) const {
  LOGWOOD_CHECK(check_name(name));
  struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(root_.number(), name.c_str(), AT_SYMLINK_NOFOLLOW, status_mask, &found) != 0) {
    return system_error(errno, "look at", name);
  }
  return status_of(found);
}

Result<> RealFolder::rename(const std::string& from, const std::string& to, Replace replace) {
  LOGWOOD_CHECK(check_name(from));
  LOGWOOD_CHECK(check_name(to));
  const SplitName source = split_name(from);
  const SplitName target = split_name(to);
  LOGWOOD_TRY(const Descriptor source_folder, open_folder_at(source.folder, O_PATH, "rename in"));
  LOGWOOD_TRY(const Descriptor target_folder, open_folder_at(target.folder, O_PATH, "rename in"));
  if (::renameat2(source_folder.number(), source.last.c_str(), target_folder.number(),
                  target.last.c_str(), replace == Replace::never ? RENAME_NOREPLACE : 0) == 0) {
    return {};
  }
  if (replace == Replace::never && errno == EINVAL) {
    return Error{ErrorCode::unsupported,
                 fmt::format("cannot rename {}: this file system cannot rename without replacing; "
                             "move the store to another one",
                             from)};
  }
  return system_error(errno, fmt::format("rename {} to", from), to);
}

Result<> RealFolder::remove(const std::string& name) {
  LOGWOOD_CHECK(check_name(name));
  const SplitName split = split_name(name);
  LOGWOOD_TRY(const Descriptor folder, open_folder_at(split.folder, O_PATH, "remove from"));
  if (::unlinkat(folder.number(), split.last.c_str(), 0) != 0) {
    return system_error(errno, "remove", name);
  }
  return {};
}

Result<> RealFolder::make_folder(const std::string& name) {
  LOGWOOD_CHECK(check_name(name));
  const SplitName split = split_name(name);
  LOGWOOD_TRY(const Descriptor outer, open_folder_at(split.folder, O_PATH, "make a folder in"));
  if (::mkdirat(outer.number(), split.last.c_str(), folder_mode) == 0) {
    if (::fchmodat(outer.number(), split.last.c_str(), folder_mode, 0) == 0) return {};
    return system_error(errno, "set the mode of", name);
  }
  if (errno != EEXIST) return system_error(errno, "make the folder", name);
  LOGWOOD_TRY(const Descriptor found_folder, open_folder_at(name, O_PATH, "use the folder"));
  struct stat found{};
  if (::fstat(found_folder.number(), &found) != 0) return system_error(errno, "look at", name);
  return check_is_our_folder(found, name);
}

Result<> RealFolder::sync_folder(const std::string& name) {
  LOGWOOD_TRY(const Descriptor folder, open_folder_at(name, O_RDONLY, "open"));
  if (::fsync(folder.number()) != 0) return system_error(errno, "sync the folder", name);
  return {};
}

Result<std::vector<std::string>> RealFolder::list(const std::string& name) const {
  LOGWOOD_TRY(Descriptor folder, open_folder_at(name, O_RDONLY, "list"));
  const std::unique_ptr<DIR, int (*)(DIR*)> reader(::fdopendir(folder.number()), ::closedir);
  if (!reader) return system_error(errno, "list", name);
  static_cast<void>(folder.release());  // closedir closes it

  std::vector<std::string> names;
  errno = 0;
  while (const dirent* found = ::readdir(reader.get())) {
    const std::string_view found_name = found->d_name;
    if (found_name != "." && found_name != "..") names.emplace_back(found_name);
    errno = 0;
  }
  if (errno != 0) return system_error(errno, "list", name);
  return names;
}

Result<std::vector<FileStamp>> RealFolder::stamps(const std::string& folder) const {
  LOGWOOD_TRY(const std::vector<std::string> names, list(folder));
  LOGWOOD_TRY(const Descriptor opened, open_folder_at(folder, O_PATH, "look into"));
  std::vector<FileStamp> stamps;
  stamps.reserve(names.size());
  for (const std::string& name : names) {
    struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
    if (::statx(opened.number(), name.c_str(), AT_SYMLINK_NOFOLLOW, stamp_mask, &found) != 0) {
      if (errno == ENOENT) continue;  // gone meanwhile
      return system_error(errno, "look at", folder + "/" + name);
    }
    if (S_ISREG(found.stx_mode)) stamps.push_back(stamp_of(name, found));
  }
  return stamps;
}

// A link has no mode of its own, and neither is followed nor changed.
Result<mode_t> RealFolder::mode_of(const std::string& name) const {
  if (!name.empty()) LOGWOOD_CHECK(check_name(name));
  struct stat found{};
  if (::fstatat(root_.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0)
    return system_error(errno, "look at", name);
  return S_ISLNK(found.st_mode) ? mode_t{0} : found.st_mode & ALLPERMS;
}

Result<bool> RealFolder::is_open_to_others(const std::string& name) const {
  LOGWOOD_TRY(const mode_t mode, mode_of(name));
  return (mode & (S_IRWXG | S_IRWXO)) != 0;
}

Result<> RealFolder::close_to_others(const std::string& name) {
  LOGWOOD_TRY(const mode_t mode, mode_of(name));
  const mode_t narrow = mode & ~static_cast<mode_t>(S_IRWXG | S_IRWXO);
  if (narrow == mode) return {};
  const SplitName split = split_name(name);
  LOGWOOD_TRY(const Descriptor folder, open_folder_at(split.folder, O_PATH, "change modes in"));
  const char* const last = name.empty() ? "." : split.last.c_str();
  if (::fchmodat(folder.number(), last, narrow, 0) != 0)
    return system_error(errno, "set the mode of", name.empty() ? "the store folder" : name);
  return {};
}

Result<> sync_at(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return system_error(errno, "open", path);
  if (::fsync(folder.number()) != 0) return system_error(errno, "sync the folder", path);
  return {};
}

std::string outer_folder_of(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

// Each folder made is synced into the one around it: a store that survives a power
// cut in a folder that does not has not survived.
Result<> make_folders(const std::string& path) {
  const std::string outer = outer_folder_of(path);
  int outcome = ::mkdir(path.c_str(), folder_mode);
  if (outcome != 0 && errno == ENOENT) {
    LOGWOOD_CHECK(make_folders(outer));
    outcome = ::mkdir(path.c_str(), folder_mode);
  }
  if (outcome != 0) {
    if (errno == EEXIST) return {};  // "/", ".", or made by another process just now
    return system_error(errno, "make the folder", path);
  }
  if (::chmod(path.c_str(), folder_mode) != 0) {
    return system_error(errno, "set the mode of", path);
  }
  return sync_at(outer);
}

Result<> check_is_local(int folder, const std::string& path) {
  struct statfs found{};
  if (::fstatfs(folder, &found) != 0) return system_error(errno, "look at", path);
  const auto kind = remote_kind(static_cast<std::uint32_t>(found.f_type));
  if (!kind) return {};
  return Error{ErrorCode::unsupported,
               fmt::format("{} lies on {}, where locks and syncs may not keep what they promise; "
                           "use a local disk, or allow remote file systems",
                           path, *kind)};
}

}  // namespace

Result<std::unique_ptr<FileSystem>> open_folder(const std::string& path, OpenFolder options) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error{ErrorCode::invalid_argument, "the path of a store is not empty and has no NUL"};
  }
  const auto open_path = [&] {
    return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  };
  Descriptor root = open_path();
  if (!root.is_open() && errno == ENOENT && options.create) {
    LOGWOOD_CHECK(make_folders(path));
    root = open_path();
  }
  if (!root.is_open()) return system_error(errno, "open the folder", path);

  struct stat found{};
  if (::fstat(root.number(), &found) != 0) return system_error(errno, "look at", path);
  LOGWOOD_CHECK(check_is_our_folder(found, path));
  if (!options.allow_remote) LOGWOOD_CHECK(check_is_local(root.number(), path));
  // The path as it is now, for those who open files by themselves: the working folder may change.
  std::error_code unknown;
  const std::string absolute = std::filesystem::canonical(path, unknown);
  return std::make_unique<RealFolder>(std::move(root), unknown ? path : absolute);
}

}  // namespace logwood::io
