#include <gtest/gtest.h>

#include <string>

#include "base/siphash.hpp"

namespace logwood {
namespace {

// The vectors of the reference implementation: key 00 01 … 0f, message 00 01 … n-1.
constexpr SipKey reference_key{0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};

std::string rising(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

TEST(SipHash, HasTheReferenceVectors) {
  EXPECT_EQ(siphash(reference_key, rising(0)), 0x726fdb47dd0e0e31ULL);
  EXPECT_EQ(siphash(reference_key, rising(1)), 0x74f839c593dc67fdULL);
  EXPECT_EQ(siphash(reference_key, rising(7)), 0xab0200f58b01d137ULL);
  EXPECT_EQ(siphash(reference_key, rising(8)), 0x93f5f5799a932462ULL);
  EXPECT_EQ(siphash(reference_key, rising(15)), 0xa129ca6149be45e5ULL);
  EXPECT_EQ(siphash(reference_key, rising(16)), 0x3f2acc7f57c29bdbULL);
  EXPECT_EQ(siphash(reference_key, rising(63)), 0x958a324ceb064572ULL);
}

TEST(SipHash, DependsOnBothHalvesOfTheKey) {
  EXPECT_NE(siphash({1, 2}, "entry"), siphash({2, 2}, "entry"));
  EXPECT_NE(siphash({1, 2}, "entry"), siphash({1, 3}, "entry"));
}

}  // namespace
}  // namespace logwood
