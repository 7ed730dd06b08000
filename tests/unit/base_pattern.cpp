#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/pattern.hpp"

namespace logwood {
namespace {

TEST(Pattern, TellsWhereItMatchesAndWhatItsGroupTook) {
  const Pattern pattern(R"(key=(\w+);)");
  ASSERT_TRUE(pattern.is_valid());
  const auto match = pattern.find("a key=b; key=c;", 3);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->begin, 9U);
  EXPECT_EQ(match->end, 15U);
  EXPECT_EQ(match->group, "c");
  EXPECT_FALSE(pattern.find("a key=b"));
}

TEST(Pattern, SeesWhatStandsBeforeThePlaceItBeginsAt) {
  const Pattern word(R"(\bab)");
  EXPECT_FALSE(word.find("xab", 1));
  EXPECT_TRUE(word.match_at("x ab", 2));
  EXPECT_FALSE(word.match_at("x ab", 1));
}

TEST(Pattern, MatchesBytesAlsoWhereTheyAreNoText) {
  const auto match = Pattern("a.b").find(
      "\xff\xfe"
      "a\xff"
      "b");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->begin, 2U);
}

TEST(Pattern, OfSeveralMatchesWhereOneDoes) {
  const std::vector<std::string> several = {"x(1)", "y(2)"};
  const Pattern any = Pattern::any_of(several);
  const auto match = any.find("..y2 x1");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->begin, 2U);
  EXPECT_EQ(match->group, "y2");
}

TEST(Pattern, ThatIsNoneSaysSo) { EXPECT_FALSE(Pattern("a(").is_valid()); }

}  // namespace
}  // namespace logwood
