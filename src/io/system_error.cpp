#include "io/system_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace logwood::io {

ErrorCode code_of(int error_number) {
  switch (error_number) {
    case ENOENT:
      return ErrorCode::not_found;
    case EEXIST:
      return ErrorCode::already_exists;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case EISDIR:
    case ENOTDIR:
    case ENXIO:
      return ErrorCode::permission_denied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return ErrorCode::no_space;
    case EAGAIN:
      return ErrorCode::busy;
    case ENAMETOOLONG:
      return ErrorCode::invalid_argument;
    case ENOSYS:
    case EOPNOTSUPP:
      return ErrorCode::unsupported;
    default:
      return ErrorCode::unavailable;
  }
}

namespace {

std::string_view advice_for(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM:
      return "give the user of this process access to it";
    case EROFS:
      return "the file system is mounted read-only";
    case ELOOP:
      return "it is, or lies behind, a symbolic link, and those are not followed: "
             "put the real file or folder in its place";
    case EISDIR:
      return "a folder stands where a file belongs: move it away";
    case ENOTDIR:
      return "a file stands where a folder belongs: move it away";
    case ENXIO:
      return "a socket or device stands where a file belongs: move it away";
    case ENOSPC:
      return "free some space on this disk";
    case EDQUOT:
      return "free some of this user's disk quota";
    case EFBIG:
      return "the file would pass the size limit of this process (ulimit -f) or of the disk";
    case EIO:
      return "the disk reports a fault: see the system's log, and make a copy of the store";
    case EMFILE:
      return "raise the limit of open files of this process (ulimit -n)";
    case ENFILE:
      return "the whole system has too many open files";
    case ESTALE:
      return "the file system lost track of it: open the store again";
    default:
      return "";
  }
}

}  // namespace

Error system_error(int error_number, std::string_view attempt, std::string_view name) {
  const std::string reason = std::generic_category().message(error_number);
  const std::string_view advice = advice_for(error_number);
  return Error{code_of(error_number), fmt::format("cannot {} {}: {}{}{}", attempt, name, reason,
                                                  advice.empty() ? "" : "; ", advice)};
}

}  // namespace logwood::io
