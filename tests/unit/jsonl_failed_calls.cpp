// Calls of the system that fail at a bad moment: what the caller is told, and that the
// session is usable afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using io::Operation;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

Draft message(const std::string& id) { return Draft::of({.type = "message", .id = EntryId{id}}); }

Result<AppendResult> append(storage::StorageBackend& store, const std::string& session,
                            const std::string& id, Durability durability = Durability::synced) {
  const Draft draft = message(id);
  return store.append({session}, {&draft, 1}, {.durability = durability});
}

TEST(FailedCalls, OnClosingAreToldForTheFirstSessionThatLostSomething) {
  StoredDisk stored;
  auto store = *stored.open();
  for (const char* id : {"one", "two"}) {
    ASSERT_TRUE(store->create({.id = SessionId{id}}));
    ASSERT_TRUE(append(*store, id, "a", Durability::buffered));
  }
  stored.disk().faults().plan({.operation = Operation::sync, .sticky = true});

  const auto closed = store->close();

  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().code, ErrorCode::durability_unknown);
  EXPECT_THAT(closed.error().message, HasSubstr("session one"));
}

TEST(FailedCalls, ThatLeaveAnAppendHalfUndoneAreToldUntilTheSessionIsClosed) {
  StoredDisk stored;
  auto store = *stored.open();
  ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
  ASSERT_TRUE(append(*store, "s", "a"));
  stored.disk().faults().plan({.operation = Operation::append, .short_bytes = 10});
  stored.disk().faults().plan_also({.operation = Operation::truncate});

  EXPECT_EQ(append(*store, "s", "b").error().code, ErrorCode::durability_unknown);
  EXPECT_EQ(store->flush({"s"}).error().code, ErrorCode::unavailable) << "nothing was buffered";
  EXPECT_EQ(append(*store, "s", "b").error().code, ErrorCode::unavailable);

  EXPECT_TRUE(store->close({"s"}));
  ASSERT_TRUE(append(*store, "s", "b"));
  EXPECT_TRUE(store->verify({"s"})->is_sound());
}

TEST(FailedCalls, ThatSyncAreNotRepeatedInTheBackground) {
  StoredDisk stored;
  storage::jsonl::Options options = StoredDisk::options();
  options.writer.sync_interval = 20ms;
  auto store = *stored.open(options);
  ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
  ASSERT_TRUE(append(*store, "s", "a"));
  stored.disk().faults().plan({.operation = Operation::sync, .sticky = true});

  ASSERT_TRUE(append(*store, "s", "b", Durability::buffered));
  EXPECT_FALSE(store->flush({"s"}));
  std::this_thread::sleep_for(100ms);

  EXPECT_EQ(stored.disk().faults().faults(Operation::sync), 1U);
  EXPECT_EQ(append(*store, "s", "c").error().code, ErrorCode::unavailable);
}

// The writer looks at what lies between the last batch and its own only after the write.
TEST(FailedCalls, ThatReadWhatWasWrittenDoNotUndoIt) {
  for (std::uint64_t call = 1; call <= 20; ++call) {
    StoredDisk stored;
    auto store = *stored.open();
    ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
    ASSERT_TRUE(append(*store, "s", "a"));
    stored.disk().put("sessions/s.jsonl",
                      *stored.disk().content("sessions/s.jsonl") + "{\"note\":1}\n");
    stored.disk().faults().plan({.operation = Operation::read_at, .at_call = call});

    const bool appended = append(*store, "s", "b").has_value();

    stored.disk().faults().clear();
    const auto again = append(*store, "s", "b");
    ASSERT_TRUE(again) << "call " << call << ": " << again.error().message;
    EXPECT_EQ(again->replayed, appended) << "call " << call;
  }
}

// A reader that could not read may not say that an entry is not there.
TEST(FailedCalls, ThatReadNeverLookLikeAMissingEntry) {
  StoredDisk stored;
  auto writer = *stored.open();
  auto reader = *stored.open();
  ASSERT_TRUE(writer->create({.id = SessionId{"s"}}));
  ASSERT_TRUE(append(*writer, "s", "a0"));
  ASSERT_TRUE(reader->find({"s"}, {"a0"}));
  std::uint64_t failed = 0;
  for (std::uint64_t call = 1; call <= 20; ++call) {
    const std::string id = "a" + std::to_string(call);
    ASSERT_TRUE(append(*writer, "s", id));
    stored.disk().faults().plan({.operation = Operation::read_at, .at_call = call});

    const auto found = reader->find({"s"}, {id});

    stored.disk().faults().clear();
    if (!found) {
      ++failed;
      EXPECT_EQ(found.error().code, ErrorCode::unavailable) << "call " << call;
    }
    EXPECT_TRUE(reader->find({"s"}, {id})) << "call " << call;
  }
  EXPECT_GT(failed, 2U);
  EXPECT_LT(failed, 20U);
}

}  // namespace
}  // namespace logwood
