#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/crc32c.hpp"

namespace logwood {
namespace {

std::uint32_t crc_of(std::string_view bytes) { return Crc32c().add(bytes).value(); }

// The definition, one bit at a time.
std::uint32_t slow_crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82f63b78U : 0U);
  }
  return ~crc;
}

TEST(Crc32c, HasTheCheckValueOfTheAlgorithm) {
  EXPECT_EQ(crc_of("123456789"), 0xe3069283U);
  EXPECT_EQ(crc_of(""), 0U);
}

TEST(Crc32c, HasTheKnownAnswersOfRfc3720) {
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc_of(std::string(32, '\xff')), 0x62a8ab43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  EXPECT_EQ(crc_of(rising), 0x46dd794eU);
}

TEST(Crc32c, AgreesWithItsDefinitionAtEveryLengthAndAlignment) {
  std::string bytes;
  for (unsigned i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7919U >> 3U);
  for (std::size_t from = 0; from < 16; ++from) {
    for (std::size_t size = 0; from + size <= bytes.size(); size += 1 + size / 16) {
      const std::string_view part = std::string_view(bytes).substr(from, size);
      ASSERT_EQ(crc_of(part), slow_crc_of(part)) << from << ' ' << size;
    }
  }
}

TEST(Crc32c, IsTheSameHoweverTheBytesAreCut) {
  const std::string_view bytes = "session\n{\"id\":\"e1\"}";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    EXPECT_EQ(Crc32c().add(bytes.substr(0, cut)).add("").add(bytes.substr(cut)).value(),
              crc_of(bytes));
    const std::uint32_t first = crc_of(bytes.substr(0, cut));
    EXPECT_EQ(Crc32c::resume(first).add(bytes.substr(cut)).value(), crc_of(bytes));
  }
}

}  // namespace
}  // namespace logwood
