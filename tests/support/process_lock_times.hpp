// When processes asked for a lock, got it, and let go or were killed: written by
// them into shared memory, looked at afterwards.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>

#include "support/process_shared_memory.hpp"

namespace logwood {

enum class LockEvent : std::uint8_t { none, asked, got, let_go, killed };

class LockTimes {
 public:
  /// What the calling process, number `process` of the test, does with a lock.
  /// Drops what comes when there is no more room.
  void add(LockEvent event, std::uint32_t process, std::uint32_t lock);

  /// The process with the system's number `id` is about to be killed.
  void add_kill(std::uint32_t process, pid_t id);

  /// Forgets everything. Nobody may be at work.
  void clear();

  struct Summary {
    /// The longest time for which a lock was wanted and nobody alive held it: what
    /// a lock that outlives its holder would show, or a lost turn. Of that, only
    /// what those who wanted it spent asleep: whoever has work to do, or waits for
    /// a free core on a busy machine, does not wait for the lock.
    std::chrono::nanoseconds longest_wait{0};
    std::uint64_t killed_holders = 0;  ///< killed while they held a lock
  };
  [[nodiscard]] Summary summary() const;

 private:
  static constexpr std::uint32_t events_max = 1U << 20U;
  struct Event {
    std::int64_t time_ns;
    std::int64_t asleep_ns;  // of the process, from some moment on
    std::uint32_t process;
    std::uint32_t lock;
    std::atomic<LockEvent> kind;  // written last: none when its writer was killed before
  };
  void add(LockEvent event, std::uint32_t process, std::uint32_t lock, const char* schedule);
  [[nodiscard]] std::uint32_t count() const;

  SharedMemory<std::atomic<std::uint32_t>> used_;
  SharedMemory<Event> events_{events_max};
};

}  // namespace logwood
