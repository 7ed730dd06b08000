#include "support/process_lock_times.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;  // the same one for all processes of a machine

// The time that this thread has spent on a core or waiting for one.
std::int64_t busy_ns() {
  const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
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
  const std::uint32_t place = used_->fetch_add(1);
  if (place >= events_max) return;
  Event& slot = events_[place];
  slot.time_ns = Clock::now().time_since_epoch().count();
  slot.asleep_ns = slot.time_ns - busy_ns();
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
  std::map<std::uint32_t, std::int64_t> waiting;  // and how long they had been asleep before
  std::set<std::uint32_t> holding;
  std::optional<std::int64_t> free_since;  // wanted by somebody, held by nobody
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
    if (kind == LockEvent::got && lock.free_since && lock.waiting.contains(event.process)) {
      const std::int64_t asleep = event.asleep_ns - lock.waiting[event.process];
      longest = std::max(longest, std::min(asleep, event.time_ns - *lock.free_since));
    }
    if (kind == LockEvent::killed && lock.holding.contains(event.process)) ++summary.killed_holders;
    lock.waiting.erase(event.process);
    lock.holding.erase(event.process);
    if (kind == LockEvent::asked) lock.waiting[event.process] = event.asleep_ns;
    if (kind == LockEvent::got) lock.holding.insert(event.process);
    if (lock.waiting.empty() || !lock.holding.empty()) {
      lock.free_since.reset();
    } else if (!lock.free_since) {
      lock.free_since = event.time_ns;
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
