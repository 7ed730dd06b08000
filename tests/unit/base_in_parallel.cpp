#include <gtest/gtest.h>

#include <vector>

#include "base/in_parallel.hpp"

namespace logwood {
namespace {

TEST(InParallel, TakesEverythingOnceAndInOrder) {
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U}) {
    for (const std::size_t piece : {1U, 7U, 64U}) {
      std::vector<int> worked(count);
      std::vector<std::size_t> taken;
      in_parallel(
          count, piece, [&](std::size_t i) { ++worked[i]; },
          [&](std::size_t i) {
            EXPECT_EQ(worked[i], 1);
            taken.push_back(i);
            return true;
          });
      ASSERT_EQ(taken.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(taken[i], i);
    }
  }
}

TEST(InParallel, EndsWhenItIsTold) {
  std::size_t taken = 0;
  in_parallel(1000, 10, [](std::size_t) {}, [&](std::size_t) { return ++taken < 25; });
  EXPECT_EQ(taken, 25U);
}

}  // namespace
}  // namespace logwood
