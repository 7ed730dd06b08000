// Scenarios that once lost something, in the store or in designs before it. After each
// change that the steps behind the bar make to the disk, crashes of every kind are
// tried (tests/support/crash_search), here a few of each: tests/programs/power_loss
// tries them all.
#include <gtest/gtest.h>

#include <string>

#include "support/crash_search.hpp"
#include "support/repeatable_random.hpp"

LOGWOOD_REPEATABLE_RANDOM

namespace logwood {
namespace {

// The first promise that is broken by some crash, or nothing.
std::string harm(const std::string& script, Beginning beginning = Beginning::session) {
  const std::size_t bar = script.find(" | ");
  CrashScenario scenario;
  scenario.beginning = beginning;
  scenario.most_mixtures = 20;
  scenario.most_cuts = 12;
  scenario.before = script.substr(0, bar);
  scenario.crashed = script.substr(bar + 3);
  CrashSearch search({.crash_in_recovery = 200, .recover_twice = 8, .index_spoiled = 8});
  search.run(scenario);
  EXPECT_GT(search.states(), 4U);
  if (search.violations().empty()) return "";
  const Violation first = search.violations().front();
  return first.what + "; replay: power_loss --replay '" + first.scenario + "' " +
         std::to_string(first.state.change) + " " + first.state.kind + " " +
         std::to_string(first.state.number);
}

// --- appending --------------------------------------------------------------------------

TEST(EveryCrash, LeavesWhatWasAcknowledged) {
  EXPECT_EQ(harm("A.append1 | A.append3 A.append2"), "");
}

// The caller never heard of the first append and repeats it; the bytes it finds there
// may still be lost, so it is acknowledged only after a sync of its own.
TEST(EveryCrash, LeavesABatchThatWasAcknowledgedWhenItWasAppendedAgain) {
  EXPECT_EQ(harm("A.append2 | A.buffer2 A.kill B.again"), "");
}

// What B acknowledges lies behind bytes of A that nobody has synced yet.
TEST(EveryCrash, LeavesAnAcknowledgedBatchBehindTheBufferedOnesOfOthers) {
  EXPECT_EQ(harm("A.append2 | A.buffer1 B.append1"), "");
  EXPECT_EQ(harm("A.append2 | A.buffer1 B.buffer2 A.append1"), "");
}

// Any of the three may survive without the others.
TEST(EveryCrash, OfSeveralBufferedBatchesLeavesEachWholeOrNot) {
  EXPECT_EQ(harm("A.append2 | A.buffer1 A.buffer3 A.buffer1"), "");
}

TEST(EveryCrash, InsideAWriteIsRepairedByTheNextProcess) {
  EXPECT_EQ(harm("A.append2 | A.buffer3"), "");
}

// B was there before and thinks that it knows the end of the file.
TEST(EveryCrash, InsideAWriteIsRepairedByAProcessThatWasThereBefore) {
  EXPECT_EQ(harm("A.append2 B.append1 | A.dies100 A.append2 B.append1 B.again1"), "");
  EXPECT_EQ(harm("A.append2 B.append1 | A.dies0 A.append2 B.again"), "");
}

TEST(EveryCrash, InsideAWriteIsRepairedByAnAppendThatIsRefused) {
  EXPECT_EQ(harm("A.append2 A.buffer1 | A.dies150 A.buffer3 B.stale B.append1"), "");
}

TEST(EveryCrash, AfterARefusalLeavesNothingOfIt) {
  EXPECT_EQ(harm("A.append1 | B.again A.stale B.stale A.again"), "");
}

// --- erasing ------------------------------------------------------------------------------

TEST(EveryCrash, LeavesWhatWasErasedErasedAndTheRestAsItWas) {
  EXPECT_EQ(harm("A.append2 | A.erase A.append1"), "");
  EXPECT_EQ(harm("A.append2 B.append1 | A.buffer1 B.erase A.append1"), "");
}

TEST(EveryCrash, InsideAnErasureLeavesOneFileOrTheOther) {
  EXPECT_EQ(harm("A.append2 | A.dies200 A.erase B.append1 B.erase"), "");
  EXPECT_EQ(harm("A.append2 | A.syncfails A.erase A.append1 B.again"), "");
}

// --- faults on the way ---------------------------------------------------------------------

TEST(EveryCrash, AfterAShortWriteLeavesNothingBetweenTheBatches) {
  EXPECT_EQ(harm("A.append2 | A.short40 A.append2 B.append1 A.append1"), "");
  EXPECT_EQ(harm("A.append2 | A.buffer1 A.short150 A.buffer2 A.append1"), "");
}

// The pages of a sync that failed count as clean: a later sync says nothing about them.
TEST(EveryCrash, AfterAFailedSyncLeavesWhatAnotherProcessAppendedAgain) {
  EXPECT_EQ(harm("A.append2 | A.syncfails A.append2 B.again C.append1"), "");
}

TEST(EveryCrash, AfterAFailedFlushLeavesTheBatchesOfOthers) {
  EXPECT_EQ(harm("A.append2 | A.buffer1 B.append1 A.buffer1 A.syncfails2 A.flush C.append1"), "");
  EXPECT_EQ(harm("A.append2 | A.buffer1 A.buffer2 A.syncfails A.flush A.again B.append1"), "");
}

// B cannot sync what A wrote, and may not cut it: a copy takes the file's place. If B
// dies on the way, the copy tells C not to believe in a sync either.
TEST(EveryCrash, WhileAFileIsReplacedByACopyLeavesOneOfTheTwo) {
  EXPECT_EQ(harm("A.append2 | A.buffer1 B.syncfails B.append1 C.again1"), "");
}

// A has the old file open and buffered into it.
TEST(EveryCrash, AfterAFileWasReplacedLeavesWhatItsOldWriterAppends) {
  EXPECT_EQ(harm("A.append2 | A.buffer1 B.syncfails B.append1 A.buffer1 A.flush"), "");
}

// --- beginning and end -------------------------------------------------------------------

TEST(EveryCrash, WhileAStoreIsMadeLeavesAStoreOrNone) {
  EXPECT_EQ(harm(" | A.open A.create A.append1", Beginning::nothing), "");
}

TEST(EveryCrash, WhileASessionIsCreatedLeavesOneWithAHeaderOrNone) {
  EXPECT_EQ(harm(" | A.create A.append2", Beginning::store), "");
  EXPECT_EQ(harm("A.dies60 A.create | B.create B.append1", Beginning::store), "");
}

TEST(EveryCrash, WhileAKeyIsOpenedLeavesOneSessionOfIt) {
  EXPECT_EQ(harm(" | A.key A.append1 B.key B.append1", Beginning::store), "");
}

// Closing leaves an index behind, which is never synced and may survive in any state.
TEST(EveryCrash, LeavesAnIndexThatChangesNothing) {
  EXPECT_EQ(harm("A.append3 | A.reopen A.append1 A.reopen B.append1"), "");
  EXPECT_EQ(harm("A.append3 A.reopen | A.buffer2 A.reopen A.again A.expect1"), "");
}

TEST(EveryCrash, WhileASessionIsRemovedLeavesItInOnePlace) {
  EXPECT_EQ(harm("A.append2 A.buffer1 | B.remove"), "");
}

TEST(EveryCrash, WhileASessionIsMigratedLeavesTheOldOneOrTheNewOne) {
  EXPECT_EQ(harm(" | A.migrate A.append2", Beginning::unsealed), "");
  EXPECT_EQ(harm("A.dies200 A.migrate | B.migrate B.append1", Beginning::unsealed), "");
  EXPECT_EQ(harm("A.syncfails A.migrate | A.migrate A.buffer1 A.flush", Beginning::unsealed), "");
}

TEST(EveryCrash, LeavesASessionThatWasDamagedBeforeAsItWas) {
  EXPECT_EQ(harm(" | A.append1 A.buffer2 B.append1", Beginning::damaged), "");
}

}  // namespace
}  // namespace logwood
