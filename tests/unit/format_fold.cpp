// What the lines of a file mean together, where they do not fit together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/fold.hpp"
#include "support/scanned.hpp"
#include "support/sealed_lines.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;

std::vector<ProblemKind> kinds(const Scanned& scanned) {
  std::vector<ProblemKind> found;
  for (const Problem& problem : scanned.problems) found.push_back(problem.kind);
  return found;
}

std::vector<std::string> ids(const Scanned& scanned) {
  std::vector<std::string> found;
  for (const ScannedEntry& entry : scanned.entries) {
    found.push_back(entry.id + (entry.flagged ? "!" : ""));
  }
  return found;
}

SealedLines session() {
  SealedLines lines("s");
  lines.batch({header_body("s")});
  return lines;
}

TEST(Fold, TakesTheLinesOfTwoBatchesThatBeginAlikeForTwoParts) {
  SealedLines lines = session();
  lines.line(2, 1, 3, message_body("a"));
  lines.line(3, 2, 2, message_body("b"));
  lines.batch({message_body("c")});

  const Scanned scanned = scan_bytes(lines.bytes(), "s");

  EXPECT_THAT(ids(scanned), ElementsAre("s", "a!", "b!", "c"));
  EXPECT_THAT(kinds(scanned), ElementsAre(ProblemKind::part, ProblemKind::part));
}

TEST(Fold, DoesNotTakeLinesOfTwoCopiesForOneBatch) {
  SealedLines one = session();
  SealedLines other = session();
  one.line(2, 1, 2, message_body("a"));
  other.line(2, 1, 2, message_body("another a"));
  const std::size_t second = other.bytes().size();
  other.line(3, 2, 2, message_body("b"));
  one.other(other.bytes().substr(second));

  const Scanned scanned = scan_bytes(one.bytes(), "s");

  EXPECT_THAT(ids(scanned), ElementsAre("s")) << "no batch after it settles what it was";
  EXPECT_THAT(kinds(scanned), ElementsAre(ProblemKind::out_of_chain, ProblemKind::part));
}

TEST(Fold, DoesNotTakeABatchWithoutItsMiddleForWholeEvenIfItsEndsAreLinked) {
  SealedLines lines = session();
  lines.line(2, 1, 3, message_body("a"));
  lines.line(4, 3, 3, message_body("c"));
  lines.batch({message_body("d")});

  const Scanned scanned = scan_bytes(lines.bytes(), "s");

  EXPECT_THAT(ids(scanned), ElementsAre("s", "a!", "c!", "d"));
  EXPECT_THAT(kinds(scanned), ElementsAre(ProblemKind::missing, ProblemKind::part));
}

// Before the foreign line may lie what somebody will want to see; behind it nothing does.
TEST(Fold, CutsARepeatedLineOfAnUnfinishedBatchButNotWhatLiesBeforeAForeignOne) {
  SealedLines lines = session();
  const std::size_t begin = lines.bytes().size();
  lines.line(2, 1, 3, message_body("a"));
  const std::string line = lines.bytes().substr(begin);
  lines.other("{\"note\":1}\n");
  const std::size_t repeated = lines.bytes().size();
  lines.other(line);

  const Scanned scanned = scan_bytes(lines.bytes(), "s");

  EXPECT_EQ(scanned.cut, repeated);
  EXPECT_THAT(kinds(scanned),
              ElementsAre(ProblemKind::foreign, ProblemKind::repeated, ProblemKind::part));
  EXPECT_EQ(scanned.next_seq, 5U) << "the numbers of the batch stay its own";
}

TEST(Fold, CutsNothingOnceThereAreLinesOfANewerVersion) {
  SealedLines lines = session();
  const std::string newer = with_crc("s", message_body("n") + R"(,"seal":"2+.9.)") + "\n";
  lines.other(newer + newer + "half a li");

  const Scanned scanned = scan_bytes(lines.bytes(), "s");

  EXPECT_TRUE(scanned.newer);
  EXPECT_EQ(scanned.cut, lines.bytes().size());
  EXPECT_THAT(kinds(scanned),
              ElementsAre(ProblemKind::newer, ProblemKind::newer, ProblemKind::torn));
}

TEST(KeptProblems, EndWithTheFirstLossThatFoundNoRoom) {
  std::vector<Problem> kept;
  const auto keep = [&](ProblemKind kind, std::uint64_t offset) {
    Problem problem;
    problem.kind = kind;
    problem.offset = offset;
    format::keep_problem(kept, problem);
  };
  for (std::uint64_t i = 0; i < format::problems_kept_max; ++i) keep(ProblemKind::blank, i);
  keep(ProblemKind::blank, 20'000);
  EXPECT_EQ(kept.back().offset, format::problems_kept_max - 1);

  keep(ProblemKind::damaged, 20'001);
  keep(ProblemKind::damaged, 20'002);

  EXPECT_EQ(kept.size(), format::problems_kept_max);
  EXPECT_EQ(kept.back().offset, 20'001U);
}

}  // namespace
}  // namespace logwood
