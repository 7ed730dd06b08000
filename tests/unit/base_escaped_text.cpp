#include <gtest/gtest.h>

#include "base/escaped_text.hpp"
#include "base/json_writer.hpp"

namespace logwood {
namespace {

TEST(EscapedText, IsWhatStandsBetweenTheQuotes) {
  EXPECT_EQ(escaped_text(R"("a\nb")").inside, R"(a\nb)");
  EXPECT_EQ(escaped_text(R"("")").inside, "");
  EXPECT_EQ(escaped_text("12").inside, "");
  EXPECT_EQ(escaped_text("").inside, "");
  EXPECT_TRUE(escaped_text(R"("a\nb")").has_escapes());
  EXPECT_EQ(unescaped(escaped_text(R"("a\n\u00e4\ud83d\ude00")")), "a\nä😀");
}

TEST(EscapedText, HalvesOfCharactersBecomeReplacements) {
  EXPECT_EQ(unescaped({R"(x\ud83dy)"}), "x\uFFFDy");
  std::string json = R"(["\ud83d\ude00","\ude00","\ud83d","\\ud83d","\uD83D\uD83D\uDE00"])";
  EXPECT_EQ(mend_surrogates(json), 3U);
  EXPECT_EQ(json, R"(["\ud83d\ude00","\ufffd","\ufffd","\\ud83d","\ufffd\uD83D\uDE00"])");
  std::string sound = R"({"a":"\n\\u"})";
  EXPECT_EQ(mend_surrogates(sound), 0U);
}

TEST(EscapedText, SpacesBetweenTokensGoAndThoseInStringsStay) {
  EXPECT_EQ(without_spaces("{ \"a b\" : [ 1 ,\n\t\"c \\\" d\" ] }"), R"({"a b":[1,"c \" d"]})");
  EXPECT_EQ(without_spaces(""), "");
}

TEST(JsonWriter, PutsTheCommas) {
  JsonWriter json;
  json.begin_object().key("a").number(1).key("b").begin_array().text("x\ny").json("null");
  json.begin_object().end_object().end_array().key("c").text(EscapedText{R"(\u00e4)"});
  EXPECT_EQ(json.end_object().take(), R"({"a":1,"b":["x\ny",null,{}],"c":"\u00e4"})");
}

}  // namespace
}  // namespace logwood
