#include "support/process_lock_times.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace logwood {
namespace {

using std::chrono::milliseconds;

// Process numbers are names here: all of it happens in this one, whose sleep is theirs.
class LockTimesOfProcesses : public ::testing::Test {
 protected:
  void sleep(int time_ms) { std::this_thread::sleep_for(milliseconds(time_ms)); }
  void kill(std::uint32_t process) { times_.add_kill(process, ::getpid()); }

  LockTimes times_;
};

TEST_F(LockTimesOfProcesses, CountsNoWaitWhileSomebodyAliveHoldsTheLock) {
  times_.add(LockEvent::asked, 1, 0);
  times_.add(LockEvent::got, 1, 0);
  times_.add(LockEvent::asked, 2, 0);
  sleep(50);
  times_.add(LockEvent::let_go, 1, 0);
  times_.add(LockEvent::got, 2, 0);

  EXPECT_LT(times_.summary().longest_wait, milliseconds(20));
  EXPECT_EQ(times_.summary().killed_holders, 0U);
}

TEST_F(LockTimesOfProcesses, CountsTheWaitAfterTheHolderWasKilled) {
  times_.add(LockEvent::asked, 1, 0);
  times_.add(LockEvent::got, 1, 0);
  times_.add(LockEvent::asked, 2, 0);
  sleep(200);
  kill(1);
  sleep(50);
  times_.add(LockEvent::got, 2, 0);

  EXPECT_GE(times_.summary().longest_wait, milliseconds(45));
  EXPECT_LT(times_.summary().longest_wait, milliseconds(200));
  EXPECT_EQ(times_.summary().killed_holders, 1U);
}

TEST_F(LockTimesOfProcesses, AddsUpTheWaitsOfThoseWhoAreKilledWaiting) {
  times_.add(LockEvent::asked, 1, 0);
  times_.add(LockEvent::got, 1, 0);
  kill(1);
  for (std::uint32_t process = 2; process < 5; ++process) {
    times_.add(LockEvent::asked, process, 0);
    sleep(30);
    kill(process);
  }

  EXPECT_GE(times_.summary().longest_wait, milliseconds(80));
}

TEST_F(LockTimesOfProcesses, DoesNotCountWorkAsWaiting) {
  times_.add(LockEvent::asked, 1, 0);
  const auto end = std::chrono::steady_clock::now() + milliseconds(60);
  while (std::chrono::steady_clock::now() < end) {
  }
  times_.add(LockEvent::got, 1, 0);

  EXPECT_LT(times_.summary().longest_wait, milliseconds(30));
}

TEST_F(LockTimesOfProcesses, ForgetsEverything) {
  times_.add(LockEvent::asked, 1, 0);
  sleep(10);
  times_.add(LockEvent::got, 1, 0);
  times_.clear();

  EXPECT_EQ(times_.summary().longest_wait, milliseconds(0));
}

}  // namespace
}  // namespace logwood
