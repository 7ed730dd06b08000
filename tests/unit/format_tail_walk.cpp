// The newest entries read backwards, and when that has to give up: what it returned
// otherwise would not be what a reader from the start finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "format/tail_walk.hpp"
#include "support/scanned.hpp"
#include "support/sealed_lines.hpp"

namespace logwood {
namespace {

using format::Anchor;
using ::testing::ElementsAre;

std::vector<std::string> ids(const ScannedTail& tail) {
  std::vector<std::string> found;
  for (const ScannedEntry& entry : tail.entries) found.push_back(entry.id);
  return found;
}

class TailWalk : public ::testing::Test {
 protected:
  TailWalk() { lines_.batch({header_body("s")}); }

  ScannedTail tail(const std::optional<Anchor>& anchor = std::nullopt) const {
    return tail_of_bytes(lines_.bytes(), "s", 100, anchor);
  }

  Anchor here() const { return {lines_.bytes().size(), lines_.last_seq(), lines_.link()}; }

  SealedLines lines_{"s"};
};

TEST_F(TailWalk, GivesUpWhenPlacesInABatchDoNotFollowEachOther) {
  lines_.batch({message_body("a")});
  lines_.line(3, 3, 3, message_body("b"));
  EXPECT_FALSE(tail().complete);
}

TEST_F(TailWalk, GivesUpWhenLinesOfABatchDisagreeAboutItsSize) {
  lines_.batch({message_body("a")});
  lines_.line(3, 2, 2, message_body("b"));
  EXPECT_FALSE(tail().complete);
}

TEST_F(TailWalk, GivesUpAtABatchThatWasNotFinishedBeforeTheNext) {
  lines_.line(2, 1, 2, message_body("a"));
  lines_.line(3, 1, 1, message_body("b"));
  EXPECT_FALSE(tail().complete);
  EXPECT_THAT(ids(tail()), ElementsAre("b")) << "what was told before stands";
}

TEST_F(TailWalk, GoesToTheStartWhenTheAnchorLiesThere) {
  lines_.batch({message_body("a"), message_body("b")});
  const ScannedTail found = tail(Anchor{});
  EXPECT_TRUE(found.anchored);
  EXPECT_THAT(ids(found), ElementsAre("s", "a", "b"));
}

TEST_F(TailWalk, BelievesNothingWhenTheAnchorIsNotWhereItShouldBe) {
  lines_.batch({message_body("a")});
  const Anchor anchor = here();
  lines_.batch({message_body("b")});
  ASSERT_TRUE(tail(anchor).anchored);

  Anchor of_another_copy = anchor;
  of_another_copy.link = format::first_link();
  Anchor of_another_number = anchor;
  ++of_another_number.seq;
  Anchor of_a_longer_file = anchor;
  of_a_longer_file.end = lines_.bytes().size() + 1;

  for (const Anchor& wrong : {of_another_copy, of_another_number, of_a_longer_file}) {
    EXPECT_FALSE(tail(wrong).complete);
    EXPECT_TRUE(tail(wrong).entries.empty());
  }
}

TEST_F(TailWalk, DoesNotHoldTensOfMegabytesUntilItMeetsAnAnchorThatIsFarBehind) {
  const Anchor anchor = here();
  const std::string text(12U << 20U, 'x');
  for (const char* id : {"a", "b", "c", "d"}) lines_.batch({message_body(id, text)});
  EXPECT_FALSE(tail(anchor).complete);
  EXPECT_TRUE(tail().complete);
}

}  // namespace
}  // namespace logwood
