#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random_bytes.hpp"

namespace logwood {
namespace {

TEST(RandomBytes, FillsEveryByte) {
  std::vector<std::uint8_t> seen(100, 0);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint8_t> bytes(seen.size(), 0);
    fill_random(bytes);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      seen[i] = static_cast<std::uint8_t>(seen[i] | bytes[i]);
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0);
}

TEST(RandomBytes, TakesNothingForNothingAndMoreThanOneCallGives) {
  fill_random({});
  std::vector<std::uint8_t> first(100'000, 0);
  std::vector<std::uint8_t> second(first);
  fill_random(first);
  fill_random(second);
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace logwood
