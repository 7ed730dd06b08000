#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cli/help.hpp"
#include "cli/time_ago.hpp"
#include "cli/verb.hpp"

namespace logwood::cli {
namespace {

using ::testing::HasSubstr;

TEST(Verbs, AreARowOfTheTableEach) {
  std::set<std::string_view> names;
  for (const Verb& verb : all_verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    EXPECT_NE(verb.run, nullptr) << verb.name;
    EXPECT_LE(verb.summary.size(), 66U) << verb.name << ": one line of 80 columns";
    EXPECT_FALSE(verb.summary.ends_with('.')) << verb.name;
    EXPECT_THAT(help_of(verb), HasSubstr("usage: logwood " + std::string(verb.name)));
    EXPECT_THAT(help_of_all_verbs(), HasSubstr(std::string(verb.summary)));
    EXPECT_THAT(help_of_program(), HasSubstr(std::string(verb.name)));
  }
}

TEST(Verbs, AreSuggestedToWhoMistypes) {
  EXPECT_EQ(nearest_verb("shwo")->name, "show");
  EXPECT_EQ(nearest_verb("statuz")->name, "status");
  EXPECT_EQ(nearest_verb("frobnicate"), nullptr);
}

TEST(TimeAgo, IsAsAPersonSaysIt) {
  using namespace std::chrono;
  const auto now = sys_days(year(2026) / 11 / 15) + hours(12);
  EXPECT_EQ(time_ago("2026-11-15T11:59:30.000Z", now), "now");
  EXPECT_EQ(time_ago("2026-11-15T11:48:00.000Z", now), "12 min ago");
  EXPECT_EQ(time_ago("2026-11-15T09:00:00.000Z", now), "3 h ago");
  EXPECT_EQ(time_ago("2026-11-14T09:00:00.000Z", now), "yesterday");
  EXPECT_EQ(time_ago("2026-11-10T09:00:00.000Z", now), "5 days ago");
  EXPECT_EQ(time_ago("2026-01-10T09:00:00.000Z", now), "2026-01-10");
  EXPECT_EQ(time_ago("2027-01-10T09:00:00.000Z", now), "2027-01-10");
  EXPECT_EQ(time_ago("soon", now), "-");
}

}  // namespace
}  // namespace logwood::cli
