#include "support/process_lock_times.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;  // the same one for all processes of a machine

// The time that a thread has spent on a core or waiting for one.
std::int64_t busy_ns(const char* schedule) {
  const int file = ::open(schedule, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t size = ::read(file, text, sizeof(text) - 1);
  ::close(file);
  if (size <= 0) return 0;
  char* rest = nullptr;
  const long long running = std::strtoll(text, &rest, 10);
  return running + std::strtoll(rest, nullptr, 10);
}

}  // namespace

void LockTimes::add(LockEvent event, std::uint32_t process, std::uint32_t lock) {
  add(event, process, lock, "/proc/thread-self/schedstat");
}

void LockTimes::add_kill(std::uint32_t process, pid_t id) {
  add(LockEvent::killed, process, 0, fmt::format("/proc/{}/schedstat", id).c_str());
}

void LockTimes::add(LockEvent event, std::uint32_t process, std::uint32_t lock,
                    const char* schedule) {
  const std::uint32_t place = used_->fetch_add(1);
  if (place >= events_max) return;
  Event& slot = events_[place];
  slot.time_ns = Clock::now().time_since_epoch().count();
  slot.asleep_ns = slot.time_ns - busy_ns(schedule);
  slot.process = process;
  slot.lock = lock;
  slot.kind = event;
}

std::uint32_t LockTimes::count() const { return std::min(used_->load(), events_max); }

void LockTimes::clear() {
  for (std::uint32_t i = 0; i < count(); ++i) events_[i].kind = LockEvent::none;
  *used_ = 0;
}

namespace {

// One lock while its events are gone through in order of time.
struct LockState {
  std::map<std::uint32_t, std::int64_t> waiting;  // and their asleep_ns when they asked
  std::set<std::uint32_t> holding;
  std::int64_t free_since = 0;  // what was waited until then is counted
  std::int64_t in_vain = 0;     // waited since it is free by those who were killed

  // The part of the time since it is free that a waiting process slept.
  [[nodiscard]] std::int64_t slept(std::uint32_t process, std::int64_t asleep_ns,
                                   std::int64_t now) const {
    const auto found = waiting.find(process);
    if (found == waiting.end() || !holding.empty()) return 0;
    return std::min(asleep_ns - found->second, now - free_since);
  }
};

}  // namespace

LockTimes::Summary LockTimes::summary() const {
  std::vector<const Event*> events;
  for (std::uint32_t i = 0; i < count(); ++i) {
    if (events_[i].kind != LockEvent::none) events.push_back(&events_[i]);
  }
  // By place where times are equal: clang 19 cannot compile stable_sort of this standard library.
  std::sort(events.begin(), events.end(), [](const Event* a, const Event* b) {
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : std::less<>()(a, b);
  });
  Summary summary;
  std::int64_t longest = 0;
  std::map<std::uint32_t, LockState> locks;
  const auto take = [&](LockState& lock, const Event& event) {
    const LockEvent kind = event.kind;
    const std::int64_t slept = lock.slept(event.process, event.asleep_ns, event.time_ns);
    lock.waiting.erase(event.process);
    const bool held = lock.holding.erase(event.process) > 0;
    switch (kind) {
      case LockEvent::asked:
        lock.waiting[event.process] = event.asleep_ns;
        break;
      case LockEvent::got:
        longest = std::max(longest, lock.in_vain + slept);
        lock.in_vain = 0;
        lock.holding.insert(event.process);
        break;
      case LockEvent::killed:
        if (held) ++summary.killed_holders;
        lock.in_vain += slept;
        longest = std::max(longest, lock.in_vain);
        if (held || slept > 0) lock.free_since = event.time_ns;
        break;
      case LockEvent::let_go:
        lock.free_since = event.time_ns;
        break;
      case LockEvent::none:
        break;
    }
  };
  for (const Event* event : events) {
    if (event->kind == LockEvent::killed) {
      for (auto& [number, lock] : locks) take(lock, *event);
    } else {
      take(locks[event->lock], *event);
    }
  }
  summary.longest_wait = std::chrono::nanoseconds(longest);
  return summary;
}

}  // namespace logwood
