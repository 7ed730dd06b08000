#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/arguments.hpp"

namespace logwood::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;

std::string refusal_of(const char* verb, const Words& words) {
  const auto parsed = parse_arguments(*find_verb(verb), words);
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, ErrorCode::invalid_argument);
  return parsed.error().message;
}

TEST(Arguments, AreToldApart) {
  const auto parsed =
      parse_arguments(*find_verb("erase"), {"s", "a", "b", "--yes", "--reason", "-x"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->operand("SESSION"), "s");
  EXPECT_THAT(parsed->operands.at("ENTRY"), ElementsAre("a", "b"));
  EXPECT_TRUE(parsed->has("--yes"));
  EXPECT_FALSE(parsed->has("--everywhere"));
  EXPECT_EQ(parsed->value("--reason"), "-x");
  EXPECT_EQ(parsed->value("--store"), std::nullopt);
}

TEST(Arguments, GiveValuesInEveryUsualSpelling) {
  for (const Words& words :
       {Words{"-n", "5"}, {"-n5"}, {"-an5"}, {"--limit", "5"}, {"--limit=5"}}) {
    const auto parsed = parse_arguments(*find_verb("ls"), words);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->value("--limit"), "5");
  }
  const auto last = parse_arguments(*find_verb("ls"), {"-n", "1", "--limit=2"});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->value("--limit"), "2") << "of several the last counts";
  const auto empty = parse_arguments(*find_verb("ls"), {"--key="});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->value("--key"), "");
}

TEST(Arguments, TakeAnyWordAsAValue) {
  const auto parsed = parse_arguments(*find_verb("append"), {"s", "--user", "--help"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->value("--user"), "--help");
  EXPECT_FALSE(parsed->has("--help"));
}

TEST(Arguments, AfterTwoDashesAreOperands) {
  const auto parsed = parse_arguments(*find_verb("label"), {"--json", "--", "s", "--delete", "-"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->operand("NAME"), "--delete");
  EXPECT_EQ(parsed->operand("ENTRY"), "-");
  EXPECT_FALSE(parsed->has("--delete"));
}

TEST(Arguments, ThatDoNotFitAreRefused) {
  EXPECT_THAT(refusal_of("rm", {}), HasSubstr("rm: SESSION is missing"));
  EXPECT_THAT(refusal_of("rm", {"a", "b"}), HasSubstr("b is one word too many"));
  EXPECT_THAT(refusal_of("ls", {"--nonsense"}), HasSubstr("there is no option --nonsense"));
  EXPECT_THAT(refusal_of("ls", {"-x"}), HasSubstr("there is no option -x"));
  EXPECT_THAT(refusal_of("ls", {"--limit"}), HasSubstr("--limit needs COUNT"));
  EXPECT_THAT(refusal_of("erase", {"s", "a", "--yes=false"}), HasSubstr("--yes takes no value"));
  EXPECT_THAT(refusal_of("ls", {"--"}), "");
}

TEST(Arguments, AreSuggestedToWhoMistypes) {
  EXPECT_EQ(refusal_of("show", {"--stpe"}),
            "show: there is no option --stpe; did you mean --step?");
  EXPECT_EQ(refusal_of("show", {"--colour=never"}),
            "show: there is no option --colour; did you mean --color?");
}

TEST(Arguments, AreNotSuggestedWhereAnyWordWouldDo) {
  EXPECT_EQ(nearest_verb("xy"), nullptr) << "as many steps as the word is long";
  EXPECT_EQ(nearest_verb("l"), nullptr);
  ASSERT_NE(nearest_verb("tre"), nullptr);
  EXPECT_EQ(nearest_verb("tre")->name, "tree");
}

TEST(Arguments, OfNoVerbAreRefusedWithoutOne) {
  const auto parsed = parse_arguments(overview(), {"-x"});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "there is no option -x; logwood --help shows how");
}

TEST(Arguments, ThatContradictEachOtherAreNamed) {
  const auto parsed = parse_arguments(*find_verb("head"), {"s", "e", "--before-first"});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->check_at_most_one({"ENTRY", "--expect"}));
  const auto contradiction = parsed->check_at_most_one({"ENTRY", "--before-first"});
  ASSERT_FALSE(contradiction);
  EXPECT_EQ(contradiction.error().message,
            "ENTRY and --before-first contradict each other; choose one");
}

TEST(Arguments, NeedNotBeCompleteForHelp) {
  const auto parsed = parse_arguments(*find_verb("rm"), {"-h"});
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->has("--help"));
}

}  // namespace
}  // namespace logwood::cli
