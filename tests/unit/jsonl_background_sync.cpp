// Who syncs what was buffered when nobody appends again.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "storage/jsonl/background_sync.hpp"

namespace logwood::storage::jsonl {
namespace {

using namespace std::chrono_literals;

TEST(BackgroundSync, IsSwitchedOffByAnIntervalOfZero) {
  std::atomic<int> synced = 0;
  BackgroundSync syncer(0ms, [&](const SessionId&) { return ++synced > 0; });
  syncer.expect({"s"});
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(synced, 0);
}

TEST(BackgroundSync, TriesAgainUntilTheSessionIsDone) {
  std::atomic<int> attempts = 0;
  BackgroundSync syncer(1ms, [&](const SessionId&) { return ++attempts == 3; });
  syncer.expect({"s"});
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  while (attempts < 3 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(1ms);
  }
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(attempts, 3);
}

}  // namespace
}  // namespace logwood::storage::jsonl
