#include "storage/jsonl/background_sync.hpp"

#include <algorithm>
#include <utility>

namespace logwood::storage::jsonl {
namespace {

constexpr std::chrono::milliseconds retry_delay{10};

}  // namespace

BackgroundSync::BackgroundSync(std::chrono::milliseconds interval,
                               std::function<bool(const SessionId&)> sync)
    : interval_(interval), sync_(std::move(sync)) {}

BackgroundSync::~BackgroundSync() { stop(); }

void BackgroundSync::expect(const SessionId& session) {
  if (interval_.count() == 0) return;
  const std::lock_guard guard(mutex_);
  if (stopping_) return;
  if (due_.contains(session.text)) return;
  due_.emplace(session.text, Clock::now() + interval_);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  // The thread looks at the earliest time only; a new one is never earlier than
  // those it waits for, unless it waits for none.
  if (due_.size() == 1) changed_.notify_one();
}

void BackgroundSync::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (due_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto next = std::min_element(
        due_.begin(), due_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (Clock::now() < next->second) {
      // A copy: the element may go while the lock is released.
      const Clock::time_point until = next->second;
      changed_.wait_until(lock, until);
      continue;
    }
    const SessionId session{next->first};
    due_.erase(next);
    lock.unlock();
    const bool done = sync_(session);
    lock.lock();
    if (!done) due_.try_emplace(session.text, Clock::now() + retry_delay);
  }
}

void BackgroundSync::stop() {
  std::thread ending;  // taken by the first of several callers
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_.notify_one();
    ending = std::move(thread_);
  }
  if (ending.joinable()) ending.join();
}

}  // namespace logwood::storage::jsonl
