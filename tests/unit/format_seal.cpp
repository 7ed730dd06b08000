// What is a seal and what only looks like one.
#include <gtest/gtest.h>

#include <string>

#include "format/seal.hpp"
#include "support/sealed_lines.hpp"

namespace logwood::format {
namespace {

const std::string session = "s";
const std::string salt = "AAAAAAAAAAAAAAAA";
const std::string link(32, 'A');

std::string sealed(const std::string& body, const std::string& numbers, const std::string& mark) {
  return with_crc(session, body + R"(,"seal":"1+.)" + numbers + "." + mark + "." + link + ".");
}

TEST(Seal, SpellsItsCrcInLowerCaseHexDigitsOnly) {
  const std::string good = sealed(message_body("a"), "1.1/1", salt);
  ASSERT_TRUE(parse_sealed(session, good));
  for (const char wrong : {'A', 'F', 'G', 'g', '-'}) {
    std::string spelled = good;
    spelled[spelled.size() - 3] = wrong;
    EXPECT_FALSE(parse_sealed(session, spelled)) << wrong;
  }
}

TEST(Seal, HasNoNumberOfMoreDigitsThanWeEverWrite) {
  EXPECT_TRUE(parse_sealed(session, sealed(message_body("a"), "999999999999999.1/1", salt)));
  EXPECT_FALSE(parse_sealed(session, sealed(message_body("a"), "1000000000000000.1/1", salt)));
  EXPECT_FALSE(parse_sealed(session, sealed(message_body("a"), "99999.10000/10000", salt)));
}

TEST(Seal, OfATombstoneNeedsTheDigestOfWhatItStandsFor) {
  const std::string front = R"({"id":"a","parentId":null,"type":"message","erased":true)";
  const std::string digest(64, 'd');
  const auto is_sound = [](const std::string& body) {
    return parse_sealed(session, sealed(body, "1.1/1", "x")).has_value();
  };

  EXPECT_TRUE(is_sound(front + R"(,"digest":")" + digest + '"'));
  EXPECT_FALSE(is_sound("{")) << "no room for a digest";
  EXPECT_FALSE(is_sound(front + R"(,"digesT":")" + digest + '"'));
  EXPECT_FALSE(is_sound(front + R"(,"digest":")" + digest + 'd')) << "no end";
  EXPECT_FALSE(is_sound(front + R"(,"digest":")" + std::string(64, 'g') + '"')) << "no number";
}

TEST(Seal, ThatContradictsItselfEndsNoLineInFrontOfOthers) {
  const std::string next = sealed(message_body("b"), "2.1/1", salt);
  const std::string good = sealed(message_body("a"), "1.1/1", salt);
  ASSERT_EQ(sound_prefix(session, good + next), good.size());
  EXPECT_FALSE(sound_prefix(session, sealed(message_body("a"), "3.3/2", salt) + next));
}

TEST(SealShape, IsKnownByAllItsPartsUnderAnyName) {
  const auto has_shape = [](const std::string& value) {
    return has_seal_shape(R"({"name":")" + value + "\"}");
  };
  EXPECT_TRUE(has_shape("1+.5.1/1.and so on"));
  EXPECT_TRUE(has_shape("12~.5.1/1."));
  for (const char* value : {"", "1", "1+", "1+5", "1+.", "1+.x", "1+.5", "1+.5.", "1+.5.1",
                            "1+.5.1/", "1+.5.1/1", "1+.5.1/1x", "1234+.5.1/1."}) {
    EXPECT_FALSE(has_shape(value)) << value;
  }
}

TEST(SealShape, IsNotThatOfSpaceOrABraceAlone) {
  EXPECT_FALSE(has_seal_shape("  \t"));
  EXPECT_FALSE(has_seal_shape("}"));
  EXPECT_FALSE(has_seal_shape(" } "));
  EXPECT_FALSE(has_seal_shape("\"}"));
}

}  // namespace
}  // namespace logwood::format
