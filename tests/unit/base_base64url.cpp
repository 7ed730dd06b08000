#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/base64url.hpp"

namespace logwood {
namespace {

std::string encoded(std::vector<std::uint8_t> bytes) {
  std::string text(bytes.size() / 3 * 4, '?');
  to_base64url(bytes, text.data());
  return text;
}

TEST(Base64Url, SpellsThreeBytesAsFourCharacters) {
  EXPECT_EQ(encoded({}), "");
  EXPECT_EQ(encoded({0, 0, 0}), "AAAA");
  EXPECT_EQ(encoded({'M', 'a', 'n'}), "TWFu");
  EXPECT_EQ(encoded({0xff, 0xff, 0xff}), "____");
  EXPECT_EQ(encoded({0xfb, 0xef, 0xbe, 'f', 'o', 'o'}), "----Zm9v");
}

TEST(Base64Url, KnowsItsSixtyFourCharacters) {
  unsigned count = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    const bool known = base64url_alphabet.find(c) != std::string_view::npos;
    EXPECT_EQ(is_base64url({&c, 1}), known) << code;
    count += known ? 1 : 0;
  }
  EXPECT_EQ(count, 64U);
}

}  // namespace
}  // namespace logwood
