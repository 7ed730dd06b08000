#include <gtest/gtest.h>

#include "cli/quantity.hpp"

namespace logwood::cli {
namespace {

TEST(Quantity, IsShortAndNeverWide) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(1000), "1.0k");
  EXPECT_EQ(short_count(9949), "9.9k");
  EXPECT_EQ(short_count(9999), "10k");
  EXPECT_EQ(short_count(310'000), "310k");
  EXPECT_EQ(short_count(999'499), "999k");
  EXPECT_EQ(short_count(999'999), "1.0M");
  EXPECT_EQ(short_count(1'234'567), "1.2M");
  EXPECT_EQ(short_count(18'446'744'073'709'551'615U), "18E");
  EXPECT_EQ(short_size(512), "512 B");
  EXPECT_EQ(short_size(67'400), "67 kB");
  EXPECT_EQ(short_size(2'000'000'000), "2.0 GB");
}

}  // namespace
}  // namespace logwood::cli
