#include <gtest/gtest.h>

#include "base/timestamp.hpp"
#include "model/search_query.hpp"

namespace logwood {
namespace {

const Clock::time_point now = *parse_timestamp("2026-11-15T12:30:00.000Z");

SearchQuery parsed(std::string_view text) {
  auto query = parse_search_query(text, now);
  EXPECT_TRUE(query) << query.error().message;
  return query ? *query : SearchQuery();
}

std::string problem_of(std::string_view text) {
  const auto query = parse_search_query(text, now);
  return query ? "" : query.error().message;
}

TEST(SearchQuery, WordsPhrasesAndBeginnings) {
  const SearchQuery query =
      parsed(R"(retry-after "second attempt" pars* -draft -"old one" --flag)");
  ASSERT_EQ(query.wanted.size(), 4U);
  EXPECT_EQ(query.wanted[0].text, "retry-after");
  EXPECT_EQ(query.wanted[1].text, "second attempt");
  EXPECT_EQ(query.wanted[2].text, "pars");
  EXPECT_TRUE(query.wanted[2].is_prefix);
  EXPECT_EQ(query.wanted[3].text, "--flag");
  ASSERT_EQ(query.unwanted.size(), 2U);
  EXPECT_EQ(query.unwanted[0].text, "draft");
  EXPECT_EQ(query.unwanted[1].text, "old one");
}

TEST(SearchQuery, Filters) {
  const SearchQuery query =
      parsed(R"(role:user type:message tool:"my tool" key:main:cli:me since:2d std::vector)");
  EXPECT_EQ(query.role, "user");
  EXPECT_EQ(query.type, "message");
  EXPECT_EQ(query.tool, "my tool");
  EXPECT_EQ(query.key, "main:cli:me");
  EXPECT_EQ(query.since, "2026-11-13T12:30:00.000Z");
  ASSERT_EQ(query.wanted.size(), 1U);
  EXPECT_EQ(query.wanted[0].text, "std::vector");
}

TEST(SearchQuery, WhatCannotBeUnderstoodIsSaid) {
  EXPECT_NE(problem_of("\"open").find("does not end"), std::string::npos);
  EXPECT_NE(problem_of("role:").find("role:"), std::string::npos);
  EXPECT_NE(problem_of("-role:user").find("role:"), std::string::npos);
  EXPECT_NE(problem_of("since:whenever").find("whenever"), std::string::npos);
  EXPECT_NE(problem_of(std::string(5000, 'a')).find("longer"), std::string::npos);
  EXPECT_NE(problem_of("\xff").find("UTF-8"), std::string::npos);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "a ";
  EXPECT_NE(problem_of(many).find("more than"), std::string::npos);
}

TEST(TimeNamed, MomentsAndSpans) {
  const auto named = [](std::string_view text, Direction direction = Direction::before) {
    const auto time = time_named(text, now, direction);
    return time ? *time : time.error().message;
  };
  EXPECT_EQ(named("2026-11-01"), "2026-11-01T00:00:00.000Z");
  EXPECT_EQ(named("2026-11-01T10:00:00.000Z"), "2026-11-01T10:00:00.000Z");
  EXPECT_EQ(named("today"), "2026-11-15T00:00:00.000Z");
  EXPECT_EQ(named("yesterday"), "2026-11-14T00:00:00.000Z");
  EXPECT_EQ(named("90min"), "2026-11-15T11:00:00.000Z");
  EXPECT_EQ(named("36h"), "2026-11-14T00:30:00.000Z");
  EXPECT_EQ(named("1w"), "2026-11-08T12:30:00.000Z");
  EXPECT_EQ(named("30d", Direction::after), "2026-12-15T12:30:00.000Z");
  for (const char* const odd : {"", "-1d", "d", "5", "99999999999999d", "2026-13-01", "1y"}) {
    EXPECT_FALSE(time_named(odd, now)) << odd;
  }
}

}  // namespace
}  // namespace logwood
