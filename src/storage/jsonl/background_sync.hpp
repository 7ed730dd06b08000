#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "logwood/ids.hpp"

namespace logwood::storage::jsonl {

/// Keeps the promise that a buffered append is synced within the interval even
/// if nobody appends again. Its thread starts with the first buffered append and
/// sleeps until one is due. Safe for use by several threads.
class BackgroundSync {
 public:
  /// `sync` returns whether the session is done; else it is tried again soon. A
  /// zero interval means that there is no thread and expect() does nothing.
  BackgroundSync(std::chrono::milliseconds interval, std::function<bool(const SessionId&)> sync);
  ~BackgroundSync();
  BackgroundSync(const BackgroundSync&) = delete;
  BackgroundSync& operator=(const BackgroundSync&) = delete;

  /// The session has something unsynced as of now.
  void expect(const SessionId& session);

  /// Ends the thread; what is still expected is left to the caller.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  void run();

  std::chrono::milliseconds interval_;
  std::function<bool(const SessionId&)> sync_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Clock::time_point> due_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace logwood::storage::jsonl
