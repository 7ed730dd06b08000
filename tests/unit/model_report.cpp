#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "logwood/report.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr ProblemKind all_kinds[] = {
    ProblemKind::torn,         ProblemKind::nul,      ProblemKind::damaged,
    ProblemKind::line_end,     ProblemKind::blank,    ProblemKind::foreign,
    ProblemKind::newer,        ProblemKind::repeated, ProblemKind::missing,
    ProblemKind::out_of_chain, ProblemKind::part,     ProblemKind::unaccounted,
    ProblemKind::not_erased,   ProblemKind::renamed,  ProblemKind::not_an_entry,
    ProblemKind::blob,
};

Problem problem(ProblemKind kind, std::uint64_t line = 3) {
  return {kind, 120, line, 5, 5, GapCause::unknown};
}

TEST(Problem, HasADifferentNameAndSentenceForEveryKind) {
  std::set<std::string> names;
  std::set<std::string> sentences;
  for (const ProblemKind kind : all_kinds) {
    names.insert(std::string(name_of(kind)));
    sentences.insert(describe(problem(kind)));
  }
  EXPECT_EQ(names.size(), std::size(all_kinds));
  EXPECT_EQ(sentences.size(), std::size(all_kinds));
  EXPECT_EQ(name_of(ProblemKind::torn), "torn");
  EXPECT_EQ(name_of(ProblemKind::out_of_chain), "out_of_chain");
  EXPECT_EQ(name_of(ProblemKind::not_an_entry), "not_an_entry");
}

TEST(Problem, IsALossUnlessNothingStoredIsGone) {
  const std::set<ProblemKind> harmless = {ProblemKind::torn, ProblemKind::line_end,
                                          ProblemKind::blank, ProblemKind::foreign,
                                          ProblemKind::newer};
  for (const ProblemKind kind : all_kinds) {
    EXPECT_EQ(is_loss(kind), !harmless.contains(kind)) << name_of(kind);
  }
}

TEST(Problem, IsDescribedWithItsPlace) {
  EXPECT_THAT(describe(problem(ProblemKind::damaged)), StartsWith("line 3 (byte 120): "));
  EXPECT_THAT(describe(problem(ProblemKind::not_erased, 0)), StartsWith("entry 5: "));
}

TEST(Problem, OfMissingEntriesSaysWhichAndWhy) {
  Problem gap = problem(ProblemKind::missing);
  EXPECT_EQ(describe(gap),
            "before line 3 (byte 120): entry 5 is missing; the cause cannot be told");
  gap.last_seq = 7;
  gap.cause = GapCause::power_cut;
  EXPECT_THAT(describe(gap), HasSubstr("entries 5 to 7 are missing; a power cut"));
  gap.cause = GapCause::corruption;
  EXPECT_THAT(describe(gap), HasSubstr("they were synced once"));
}

TEST(VerifyReport, IsSoundWhileNothingIsLost) {
  VerifyReport report;
  EXPECT_TRUE(report.is_sound());
  report.problems = {problem(ProblemKind::foreign), problem(ProblemKind::torn),
                     problem(ProblemKind::line_end)};
  EXPECT_TRUE(report.is_sound());
  report.problems.push_back(problem(ProblemKind::missing));
  EXPECT_FALSE(report.is_sound());
}

}  // namespace
}  // namespace logwood
