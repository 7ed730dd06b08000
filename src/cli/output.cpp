#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/terminal_text.hpp"

namespace logwood::cli {
namespace {

// What goes into a file or a pipe is written in pieces of this size.
constexpr std::size_t held_bytes_max = 1U << 16U;

std::string without_colours(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const std::size_t escape = std::min(line.find("\x1b["), line.size());
    text += line.substr(0, escape);
    const std::size_t end = line.find('m', escape);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return text;
}

}  // namespace

std::size_t rows_of(std::string_view text, std::size_t columns) {
  std::size_t rows = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t width = width_of(without_colours(text.substr(0, end)));
    rows += std::max<std::size_t>(1, (width + columns - 1) / columns);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows;
}

void Output::page(std::string pager, Screen screen) {
  pager_command_ = std::move(pager);
  screen_ = screen;
}

void Output::write(std::string_view text) {
  if (!is_heard_ || !failure_) return;
  held_ += text;
  if (pager_ || !on_terminal_) {
    if (held_.size() >= held_bytes_max) write_out();
    return;
  }
  if (pager_command_.empty()) return write_out();
  held_rows_ += rows_of(text, screen_.columns);
  if (held_rows_ < screen_.rows) return;  // the last row is for the next prompt
  auto pager = Pager::start(pager_command_);
  if (pager) {
    pager_.emplace(*std::move(pager));
  } else {
    failure_ = std::move(pager).error();
  }
}

void Output::write_out() {
  write_to(pager_ ? pager_->descriptor() : descriptor_, held_);
  held_.clear();
}

void Output::write_to(int descriptor, std::string_view text) {
  while (!text.empty() && is_heard_ && failure_) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      is_heard_ = false;
    } else if (errno != EINTR) {
      failure_ = Error{ErrorCode::no_space,
                       fmt::format("cannot write to standard output: {}",
                                   errno == EBADF ? "it is closed" : std::strerror(errno))};
    }
  }
}

Result<> Output::flush() {
  pager_command_.clear();
  write_out();
  return failure_;
}

Result<> Output::finish() {
  write_out();
  if (pager_) {
    auto left = pager_->finish();
    if (!left && failure_) failure_ = std::move(left);
  }
  return failure_;
}

}  // namespace logwood::cli
