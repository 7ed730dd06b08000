#include "support/process_lock_times.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;  // the same one for all processes of a machine

}  // namespace

void LockTimes::add(LockEvent event, std::uint32_t process, std::uint32_t lock) {
  const std::uint32_t place = used_->fetch_add(1);
  if (place >= events_max) return;
  Event& slot = events_[place];
  slot.time_ns = Clock::now().time_since_epoch().count();
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
  std::set<std::uint32_t> waiting;
  std::set<std::uint32_t> holding;
  std::optional<std::int64_t> free_since;  // wanted by somebody, held by nobody

  void apply(LockEvent event, std::uint32_t process) {
    waiting.erase(process);
    holding.erase(process);
    if (event == LockEvent::asked) waiting.insert(process);
    if (event == LockEvent::got) holding.insert(process);
  }

  // Returns for how long it has been free until `now`, while wanted.
  std::int64_t look(std::int64_t now) {
    const std::int64_t free_for = free_since ? now - *free_since : 0;
    if (waiting.empty() || !holding.empty()) {
      free_since.reset();
    } else if (!free_since) {
      free_since = now;
    }
    return free_for;
  }
};

}  // namespace

LockTimes::Summary LockTimes::summary() const {
  std::vector<const Event*> events;
  for (std::uint32_t i = 0; i < count(); ++i) {
    if (events_[i].kind != LockEvent::none) events.push_back(&events_[i]);
  }
  // By place where times are equal; stable_sort of this library does not compile with clang 19.
  std::sort(events.begin(), events.end(), [](const Event* a, const Event* b) {
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : std::less<>()(a, b);
  });
  Summary summary;
  std::map<std::uint32_t, LockState> locks;
  std::int64_t longest = 0;
  for (const Event* event : events) {
    if (event->kind == LockEvent::killed) {
      for (auto& [lock, state] : locks) {
        if (state.holding.contains(event->process)) ++summary.killed_holders;
        state.apply(event->kind, event->process);
        longest = std::max(longest, state.look(event->time_ns));
      }
    } else {
      LockState& state = locks[event->lock];
      state.apply(event->kind, event->process);
      longest = std::max(longest, state.look(event->time_ns));
    }
  }
  summary.longest_wait = std::chrono::nanoseconds(longest);
  return summary;
}

}  // namespace logwood
