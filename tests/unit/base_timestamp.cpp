#include <gtest/gtest.h>

#include <string>

#include "base/timestamp.hpp"

namespace logwood {
namespace {

using std::chrono::milliseconds;

Clock::time_point at_ms(std::int64_t ms) { return Clock::time_point(milliseconds(ms)); }

TEST(Timestamp, IsUtcWithMilliseconds) {
  EXPECT_EQ(format_timestamp(at_ms(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_timestamp(at_ms(1'794'648'600'125)), "2026-11-14T09:30:00.125Z");
  EXPECT_EQ(format_timestamp(at_ms(951'782'399'999)), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(format_timestamp(at_ms(951'782'400'000)), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(format_timestamp(at_ms(9'223'372'036'854)), "2262-04-11T23:47:16.854Z");
}

TEST(Timestamp, RoundsDownAlsoBeforeTheEpoch) {
  EXPECT_EQ(format_timestamp(at_ms(-1)), "1969-12-31T23:59:59.999Z");
  const auto just_before =
      at_ms(1) - std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(1));
  EXPECT_EQ(format_timestamp(just_before), "1970-01-01T00:00:00.000Z");
}

TEST(Timestamp, WhatIsWrittenIsValid) {
  for (std::int64_t ms = -5'000'000'000'000; ms < 9'000'000'000'000; ms += 86'399'000'777) {
    EXPECT_TRUE(is_timestamp(format_timestamp(at_ms(ms)))) << ms;
  }
}

TEST(Timestamp, TakesRealDatesOnly) {
  for (const char* good :
       {"2024-02-29T00:00:00.000Z", "2000-02-29T23:59:59.999Z", "0000-01-01T00:00:00.000Z",
        "2026-12-31T23:59:59.999Z", "2026-04-30T12:00:00.000Z"}) {
    EXPECT_TRUE(is_timestamp(good)) << good;
  }
  for (const char* bad :
       {"2023-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2026-02-30T00:00:00.000Z",
        "2026-04-31T00:00:00.000Z", "2026-00-10T00:00:00.000Z", "2026-13-10T00:00:00.000Z",
        "2026-01-00T00:00:00.000Z", "2026-01-32T00:00:00.000Z", "2026-01-10T24:00:00.000Z",
        "2026-01-10T00:60:00.000Z", "2026-01-10T00:00:60.000Z"}) {
    EXPECT_FALSE(is_timestamp(bad)) << bad;
  }
}

TEST(Timestamp, TakesExactlyOneForm) {
  const std::string good = "2026-01-31T23:59:59.999Z";
  ASSERT_TRUE(is_timestamp(good));
  EXPECT_FALSE(is_timestamp(""));
  EXPECT_FALSE(is_timestamp(good.substr(1)));
  EXPECT_FALSE(is_timestamp(good + " "));
  EXPECT_FALSE(is_timestamp("2026-01-31T23:59:59.99Z"));
  EXPECT_FALSE(is_timestamp("2026-01-31T23:59:59+00:00"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char other : {'x', '/', ';', '\0', 'z', ' '}) {
      std::string text = good;
      text[i] = other;
      EXPECT_FALSE(is_timestamp(text)) << text;
    }
  }
}

TEST(ParseTimestamp, KnowsEveryYearThatCanBeWritten) {
  EXPECT_EQ(format_timestamp(*parse_timestamp("2026-01-31T23:59:59.999Z")),
            "2026-01-31T23:59:59.999Z");
  EXPECT_EQ(
      *parse_timestamp("9999-12-31T23:59:59.999Z") - *parse_timestamp("9999-12-31T23:59:59.000Z"),
      std::chrono::milliseconds(999));
  EXPECT_LT(*parse_timestamp("0000-01-01T00:00:00.000Z"),
            *parse_timestamp("4987-01-31T08:00:01.000Z"));
  EXPECT_EQ(parse_timestamp("2026-02-30T00:00:00.000Z"), std::nullopt);
}

}  // namespace
}  // namespace logwood
