#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/simulated_disk.hpp"

namespace logwood::io {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string contents(const SimulatedDisk& disk, std::string_view name) {
  return disk.content(name).value_or("(missing)");
}

TEST(SimulatedDisk, ForgetsUnsyncedBytesAtAPowerCut) {
  SimulatedDisk disk;
  disk.put("a", "synced ");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);
  ASSERT_TRUE(file->append("unsynced"));

  EXPECT_EQ(contents(disk, "a"), "synced unsynced");
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "synced ");
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "synced unsynced");
}

TEST(SimulatedDisk, ForgetsAnUnsyncedTruncate) {
  SimulatedDisk disk;
  disk.put("a", "0123456789");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);
  ASSERT_TRUE(file->truncate(4));

  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "0123456789");
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "0123");
}

TEST(SimulatedDisk, ForgetsANameWhoseFolderWasNotSynced) {
  SimulatedDisk disk;
  auto process = disk.start_process();
  auto file = *process->create("a");
  ASSERT_TRUE(file->append("x"));
  ASSERT_TRUE(file->sync());

  EXPECT_EQ(disk.without_unsynced().content("a"), std::nullopt);
  ASSERT_TRUE(process->sync_folder(""));
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "x");
}

TEST(SimulatedDisk, ForgetsAFolderAndWhatIsInItUntilTheOuterFolderIsSynced) {
  SimulatedDisk disk;
  auto process = disk.start_process();
  ASSERT_TRUE(process->make_folder("sessions"));
  ASSERT_TRUE((*process->create("sessions/a"))->sync());
  ASSERT_TRUE(process->sync_folder("sessions"));

  EXPECT_THAT(disk.without_unsynced().file_names(), IsEmpty());
  ASSERT_TRUE(process->sync_folder(""));
  EXPECT_THAT(disk.without_unsynced().file_names(), ElementsAre("sessions/a"));
}

TEST(SimulatedDisk, BringsBackTheOldFileWhenARenameWasNotSynced) {
  SimulatedDisk disk;
  disk.put("a", "old");
  disk.put("a.new", "new");
  auto process = disk.start_process();
  ASSERT_TRUE(process->rename("a.new", "a", Replace::existing));

  EXPECT_EQ(contents(disk, "a"), "new");
  const SimulatedDisk after = disk.without_unsynced();
  EXPECT_EQ(contents(after, "a"), "old");
  EXPECT_EQ(contents(after, "a.new"), "new");
  ASSERT_TRUE(process->sync_folder(""));
  EXPECT_THAT(disk.without_unsynced().file_names(), ElementsAre("a"));
}

TEST(SimulatedDisk, BringsBackARemovedFileUntilItsFolderIsSynced) {
  SimulatedDisk disk;
  disk.put("a", "x");
  auto process = disk.start_process();
  ASSERT_TRUE(process->remove("a"));

  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "x");
  ASSERT_TRUE(process->sync_folder(""));
  EXPECT_THAT(disk.without_unsynced().file_names(), IsEmpty());
}

TEST(SimulatedDisk, MovesAFileBetweenFoldersAsAWholeWithWhatThatRestsOn) {
  SimulatedDisk disk;
  disk.put("sessions/other", "");
  disk.put("trash/other", "");
  auto process = disk.start_process();
  ASSERT_TRUE((*process->create("sessions/a"))->sync());
  ASSERT_TRUE(process->create("sessions/b"));
  ASSERT_TRUE(process->rename("sessions/a", "trash/a", Replace::never));
  ASSERT_TRUE(process->sync_folder("trash"));

  EXPECT_THAT(disk.without_unsynced().file_names(),
              ElementsAre("sessions/other", "trash/a", "trash/other"));
}

TEST(SimulatedDisk, LosesForGoodWhatAFailedSyncDidNotWrite) {
  SimulatedDisk disk;
  disk.put("a", "1");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);
  ASSERT_TRUE(file->append("2"));
  disk.faults().plan({.operation = Operation::sync});

  EXPECT_EQ(file->sync().error().code, ErrorCode::unavailable);
  ASSERT_TRUE(file->append("3"));
  EXPECT_TRUE(file->sync());

  EXPECT_EQ(contents(disk, "a"), "123");
  using std::string_literals::operator""s;
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "1\0003"s);
}

TEST(SimulatedDisk, MayHaveWrittenAllBeforeASyncFailed) {
  SimulatedDisk disk;
  disk.put("a", "1");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);
  ASSERT_TRUE(file->append("2"));
  disk.faults().plan({.operation = Operation::sync, .takes_effect = true});

  EXPECT_FALSE(file->sync());
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "12");
}

TEST(SimulatedDisk, FailsTheCallThatWasPlannedOnceOrFromThenOn) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);

  disk.faults().plan({.operation = Operation::append, .at_call = 2, .error_number = ENOSPC});
  EXPECT_TRUE(file->append("1"));
  EXPECT_EQ(file->append("2").error().code, ErrorCode::no_space);
  EXPECT_TRUE(file->append("3"));

  disk.faults().plan({.at_call = 2, .sticky = true});
  EXPECT_TRUE(file->append("4"));
  EXPECT_FALSE(file->append("5"));
  EXPECT_FALSE(file->status());
  EXPECT_FALSE(process->list(""));
  EXPECT_EQ(disk.faults().faults(), 4U);
  disk.faults().clear();
  EXPECT_TRUE(file->append("6"));

  EXPECT_EQ(contents(disk, "a"), "1346");
  EXPECT_EQ(disk.faults().calls(Operation::append), 6U);
  EXPECT_EQ(disk.faults().calls(), 9U);
}

TEST(SimulatedDisk, WritesAndReadsShortWherePlanned) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto process = disk.start_process();
  auto file = *process->open("a", Access::write);
  auto derived = *process->open("a", Access::rewrite);
  std::string text(4, '?');

  disk.faults().plan({.short_bytes = 3});
  EXPECT_EQ(*file->append("0123456789"), 3U);
  disk.faults().plan({.error_number = ENOSPC, .short_bytes = 1});
  EXPECT_EQ(derived->write_at(0, "ab").error().code, ErrorCode::no_space);
  disk.faults().plan({.short_bytes = 2});
  EXPECT_EQ(*file->read_at(0, text), 2U);
  disk.faults().plan({.short_bytes = 2});
  EXPECT_FALSE(file->truncate(0));

  EXPECT_EQ(contents(disk, "a"), "a12");
  EXPECT_EQ(text, "a1??");
}

TEST(SimulatedDisk, DoesTheWorkOfACallThatIsPlannedToFailAfterIt) {
  SimulatedDisk disk;
  auto process = disk.start_process();
  disk.faults().plan({.error_number = EIO, .takes_effect = true});

  EXPECT_EQ(process->create("a").error().code, ErrorCode::unavailable);
  EXPECT_THAT(disk.file_names(), ElementsAre("a"));
}

TEST(SimulatedDisk, TellsTheHookEveryChange) {
  SimulatedDisk disk;
  std::vector<std::string> told;
  disk.on_change([&](std::string_view operation, std::string_view name) {
    told.push_back(std::string(operation) + " " + std::string(name));
  });
  auto process = disk.start_process();
  ASSERT_TRUE(process->make_folder("s"));
  auto file = *process->create("s/a");
  ASSERT_TRUE(file->append("x"));
  ASSERT_TRUE(file->truncate(0));
  ASSERT_TRUE(file->sync());
  ASSERT_TRUE(file->status());
  ASSERT_TRUE(file->lock(LockKind::exclusive, 0ms));
  ASSERT_TRUE(process->rename("s/a", "s/b", Replace::never));
  ASSERT_TRUE(process->sync_folder("s"));
  ASSERT_TRUE((*process->open("s/b", Access::rewrite))->write_at(0, "y"));
  ASSERT_TRUE(process->remove("s/b"));

  EXPECT_THAT(told,
              ElementsAre("make_folder s", "create s/a", "append s/a", "truncate s/a", "sync s/a",
                          "rename s/a", "sync_folder s", "write_at s/b", "remove s/b"));
}

TEST(SimulatedDisk, CanBeCopiedInsideTheHook) {
  SimulatedDisk disk;
  std::vector<std::string> seen;
  disk.on_change([&](std::string_view, std::string_view) {
    SimulatedDisk copy = disk;
    auto process = copy.start_process();
    auto file = process->open("a", Access::write);
    EXPECT_TRUE((*file)->lock(LockKind::exclusive, 0ms));  // its holder is dead on the copy
    EXPECT_TRUE((*file)->append("!"));
    seen.push_back(contents(copy, "a"));
  });
  auto process = disk.start_process();
  auto file = *process->create("a");
  ASSERT_TRUE(file->lock(LockKind::exclusive, 0ms));
  ASSERT_TRUE(file->append("1"));
  ASSERT_TRUE(file->append("2"));

  EXPECT_THAT(seen, ElementsAre("!", "1!", "12!"));
  EXPECT_EQ(contents(disk, "a"), "12");
}

TEST(SimulatedDisk, KeepsThePageCacheOfAKilledProcessAndReleasesItsLocks) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto victim = disk.start_process();
  auto other = disk.start_process();
  auto file = *victim->open("a", Access::write);
  ASSERT_TRUE(file->lock(LockKind::exclusive, 0ms));
  ASSERT_TRUE(file->append("x"));

  disk.kill_process(victim->id());

  EXPECT_EQ(file->append("y").error().code, ErrorCode::unavailable);
  EXPECT_EQ(victim->create("b").error().code, ErrorCode::unavailable);
  auto others_file = *other->open("a", Access::write);
  EXPECT_TRUE(others_file->lock(LockKind::exclusive, 0ms));
  file->unlock();
  file.reset();
  EXPECT_EQ(contents(disk, "a"), "x");
  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "");
}

TEST(SimulatedDisk, KillsAProcessInsideItsWrite) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto victim = disk.start_process();
  auto file = *victim->open("a", Access::write);
  disk.faults().plan({.operation = Operation::append, .short_bytes = 2, .kills = true});

  EXPECT_EQ(file->append("12345").error().code, ErrorCode::unavailable);
  EXPECT_EQ(file->sync().error().code, ErrorCode::unavailable);

  EXPECT_EQ(contents(disk, "a"), "12");
}

TEST(SimulatedDisk, KillsAProcessInsideASyncWithoutForgettingWhatWasWritten) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto victim = disk.start_process();
  auto file = *victim->open("a", Access::write);
  ASSERT_TRUE(file->append("1"));
  disk.faults().plan({.operation = Operation::sync, .kills = true});
  EXPECT_FALSE(file->sync());

  auto other = disk.start_process();
  ASSERT_TRUE((*other->open("a", Access::read))->sync());

  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "1");
}

TEST(SimulatedDisk, NamesTheHolderOfALock) {
  SimulatedDisk disk;
  disk.put("a", "");
  auto holder = disk.start_process();
  auto other = disk.start_process();
  auto file = *holder->open("a", Access::write);
  ASSERT_TRUE(file->lock(LockKind::exclusive, 0ms));

  const Result<> answer = (*other->open("a", Access::write))->lock(LockKind::exclusive, 1h);

  EXPECT_EQ(answer.error().code, ErrorCode::busy);
  EXPECT_EQ(answer.error().message, "a is in use by process 1; try again");
}

TEST(SimulatedDisk, UsesInodeNumbersAgainOnceNobodyHasTheFile) {
  SimulatedDisk disk;
  auto process = disk.start_process();
  auto open_file = *process->create("a");
  const FileIdentity first = open_file->status()->identity;
  ASSERT_TRUE(process->remove("a"));

  EXPECT_NE((*process->create("b"))->status()->identity, first);
  open_file.reset();
  EXPECT_NE((*process->create("c"))->status()->identity, first) << "on the disk it is still there";
  ASSERT_TRUE(process->sync_folder(""));
  EXPECT_EQ((*process->create("d"))->status()->identity, first);
}

TEST(SimulatedDisk, CopiesShareNothingThatChanges) {
  SimulatedDisk disk;
  disk.put("a", "1");
  SimulatedDisk copy = disk;
  SimulatedDisk assigned;
  assigned = copy;
  ASSERT_TRUE((*disk.start_process()->open("a", Access::write))->append("2"));
  ASSERT_TRUE((*copy.start_process()->open("a", Access::write))->append("3"));
  ASSERT_TRUE(assigned.start_process()->remove("a"));

  EXPECT_EQ(contents(disk, "a"), "12");
  EXPECT_EQ(contents(copy, "a"), "13");
  EXPECT_EQ(assigned.content("a"), std::nullopt);
}

TEST(SimulatedDisk, HasTheSameFingerprintExactlyForTheSameFiles) {
  SimulatedDisk one;
  SimulatedDisk other;
  one.put("a", "1");
  one.put("b", "2");
  other.put("b", "2");
  EXPECT_NE(one.fingerprint(), other.fingerprint());
  other.put("a", "1");
  EXPECT_EQ(one.fingerprint(), other.fingerprint());
  other.put("a", "2");
  other.put("b", "1");
  EXPECT_NE(one.fingerprint(), other.fingerprint());
}

TEST(SimulatedDisk, IsDurableAfterAQuietMinute) {
  SimulatedDisk disk;
  auto process = disk.start_process();
  ASSERT_TRUE((*process->create("a"))->append("x"));

  disk.sync_everything();

  EXPECT_EQ(contents(disk.without_unsynced(), "a"), "x");
}

}  // namespace
}  // namespace logwood::io
