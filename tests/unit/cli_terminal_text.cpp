#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/terminal_text.hpp"

namespace logwood::cli {
namespace {

using ::testing::ElementsAre;

TEST(TerminalText, MakesVisibleWhatATerminalWouldObey) {
  EXPECT_EQ(printable("plain ünïcödé 会话"), "plain ünïcödé 会话");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\x9b31m") << "the C1 form of an escape sequence";
  EXPECT_EQ(printable("abc\u202egnp.exe"), "abc\\u{202e}gnp.exe");
  EXPECT_EQ(printable("a\u2066b\u2069\u200f"), "a\\u{2066}b\\u{2069}\\u{200f}");
  EXPECT_EQ(printable("a\u2028b"), "a\\u{2028}b");
  EXPECT_EQ(printable("hi\U000e0041"), "hi\\u{e0041}") << "a tag character";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xff\xc3("), "\\xff\\xc3(") << "bytes that are no characters";
}

TEST(TerminalText, KeepsLineBreaksOnlyWhereTheyBelong) {
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable("a\nb\tc", Lines::kept), "a\nb c");
}

TEST(TerminalText, CountsColumns) {
  EXPECT_EQ(width_of(""), 0U);
  EXPECT_EQ(width_of("abc"), 3U);
  EXPECT_EQ(width_of("会话"), 4U);
  EXPECT_EQ(width_of("e\u0301"), 1U) << "an accent of its own takes no room";
  EXPECT_EQ(width_of("한"), 2U);
}

TEST(TerminalText, FitsTextIntoItsRoom) {
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdef", 5), "abcd…");
  EXPECT_EQ(fitted("会话会话", 5), "会话…");
  EXPECT_EQ(fitted("会话会话", 4), "会…") << "half a character does not fit";
  EXPECT_EQ(fitted("abc", 0), "");
  EXPECT_EQ(padded("abc", 5), "abc  ");
  EXPECT_EQ(padded("会话会话", 4), "会… ");
}

TEST(TerminalText, LongLinesAreBrokenAtSpaces) {
  EXPECT_THAT(wrapped("one two three", 20), ElementsAre("one two three"));
  EXPECT_THAT(wrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("onetwothree", 4), ElementsAre("onet", "woth", "ree"));
  EXPECT_THAT(wrapped("会话存储", 5), ElementsAre("会话", "存储"));
  EXPECT_THAT(wrapped("会", 1), ElementsAre("会"));
  EXPECT_THAT(wrapped("", 5), ElementsAre(""));
}

TEST(TerminalText, TheEndOfALongTextCanStay) {
  EXPECT_EQ(fitted_at_end("/home/you/work/api", 9), "…work/api");
  EXPECT_EQ(fitted_at_end("short", 9), "short");
  EXPECT_EQ(fitted_at_end("anything", 0), "");
}

}  // namespace
}  // namespace logwood::cli
