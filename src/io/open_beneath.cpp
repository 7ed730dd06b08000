#include "io/open_beneath.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/seeded_bugs.hpp"
#include "io/file_name.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

constexpr int flags_of_every_open = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

Descriptor open_in_one_call(int folder, const std::string& name, int flags, mode_t mode) {
  if (LOGWOOD_SEEDED(inherited_by_children)) flags &= ~O_CLOEXEC;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Descriptor(
      static_cast<int>(::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how)));
}

// Of a symbolic link, O_DIRECTORY with O_NOFOLLOW says "not a folder"; the caller
// should hear what it really is, as openat2 tells it.
void tell_link_from_file(int folder, const std::string& part) {
  struct stat found{};
  if (errno == ENOTDIR && ::fstatat(folder, part.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = S_ISLNK(found.st_mode) ? ELOOP : ENOTDIR;
  }
}

Descriptor open_part(int folder, const std::string& part, int flags, mode_t mode) {
  Descriptor opened(::openat(folder, part.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!opened.is_open()) tell_link_from_file(folder, part);
  return opened;
}

}  // namespace

Descriptor open_part_by_part(int folder, const std::string& name, int flags, mode_t mode) {
  Descriptor inner;
  std::size_t begin = 0;
  for (std::size_t slash = 0; (slash = name.find('/', begin)) != std::string::npos;) {
    const int outer = inner.is_open() ? inner.number() : folder;
    inner = open_part(outer, name.substr(begin, slash - begin), O_PATH | O_DIRECTORY, 0);
    if (!inner.is_open()) return inner;
    begin = slash + 1;
  }
  return open_part(inner.is_open() ? inner.number() : folder, name.substr(begin), flags, mode);
}

Result<Descriptor> open_beneath(int folder, const std::string& name, int flags, mode_t mode,
                                std::string_view attempt) {
  LOGWOOD_CHECK(check_name(name));
  // With O_PATH openat2 takes no flags beside those that choose what is opened.
  const int all_flags = (flags & O_PATH) != 0 ? flags | O_CLOEXEC : flags | flags_of_every_open;
  Descriptor opened = open_in_one_call(folder, name, all_flags, mode);
  // EPERM is what older container sandboxes answer to a call they do not know.
  if (!opened.is_open() && (errno == ENOSYS || errno == EPERM)) {
    opened = open_part_by_part(folder, name, all_flags, mode);
  }
  if (!opened.is_open()) return system_error(errno, attempt, name);
  return opened;
}

}  // namespace logwood::io
