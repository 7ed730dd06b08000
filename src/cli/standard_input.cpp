#include "cli/standard_input.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/interrupt.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t step_bytes = 1U << 16U;

}  // namespace

Result<bool> StandardInput::read_more() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + step_bytes);
  ssize_t got = -1;
  do {
    pollfd ready[] = {{descriptor_, POLLIN, 0}, {interrupt_descriptor(), POLLIN, 0}};
    if (descriptor_ >= 0) (void)::poll(ready, 2, -1);
    got = was_interrupted() ? 0 : ::read(descriptor_, buffer_.data() + size, step_bytes);
  } while (got < 0 && errno == EINTR);
  buffer_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got >= 0) return got > 0;
  return Error{ErrorCode::unsupported,
               fmt::format("cannot read standard input: {}", std::strerror(errno))};
}

Result<std::optional<std::string>> StandardInput::line(std::size_t size_max) {
  for (std::size_t searched = 0;;) {
    const std::size_t end = buffer_.find('\n', at_ + searched);
    const bool is_whole = end != std::string::npos;
    searched = (is_whole ? end : buffer_.size()) - at_;
    if (searched > size_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("a line of standard input has more than {} bytes", size_max)};
    }
    bool more = true;
    if (!is_whole) {
      LOGWOOD_TRY(more, read_more());
      if (more) continue;
      if (searched == 0 || was_interrupted()) return std::optional<std::string>();
    }
    std::string line = buffer_.substr(at_, searched);
    at_ = std::min(at_ + searched + 1, buffer_.size());
    return std::optional(std::move(line));
  }
}

Result<std::size_t> StandardInput::some(std::span<char> into) {
  if (at_ == buffer_.size()) LOGWOOD_CHECK(read_more());
  const std::size_t size = std::min(into.size(), buffer_.size() - at_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), size, into.begin());
  at_ += size;
  return size;
}

Result<std::string> StandardInput::all(std::size_t size_max) {
  for (bool more = true; more;) {
    LOGWOOD_TRY(more, read_more());
    if (buffer_.size() - at_ > size_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("standard input has more than {} bytes", size_max)};
    }
  }
  std::string rest = buffer_.substr(at_);
  buffer_.clear();
  at_ = 0;
  return rest;
}

}  // namespace logwood::cli
