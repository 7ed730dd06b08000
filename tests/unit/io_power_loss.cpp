// The enumeration is the judge of every crash test, so it is judged here: that it
// finds each kind of disk a power cut can leave, and never one that it cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>

#include "support/power_loss.hpp"

namespace logwood::io {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
using std::string_literals::operator""s;

// What survives of one file; "(missing)" where its name does not.
std::set<std::string> survivors_of(const SimulatedDisk& disk, std::string_view name,
                                   const EnumerationOptions& options = {}) {
  std::set<std::string> contents;
  for_each_power_loss(disk, options, [&](SimulatedDisk& survivor) {
    contents.insert(survivor.content(name).value_or("(missing)"));
  });
  return contents;
}

std::set<std::vector<std::string>> surviving_names(const SimulatedDisk& disk) {
  std::set<std::vector<std::string>> names;
  for_each_power_loss(disk, {},
                      [&](SimulatedDisk& survivor) { names.insert(survivor.file_names()); });
  return names;
}

class PowerLoss : public ::testing::Test {
 protected:
  SimulatedDisk disk_;
  std::unique_ptr<SimulatedProcess> process_ = disk_.start_process();

  std::unique_ptr<File> open(const std::string& name, std::string_view synced,
                             Access access = Access::write) {
    disk_.put(name, synced);
    return *process_->open(name, access);
  }
};

TEST_F(PowerLoss, LeavesOneDiskWhenEverythingIsSynced) {
  auto file = open("a", "x");
  ASSERT_TRUE(file->append("y"));
  ASSERT_TRUE(file->sync());

  EXPECT_EQ(for_each_power_loss(disk_, {}, [](SimulatedDisk&) {}), 1U);
  EXPECT_THAT(survivors_of(disk_, "a"), ElementsAre("xy"));
}

TEST_F(PowerLoss, NeverTouchesWhatWasSynced) {
  auto file = open("a", "synced and only part of a sector,");
  open("b", "other");
  ASSERT_TRUE(file->append(std::string(100, 'n')));
  ASSERT_TRUE(file->append(std::string(100, 'm')));

  EXPECT_THAT(survivors_of(disk_, "a"), Each(StartsWith("synced and only part of a sector,")));
  EXPECT_THAT(survivors_of(disk_, "b"), ElementsAre("other"));
}

TEST_F(PowerLoss, CutsAWriteAtEveryByte) {
  auto file = open("a", "old ");
  ASSERT_TRUE(file->append("new"));

  EXPECT_THAT(survivors_of(disk_, "a"), IsSupersetOf({"old ", "old n", "old ne", "old new"}));
}

TEST_F(PowerLoss, LeavesZerosWhereTheSizeCameBeforeTheBytes) {
  auto file = open("a", "old ");
  ASSERT_TRUE(file->append("new"));

  EXPECT_THAT(survivors_of(disk_, "a"), Contains("old \0\0\0"s));
}

TEST_F(PowerLoss, TearsAtSectorsInAnyCombination) {
  auto file = open("a", "");
  ASSERT_TRUE(file->append("aaaabbbbcccc"));
  const auto survivors = survivors_of(disk_, "a", {.sector_bytes = 4});

  EXPECT_THAT(survivors,
              IsSupersetOf({"aaaabbbbcccc"s, "\0\0\0\0bbbbcccc"s, "aaaa\0\0\0\0cccc"s,
                            "aaaabbbb\0\0\0\0"s, "\0\0\0\0\0\0\0\0cccc"s, "\0\0\0\0bbbb\0\0\0\0"s,
                            "aaaa\0\0\0\0\0\0\0\0"s, "aaaabbbb"s, "aaaa"s, "\0\0\0\0bbbb"s, ""s}));
  EXPECT_THAT(survivors, Each(SizeIs(::testing::Le(12U))));
  // Garbage in one sector while the others are new.
  EXPECT_TRUE(std::ranges::any_of(survivors, [](const std::string& bytes) {
    return bytes.size() == 12 && bytes.starts_with("aaaa") && bytes.ends_with("cccc") &&
           bytes.substr(4, 4) != "bbbb" && bytes.substr(4, 4) != "\0\0\0\0"s;
  }));
}

TEST_F(PowerLoss, LosesAnEarlierWriteWhileALaterOneSurvives) {
  auto file = open("a", "0");
  ASSERT_TRUE(file->append("11"));
  ASSERT_TRUE(file->append("22"));
  ASSERT_TRUE(file->append("33"));

  EXPECT_THAT(survivors_of(disk_, "a"), IsSupersetOf({"0\0\0002233"s, "011\0\00033"s,
                                                      "0\0\0\0\00033"s, "01122"s, "0\0\00022"s}));
}

TEST_F(PowerLoss, LosesATruncateOrTheBytesWrittenAfterIt) {
  auto file = open("a", "0123456789");
  ASSERT_TRUE(file->truncate(4));
  ASSERT_TRUE(file->append("ab"));

  EXPECT_THAT(survivors_of(disk_, "a"), IsSupersetOf({"0123456789"s, "0123"s, "0123ab"s, "0123a"s,
                                                      "0123ab6789"s, "0123\0\0"s, "012345"s}));
  EXPECT_THAT(survivors_of(disk_, "a"), Each(StartsWith("0123")));
}

TEST_F(PowerLoss, MixesOldAndNewWhereBytesAreWrittenOver) {
  auto file = open("a", "aaaabbbbcccc", Access::rewrite);
  ASSERT_TRUE(file->write_at(4, "BBBBCC"));
  const auto survivors = survivors_of(disk_, "a", {.sector_bytes = 4});

  EXPECT_THAT(survivors, IsSupersetOf({"aaaabbbbcccc"s, "aaaaBBBBCCcc"s, "aaaabbbbCCcc"s,
                                       "aaaaBBBBcccc"s, "aaaaBBbbcccc"s}));
  EXPECT_THAT(survivors, Each(StartsWith("aaaa")));
}

TEST_F(PowerLoss, TriesASampleWhereThereAreTooManySectors) {
  auto file = open("a", "");
  ASSERT_TRUE(file->append(std::string(64 * 30, 'x')));
  const EnumerationOptions options{.most_mixtures = 500, .most_cuts = 100};

  const auto survivors = survivors_of(disk_, "a", options);

  EXPECT_GT(survivors.size(), 400U);
  EXPECT_LT(survivors.size(), 700U);
  EXPECT_EQ(survivors_of(disk_, "a", options), survivors) << "the same seed";
  EXPECT_NE(survivors_of(disk_, "a", {.seed = 2, .most_mixtures = 500, .most_cuts = 100}),
            survivors);
}

TEST_F(PowerLoss, TriesASampleOfLostWritesWhereThereAreMany) {
  auto file = open("a", "");
  for (int count = 0; count < 12; ++count) ASSERT_TRUE(file->append("1"));

  EXPECT_THAT(survivors_of(disk_, "a"), Contains("111111111111"));
  EXPECT_GT(survivors_of(disk_, "a").size(), 100U);
}

TEST_F(PowerLoss, GivesEveryDiskOnce) {
  auto file = open("a", "old");
  ASSERT_TRUE(file->append("aaaaaaaaaaaaaaaaa"));
  ASSERT_TRUE(process_->create("b"));
  ASSERT_TRUE((*process_->open("b", Access::write))->append("bbbbbb"));
  std::set<std::uint64_t> fingerprints;

  const std::uint64_t count = for_each_power_loss(disk_, {.sector_bytes = 4}, [&](auto& survivor) {
    fingerprints.insert(survivor.fingerprint());
  });

  EXPECT_EQ(fingerprints.size(), count);
}

TEST_F(PowerLoss, LosesAnyNumberOfTheLatestNames) {
  ASSERT_TRUE(process_->create("a"));
  ASSERT_TRUE(process_->create("b"));
  ASSERT_TRUE(process_->create("c"));
  using V = std::vector<std::string>;

  EXPECT_THAT(
      surviving_names(disk_),
      UnorderedElementsAre(V{}, V{"a"}, V{"a", "b"}, V{"a", "b", "c"}, V{"b", "c"}, V{"a", "c"}));
}

TEST_F(PowerLoss, LosesWithANameWhatRestsOnIt) {
  disk_.put("a", "old");
  auto file = *process_->create("a.new");
  ASSERT_TRUE(file->append("new"));
  ASSERT_TRUE(file->sync());
  ASSERT_TRUE(process_->rename("a.new", "a", Replace::existing));

  EXPECT_THAT(survivors_of(disk_, "a"), UnorderedElementsAre("old", "new"));
  EXPECT_THAT(survivors_of(disk_, "a.new"), UnorderedElementsAre("(missing)", "new"));
}

TEST_F(PowerLoss, LeavesARenamedFileWithoutItsBytesWhenThoseWereNotSynced) {
  disk_.put("a", "old");
  ASSERT_TRUE((*process_->create("a.new"))->append("new"));
  ASSERT_TRUE(process_->rename("a.new", "a", Replace::existing));
  ASSERT_TRUE(process_->sync_folder(""));

  EXPECT_THAT(survivors_of(disk_, "a"), IsSupersetOf({""s, "n"s, "new"s, "\0\0\0"s}));
  EXPECT_THAT(survivors_of(disk_, "a"), Not(Contains("old")));
}

TEST_F(PowerLoss, LosesAFolderWithEverythingInIt) {
  ASSERT_TRUE(process_->make_folder("sessions"));
  ASSERT_TRUE((*process_->create("sessions/a"))->sync());
  ASSERT_TRUE(process_->sync_folder("sessions"));
  using V = std::vector<std::string>;

  EXPECT_THAT(surviving_names(disk_), UnorderedElementsAre(V{}, V{"sessions/a"}));
}

TEST_F(PowerLoss, VariesOneFileWhileOthersAreSyncedOrCurrent) {
  auto one = open("a", "");
  auto other = open("b", "");
  ASSERT_TRUE(one->append("12"));
  ASSERT_TRUE(other->append("34"));
  std::set<std::string> both;
  for_each_power_loss(disk_, {}, [&](SimulatedDisk& survivor) {
    both.insert(*survivor.content("a") + "|" + *survivor.content("b"));
  });

  EXPECT_THAT(both, IsSupersetOf({"|"s, "12|34"s, "1|"s, "1|34"s, "|3"s, "12|3"s, "12|"s, "|34"s}));
}

TEST_F(PowerLoss, TriesOnlyAFewImagesOfADerivedFile) {
  auto file = open("index/a", "");
  ASSERT_TRUE(file->append(std::string(1000, 'x')));
  const EnumerationOptions options{
      .is_derived = [](std::string_view name) { return name.starts_with("index/"); }};

  const auto survivors = survivors_of(disk_, "index/a", options);

  EXPECT_THAT(survivors, IsSupersetOf({""s, std::string(1000, 'x')}));
  EXPECT_LT(survivors.size(), 20U);
}

TEST_F(PowerLoss, LeavesADiskOnWhichWorkCanGoOn) {
  auto file = open("a", "1");
  ASSERT_TRUE(file->lock(LockKind::exclusive, std::chrono::milliseconds(0)));
  ASSERT_TRUE(file->append("2"));

  for_each_power_loss(disk_, {}, [](SimulatedDisk& survivor) {
    auto process = survivor.start_process();
    auto again = *process->open("a", Access::write);
    ASSERT_TRUE(again->lock(LockKind::exclusive, std::chrono::milliseconds(0)));
    ASSERT_TRUE(again->truncate(1));
    ASSERT_TRUE(again->sync());
    EXPECT_EQ(survivor.without_unsynced().content("a"), "1");
  });
  EXPECT_EQ(disk_.content("a"), "12");
}

TEST_F(PowerLoss, DoesNotBringBackWhatAFailedSyncLost) {
  auto file = open("a", "1");
  ASSERT_TRUE(file->append("2"));
  disk_.faults().plan({.operation = Operation::sync});
  ASSERT_FALSE(file->sync());

  EXPECT_THAT(survivors_of(disk_, "a"), ElementsAre("1"));
}

TEST_F(PowerLoss, IsEnumeratedQuickly) {
  auto file = open("sessions/a", std::string(500, 'x'));
  for (const char* other : {"logwood.json", "index/a", "quarantine/a", "trash/a"}) {
    disk_.put(other, "other");
  }
  ASSERT_TRUE(file->append(std::string(150, 'y')));
  ASSERT_TRUE(file->append(std::string(150, 'z')));

  const auto start = std::chrono::steady_clock::now();
  std::uint64_t count = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    count += for_each_power_loss(disk_, {.seed = seed}, [](SimulatedDisk&) {});
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  const double per_second = static_cast<double>(count) / taken.count();
  RecordProperty("states_per_second", static_cast<int>(per_second));
  std::printf("%.0f surviving disks a second\n", per_second);
  EXPECT_GT(count, 10'000U);
}

TEST_F(PowerLoss, AfterAKillLeavesAnyPartOfTheLastWriteInThePageCache) {
  auto file = open("a", "1");
  ASSERT_TRUE(file->append("2"));
  ASSERT_TRUE(file->append("345"));
  std::vector<std::string> contents;
  std::set<std::string> after_power_loss;

  const std::uint64_t count = for_each_kill(disk_, [&](SimulatedDisk& killed) {
    contents.push_back(*killed.content("a"));
    EXPECT_EQ(killed.without_unsynced().content("a"), "1");
    after_power_loss.merge(survivors_of(killed, "a"));
  });

  EXPECT_EQ(count, 4U);
  EXPECT_THAT(contents, ElementsAre("12", "123", "1234", "12345"));
  EXPECT_THAT(after_power_loss, IsSupersetOf({"1"s, "1\0003"s, "1\00034"s, "12345"s}));
  EXPECT_EQ(disk_.content("a"), "12345");
}

TEST_F(PowerLoss, AfterAKillLeavesTheOldBytesThatWereNotYetWrittenOver) {
  auto file = open("a", "abcd", Access::rewrite);
  ASSERT_TRUE(file->write_at(2, "XYZ"));
  std::vector<std::string> contents;

  for_each_kill(disk_, [&](SimulatedDisk& killed) { contents.push_back(*killed.content("a")); });

  EXPECT_THAT(contents, ElementsAre("abcd", "abXd", "abXY", "abXYZ"));
}

TEST_F(PowerLoss, AfterAKillOutsideAWriteLeavesNothingToChooseFrom) {
  auto file = open("a", "");
  ASSERT_TRUE(file->append("x"));
  ASSERT_TRUE(file->sync());

  EXPECT_EQ(for_each_kill(disk_, [](SimulatedDisk&) { FAIL(); }), 0U);
}

}  // namespace
}  // namespace logwood::io
