#include "cli/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace logwood::cli {
namespace {

struct OpenFile {
  int descriptor = -1;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

Error failed(const std::string& path) {
  const bool is_missing = errno == ENOENT || errno == ENOTDIR;
  return {is_missing ? ErrorCode::not_found : ErrorCode::permission_denied,
          fmt::format("cannot read {}: {}", path, std::strerror(errno))};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t size_max, FileKinds kinds) {
  const int patience = kinds == FileKinds::regular ? O_NONBLOCK : 0;
  const OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | patience)};
  if (file.descriptor < 0) return failed(path);
  struct stat found{};
  if (::fstat(file.descriptor, &found) != 0) return failed(path);
  if (S_ISDIR(found.st_mode) || (kinds == FileKinds::regular && !S_ISREG(found.st_mode))) {
    return Error{ErrorCode::invalid_argument, fmt::format("{} is not a file", path)};
  }
  constexpr std::size_t step_bytes = 1U << 16U;
  std::string text;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + step_bytes);
    const ssize_t got = ::read(file.descriptor, text.data() + size, step_bytes);
    if (got < 0) return failed(path);
    text.resize(size + static_cast<std::size_t>(got));
    if (got == 0) return text;
    if (text.size() > size_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} has more than {} bytes", path, size_max)};
    }
  }
}

}  // namespace logwood::cli
