#include <gtest/gtest.h>

#include "io/file_name.hpp"

namespace logwood::io {
namespace {

TEST(FileName, IsAcceptedWhenItStaysBelowItsFolder) {
  for (const char* name : {"a", "a/b", "sessions/0198.jsonl", ".hidden", "a..b", "...", "..a", "a.",
                           " ", "\\", "a\\..\\b", "sessions/x.jsonl.new", "~", "C:"}) {
    EXPECT_TRUE(check_name(name)) << name;
  }
}

TEST(FileName, IsRefusedWhenItCouldLeaveItsFolder) {
  for (const char* name : {"",
                           ".",
                           "..",
                           "/",
                           "//",
                           "/a",
                           "a/",
                           "a//b",
                           "./a",
                           "a/.",
                           "../a",
                           "a/..",
                           "a/../b",
                           "a/./b",
                           "/etc/passwd",
                           "../../etc/passwd",
                           "sessions/../../x",
                           "sessions/./x",
                           "a/b/..",
                           "/..",
                           "../",
                           "..//",
                           "./",
                           "sessions//x",
                           "sessions/",
                           "a/b/",
                           "/a/b"}) {
    const Result<> checked = check_name(name);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument) << name;
  }
}

TEST(FileName, IsRefusedWithANulBehindWhichTheSystemWouldNotLook) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view name : {"a\0"sv, "\0"sv, "a\0/../b"sv, "sessions/x\0.jsonl"sv}) {
    const Result<> checked = check_name(name);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(checked.error().message.find('\0'), std::string::npos);
  }
}

TEST(FileName, IsSplitBeforeItsLastPart) {
  EXPECT_EQ(split_name("a").folder, "");
  EXPECT_EQ(split_name("a").last, "a");
  EXPECT_EQ(split_name("a/b/c").folder, "a/b");
  EXPECT_EQ(split_name("a/b/c").last, "c");
}

}  // namespace
}  // namespace logwood::io
