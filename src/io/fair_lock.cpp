#include "io/fair_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "base/seeded_bugs.hpp"
#include "io/lock_holder.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr int taken = 0;

// One system call over the bytes from `first` places behind the lock byte. Returns
// `taken`, EAGAIN when somebody else has one of them, or another errno.
int set_lock(int descriptor, short type, int first, int count) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(FairLock::lock_byte) + first;
  range.l_len = count;
  int error_number = EINTR;
  const int command = LOGWOOD_SEEDED(posix_lock) ? F_SETLK : F_OFD_SETLK;
  while (error_number == EINTR) {
    error_number = ::fcntl(descriptor, command, &range) == 0 ? taken : errno;
  }
  return error_number == EACCES ? EAGAIN : error_number;
}

void free_lock(int descriptor, int first, int count) {
  static_cast<void>(set_lock(descriptor, F_UNLCK, first, count));
}

// How long to wait between two looks. Who is next looks often, at first without any
// pause, as a turn is short; later looks come at a fraction of the time waited
// already, so that a long turn costs little. Never by sched_yield: beside a busy
// program it gives away whole time slices, and everyone behind waits for them.
class Pace {
 public:
  explicit Pace(std::chrono::milliseconds patience) : deadline_(start_ + patience) {}

  [[nodiscard]] bool is_over() const { return Clock::now() >= deadline_; }

  void moved_up() { looks_ = 0; }

  void pause(int place) {
    if (place == 1 && looks_++ < 8) return;
    const auto now = Clock::now();
    const microseconds shortest(place == 1 ? 20 : 100);
    const auto waited = std::chrono::duration_cast<microseconds>(now - start_);
    const auto left = std::chrono::duration_cast<microseconds>(deadline_ - now);
    std::this_thread::sleep_for(
        std::min(std::clamp(waited / 32, shortest, microseconds(1000)), left));
  }

 private:
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_;
  int looks_ = 0;
};

}  // namespace

Result<> FairLock::acquire(LockKind kind, std::chrono::milliseconds patience,
                           std::string_view file_name) {
  if (held_) {
    return Error{ErrorCode::internal, fmt::format("{} is locked twice by one file", file_name)};
  }
  if (kind == LockKind::shared) return wait_for_shared(patience, file_name);

  const int alone = set_lock(descriptor_, F_WRLCK, 0, 1 + places);
  if (alone == EAGAIN) return wait_in_line(patience, file_name);
  if (alone != taken) return give_up(alone, file_name);
  free_lock(descriptor_, 1, places);
  held_ = true;
  return {};
}

void FairLock::release() {
  if (!held_) return;
  free_lock(descriptor_, 0, 1 + places);
  held_ = false;
}

Error FairLock::give_up(int error_number, std::string_view file_name) {
  free_lock(descriptor_, 0, 1 + places);
  if (error_number != EAGAIN) return system_error(error_number, "lock", file_name);
  return Error{ErrorCode::busy, fmt::format("{} is in use by {}; try again", file_name,
                                            describe_lock_holder(descriptor_, lock_byte))};
}

Result<> FairLock::wait_for_shared(std::chrono::milliseconds patience, std::string_view file_name) {
  for (Pace pace(patience);; pace.pause(1)) {
    const int outcome = set_lock(descriptor_, F_RDLCK, 0, 1);
    if (outcome == taken) {
      held_ = true;
      return {};
    }
    if (outcome != EAGAIN || pace.is_over()) return give_up(outcome, file_name);
  }
}

namespace {

constexpr int outside = FairLock::places + 1;

// Takes the place behind the last one taken, or stays outside when the line is full:
// a run of free places up to the end of the line has nobody behind its first.
int enter_line(int descriptor) {
  for (int place = 1; place <= FairLock::places; ++place) {
    const int behind = FairLock::places - place;
    if (set_lock(descriptor, F_WRLCK, place, 1 + behind) == taken) {
      if (behind > 0) free_lock(descriptor, place + 1, behind);
      return place;
    }
  }
  return outside;
}

int move_up(int descriptor, int place) {
  if (place == outside) return enter_line(descriptor);
  while (place > 1 && set_lock(descriptor, F_WRLCK, place - 1, 1) == taken) {
    free_lock(descriptor, place, 1);
    --place;
  }
  return place;
}

}  // namespace

Result<> FairLock::wait_in_line(std::chrono::milliseconds patience, std::string_view file_name) {
  int place = outside;
  for (Pace pace(patience);; pace.pause(place)) {
    const int before = place;
    place = move_up(descriptor_, place);
    if (place != before) pace.moved_up();
    const int outcome = place == 1 ? set_lock(descriptor_, F_WRLCK, 0, 1) : EAGAIN;
    if (outcome == taken) {
      free_lock(descriptor_, 1, places);
      held_ = true;
      return {};
    }
    if (outcome != EAGAIN || pace.is_over()) return give_up(outcome, file_name);
  }
}

}  // namespace logwood::io
