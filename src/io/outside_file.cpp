#include "io/outside_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "io/descriptor_file.hpp"
#include "io/open_beneath.hpp"
#include "io/system_error.hpp"
#include "logwood/ids.hpp"

namespace logwood::io {
namespace {

constexpr mode_t file_mode = 0600;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Error taken(const std::string& path) {
  return {
      ErrorCode::already_exists,
      fmt::format("there is a file {} already, and it is not replaced; choose another name", path)};
}

Error is_folder(const std::string& path, std::string_view advice) {
  return {ErrorCode::invalid_argument, fmt::format("{} is a folder; {}", path, advice)};
}

Result<> check_path(const std::string& path) {
  if (!path.empty() && path.find('\0') == std::string::npos && !path.ends_with('/')) return {};
  return Error{ErrorCode::invalid_argument, fmt::format("\"{}\" is no name of a file", path)};
}

// To a file that has no name.
std::string way_to(const Descriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.number());
}

}  // namespace

Result<WholeFile> WholeFile::create(const std::string& path) {
  LOGWOOD_CHECK(check_path(path));
  struct stat found{};
  if (::lstat(path.c_str(), &found) == 0) {
    return S_ISDIR(found.st_mode) ? is_folder(path, "name a file in it") : taken(path);
  }
  WholeFile made(path, folder_of(path));
  // A file without a name is gone when its maker dies; not every file system has them, and without
  // /proc it cannot be given one.
  made.file_ =
      Descriptor(::open(made.folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, file_mode));
  const bool has_no_nameless =
      !made.file_.is_open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  if (has_no_nameless ||
      (made.file_.is_open() && ::access(way_to(made.file_).c_str(), F_OK) != 0)) {
    made.made_as_ = fmt::format("{}.{}.part", path, new_session_id().text);
    made.file_ = Descriptor(
        ::open(made.made_as_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, file_mode));
    if (!made.file_.is_open()) made.made_as_.clear();
  }
  if (made.file_.is_open()) return made;
  if (errno != ENOENT) return system_error(errno, "create", path);
  return Error{ErrorCode::not_found,
               fmt::format("there is no folder {} to put {} into; make it first", made.folder_,
                           path.substr(path.rfind('/') + 1))};
}

WholeFile::~WholeFile() {
  if (file_.is_open() && !made_as_.empty()) ::unlink(made_as_.c_str());
}

Result<> WholeFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(errno, "write", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<> WholeFile::finish() {
  if (::fsync(file_.number()) != 0) return system_error(errno, "sync", path_);
  const int named =
      made_as_.empty()
          ? ::linkat(AT_FDCWD, way_to(file_).c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW)
          : ::renameat2(AT_FDCWD, made_as_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
  if (named != 0) return errno == EEXIST ? taken(path_) : system_error(errno, "name", path_);
  made_as_.clear();
  const Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() || ::fsync(folder.number()) != 0)
    return system_error(errno, "sync the folder of", path_);
  return {};
}

Result<GrowingFile> GrowingFile::open(const std::string& path) {
  LOGWOOD_CHECK(check_path(path));
  Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, file_mode));
  if (!file.is_open()) return system_error(errno, "open", path);
  // Its name, which may be new, is durable before anything is done that it is to tell of.
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() || ::fsync(folder.number()) != 0)
    return system_error(errno, "sync the folder of", path);
  return GrowingFile(path, std::move(file));
}

Result<> GrowingFile::append(std::string_view bytes) {
  const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
  if (written < 0) return system_error(errno, "write to", path_);
  if (static_cast<std::size_t>(written) != bytes.size())
    return system_error(ENOSPC, "write to", path_);
  if (::fsync(file_.number()) != 0) return system_error(errno, "sync", path_);
  return {};
}

namespace {

Result<std::unique_ptr<File>> regular_file(Descriptor opened, const std::string& path) {
  struct stat found{};
  if (::fstat(opened.number(), &found) != 0) return system_error(errno, "look at", path);
  if (S_ISDIR(found.st_mode)) return is_folder(path, "name a file in it");
  if (!S_ISREG(found.st_mode))
    return Error{ErrorCode::invalid_argument, fmt::format("{} is no regular file", path)};
  return std::unique_ptr<File>(
      std::make_unique<DescriptorFile>(std::move(opened), Access::read, path));
}

}  // namespace

Result<std::unique_ptr<File>> open_outside(const std::string& path) {
  LOGWOOD_CHECK(check_path(path));
  // Without O_NONBLOCK a pipe that somebody put there would hold us.
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened.is_open()) return system_error(errno, "open", path);
  return regular_file(std::move(opened), path);
}

Result<std::unique_ptr<File>> open_outside_beneath(const std::string& folder,
                                                   const std::string& name) {
  LOGWOOD_CHECK(check_path(folder));
  const Descriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!opened.is_open()) return system_error(errno, "look into", folder);
  LOGWOOD_TRY(Descriptor file, open_beneath(opened.number(), name, O_RDONLY, 0, "open"));
  return regular_file(std::move(file), folder + "/" + name);
}

Result<ByteSource> read_outside(const std::string& path) {
  LOGWOOD_CHECK(check_path(path));
  // Owners: the source, which is a function and can be copied.
  const auto file = std::make_shared<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file->is_open()) return system_error(errno, "open", path);
  struct stat found{};
  if (::fstat(file->number(), &found) != 0) return system_error(errno, "look at", path);
  if (S_ISDIR(found.st_mode)) return is_folder(path, "name the files in it");
  return ByteSource([file, path](std::span<char> into) -> Result<std::size_t> {
    while (true) {
      const ssize_t got = ::read(file->number(), into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return system_error(errno, "read", path);
    }
  });
}

}  // namespace logwood::io
