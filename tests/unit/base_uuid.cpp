#include <gtest/gtest.h>

#include <string>

#include "base/uuid.hpp"

namespace logwood {
namespace {

std::array<std::uint8_t, 10> all(std::uint8_t byte) {
  std::array<std::uint8_t, 10> bytes{};
  bytes.fill(byte);
  return bytes;
}

TEST(Uuid, OfVersionSevenIsTheTimeThenChance) {
  EXPECT_EQ(uuid_v7(0, all(0)), "00000000-0000-7000-8000-000000000000");
  EXPECT_EQ(uuid_v7(0xffffffffffffULL, all(0xff)), "ffffffff-ffff-7fff-bfff-ffffffffffff");
  // The example of RFC 9562, A.6.
  EXPECT_EQ(
      uuid_v7(0x017f22e279b0ULL, {0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f}),
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
}

TEST(Uuid, OfVersionSevenSortsByTime) {
  std::string last;
  for (std::uint64_t ms = 1; ms < 0xffffffffffffULL; ms = ms * 3 + 1) {
    std::string uuid = uuid_v7(ms, all(static_cast<std::uint8_t>(~ms)));
    EXPECT_LT(last, uuid);
    last = std::move(uuid);
  }
}

TEST(Uuid, OfVersionEightKeepsAllOtherBits) {
  std::array<std::uint8_t, 16> bytes{};
  EXPECT_EQ(uuid_v8(bytes), "00000000-0000-8000-8000-000000000000");
  bytes.fill(0xff);
  EXPECT_EQ(uuid_v8(bytes), "ffffffff-ffff-8fff-bfff-ffffffffffff");
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(0x11 * i);
  EXPECT_EQ(uuid_v8(bytes), "00112233-4455-8677-8899-aabbccddeeff");
}

}  // namespace
}  // namespace logwood
