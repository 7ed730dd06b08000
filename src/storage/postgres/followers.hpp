// Waiting for sessions to grow.
//
// Nobody tells a process what others append: the server could (NOTIFY), but then commits would
// queue for it. So it is looked for, by one statement for all who wait in this process: one of them
// has the duty, and hands it on when it leaves.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

class Followers {
 public:
  explicit Followers(Database& database) : database_(database) {}

  /// True as soon as the session has more than `known_seq` lines or is gone: at once when this
  /// process does it, else by the next look. False when nothing came within `timeout`, or when this
  /// is closed.
  Result<bool> wait(const SessionId& session, std::uint64_t known_seq,
                    std::chrono::milliseconds timeout);

  /// This process has changed the session.
  void tell(const SessionId& session);

  void close();

 private:
  using Clock = std::chrono::steady_clock;

  struct Waiting {
    const SessionId& session;
    std::uint64_t known_seq;
    bool has_grown = false;
    bool is_looked_at = false;
    bool is_told = false;  // that this process did something to the session
    std::condition_variable woken = {};
  };
  using All = std::multimap<std::string_view, Waiting>;  // by session
  // Among all as long as it lives.
  class Place;

  Result<> look_for_all(std::unique_lock<std::mutex>& guard);
  Result<> look_for_one(Waiting& one, std::unique_lock<std::mutex>& guard);

  Database& database_;
  std::mutex mutex_;
  All waiting_;
  const Waiting* on_duty_ = nullptr;
  Clock::time_point next_look_ = {};
  bool is_closed_ = false;
};

}  // namespace logwood::storage::postgres
