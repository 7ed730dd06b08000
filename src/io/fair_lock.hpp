// A lock on a file that processes get in the order in which they came.
//
// The kernel's own locks (OFD: they belong to one open file, exclude other open
// files in any process, and vanish with the last descriptor, however its process
// ended) have no order: whoever asks at the right moment gets them, and a process
// that appends in a loop asks again within microseconds of letting go. So a few
// bytes far behind any content are used, each a lock of its own:
//
//   lock_byte       the lock; its holder has this byte and no other
//   lock_byte + k   place k of the waiting line, k = 1 … 32, held by who stands there
//
//   - Who finds the whole range free takes all of it in one call, so nobody is in
//     line, and gives the places back at once: now others can line up. 3 calls for
//     an undisturbed lock and unlock. (Two are not enough: one call cannot take the
//     lock, make sure that nobody waits, and leave the line open for others.)
//   - Who does not, enters the line behind its last place taken, moves up as places
//     before it become free, and takes the lock from place 1. Nobody overtakes: a
//     newcomer is stopped by any place taken, and places are left in order only.
//   - When the last place is taken, newcomers wait for the line without order. (The
//     line has gaps, as each looks only now and then whether it can move up; eight
//     places were often full with seven waiting, 32 are not with twenty.)
//
// Every place is a kernel lock, so a process that is killed, while it holds the lock
// or stands anywhere in line, leaves nothing behind. A child made by fork without
// exec shares the lock with its parent until one of them lets go.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

class FairLock {
 public:
  static constexpr std::uint64_t lock_byte = std::uint64_t{1} << 62;
  static constexpr int places = 32;

  /// The descriptor is borrowed and outlives the lock.
  explicit FairLock(int descriptor) : descriptor_(descriptor) {}
  FairLock(const FairLock&) = delete;
  FairLock& operator=(const FairLock&) = delete;
  /// Lets go of the lock even where a forked child still has the descriptor.
  ~FairLock() { release(); }

  /// Waits at most `patience`; then `busy`, with the holder named where it can be.
  /// Shared locks do not stand in line, as a descriptor for reading cannot: they
  /// are taken whenever no exclusive lock is held.
  Result<> acquire(LockKind kind, std::chrono::milliseconds patience, std::string_view file_name);

  /// Does nothing where nothing is held.
  void release();

 private:
  Result<> wait_for_shared(std::chrono::milliseconds patience, std::string_view file_name);
  Result<> wait_in_line(std::chrono::milliseconds patience, std::string_view file_name);
  Error give_up(int error_number, std::string_view file_name);

  int descriptor_;
  bool held_ = false;
};

}  // namespace logwood::io
