#include "io/file_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <algorithm>
#include <cstdint>

#include "io/descriptor.hpp"
#include "io/file_name.hpp"
#include "io/open_beneath.hpp"

namespace logwood::io {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds look_with_watch{1000};
constexpr milliseconds look_without_watch{50};

// What a name means now, or {} for nothing.
Result<FileStatus> now_at(const FileSystem& files, const std::string& name) {
  auto status = files.status(name);
  if (!status && status.error().code == ErrorCode::not_found) return FileStatus{};
  return status;
}

// A watch on what has the name, or else on the folder in which it would appear. Replacing and
// removing a file change the count of its names, which IN_ATTRIB tells at once; IN_DELETE_SELF
// comes only when nobody has it open any more.
Descriptor watch_on(int folder, const std::string& name) {
  Descriptor watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.is_open()) return {};
  const auto add = [&](const Descriptor& target, std::uint32_t events) {
    // By descriptor: the path behind a name may be changed into a link to elsewhere.
    const std::string path = fmt::format("/proc/self/fd/{}", target.number());
    return ::inotify_add_watch(watch.number(), path.c_str(), events) >= 0;
  };
  if (auto file = open_beneath(folder, name, O_PATH, 0, "watch")) {
    if (!add(*file, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF)) return {};
    return watch;
  }
  const std::string outer = split_name(name).folder;
  Descriptor root(outer.empty() ? ::fcntl(folder, F_DUPFD_CLOEXEC, 0) : -1);
  if (!outer.empty()) {
    auto opened = open_beneath(folder, outer, O_PATH | O_DIRECTORY, 0, "watch");
    if (opened) root = *std::move(opened);
  }
  if (!root.is_open() || !add(root, IN_CREATE | IN_MOVED_TO)) return {};
  return watch;
}

void drain(const Descriptor& watch) {
  alignas(inotify_event) char events[4096];
  while (::read(watch.number(), events, sizeof events) > 0) {
  }
}

}  // namespace

Result<bool> watch_for_change(const FileSystem& files, int folder, const std::string& name,
                              const FileStatus& known, milliseconds timeout,
                              const std::stop_token& stop) {
  LOGWOOD_CHECK(check_name(name));
  // The watch comes before the look, so nothing falls between the two.
  Descriptor watch = watch_on(folder, name);
  const Descriptor stopped(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const std::stop_callback wake(stop, [&] { (void)::eventfd_write(stopped.number(), 1); });
  const bool can_be_woken = watch.is_open() && stopped.is_open();
  const milliseconds interval = can_be_woken ? look_with_watch : look_without_watch;
  const auto start = steady_clock::now();
  while (true) {
    LOGWOOD_TRY(const FileStatus now, now_at(files, name));
    if (now != known) return true;
    // Compared as durations: a timeout of centuries must not overflow a time.
    const auto passed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
    if (passed >= timeout || stop.stop_requested()) return false;
    const milliseconds time = std::min(interval, timeout - passed);
    pollfd ready[] = {{watch.number(), POLLIN, 0}, {stopped.number(), POLLIN, 0}};
    if (::poll(ready, 2, static_cast<int>(time.count())) < 0) return false;
    if (watch.is_open()) drain(watch);
    if (stop.stop_requested()) return false;
  }
}

}  // namespace logwood::io
