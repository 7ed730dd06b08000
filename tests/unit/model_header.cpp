#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/header.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SessionHeader full_header() {
  SessionHeader header;
  header.id = {"s1"};
  header.version = 1;
  header.required = {"blobs", "a\"b"};
  header.created = "2026-01-31T08:00:00.000Z";
  header.key = "main:cli:\"x\"\n";
  header.cwd = "/work/\xc3\xa9";
  header.parent = ParentSession{{"s0"}, EntryId{"e1"}};
  header.origin = Origin{"pi", "0-1", "1.5", "main\\"};
  return header;
}

std::string header_with(const std::string& payload) {
  return R"({"id":"s1","type":"session_header","timestamp":"t","payload":)" + payload + "}";
}

ErrorCode code_of(const NewSession& session) {
  const auto checked = check_new_session(session);
  return checked ? ErrorCode::internal : checked.error().code;
}

TEST(Header, IsWrittenAsAnEntryAndReadBack) {
  const SessionHeader header = full_header();
  const auto read = parse_header(header_body(header) + '}');
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, header);
}

TEST(Header, LeavesOutWhatIsNotThere) {
  SessionHeader header;
  header.id = {"s1"};
  header.created = "2026-01-31T08:00:00.000Z";
  EXPECT_EQ(
      header_body(header) + '}',
      R"({"id":"s1","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"session_header","payload":{"version":1,"requires":[]}})");
  EXPECT_EQ(*parse_header(header_body(header) + '}'), header);
  header.parent = ParentSession{{"s0"}, std::nullopt};
  EXPECT_THAT(header_body(header), HasSubstr(R"("parent":{"sessionId":"s0"})"));
  EXPECT_EQ(*parse_header(header_body(header) + '}'), header);
}

TEST(Header, PassesOverWhatItDoesNotKnow) {
  const auto read = parse_header(header_with(
      R"({"later":[1],"version":3,"requires":["x",7,{"y":1}],"key":5,"parent":null,"origin":"pi"})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, 3U);
  EXPECT_THAT(read->required, ElementsAre("x", "7", R"({"y":1})"));
  EXPECT_EQ(read->key, "");
  EXPECT_EQ(read->parent, std::nullopt);
  EXPECT_EQ(read->origin, std::nullopt);
}

TEST(Header, IsRefusedWithoutAVersionNumber) {
  for (const char* payload : {"{}", R"({"version":"1"})", R"({"version":-1})", R"({"version":1.0})",
                              R"({"version":99999999999})", R"({"version":null})"}) {
    const auto read = parse_header(header_with(payload));
    ASSERT_FALSE(read) << payload;
    EXPECT_EQ(read.error().code, ErrorCode::damaged);
    EXPECT_THAT(read.error().message, HasSubstr("version"));
  }
}

TEST(Header, IsRefusedWhenTheTextIsAnotherEntryOrNone) {
  EXPECT_THAT(
      parse_header(R"({"id":"a","type":"message","payload":{"version":1}})").error().message,
      HasSubstr("the first line is another entry"));
  EXPECT_EQ(parse_header("{").error().code, ErrorCode::damaged);
}

TEST(Header, OfVersionZeroIsUpgradedByOneToken) {
  const std::string old =
      R"({"id":"s1", "type":"session_header","payload":{"x":0,"version": 0 ,"version":0,"y":"0"},"timestamp":"t"})";
  const auto upgraded = upgraded_header(old);
  ASSERT_TRUE(upgraded);
  EXPECT_EQ(
      *upgraded,
      R"({"id":"s1", "type":"session_header","payload":{"x":0,"version": 0 ,"version":1,"y":"0"},"timestamp":"t"})");
  EXPECT_EQ(parse_header(*upgraded)->version, 1U);
}

TEST(Header, OfAnyOtherVersionIsNotUpgraded) {
  EXPECT_FALSE(upgraded_header(header_with(R"({"version":1})")));
  EXPECT_FALSE(upgraded_header(header_with(R"({"version":"0"})")));
  EXPECT_FALSE(upgraded_header(header_with("{}")));
  EXPECT_FALSE(upgraded_header("{"));
}

TEST(NewSession, IsCheckedBeforeItIsMade) {
  EXPECT_TRUE(check_new_session({}));
  EXPECT_TRUE(check_new_session({.id = SessionId{"s"},
                                 .key = "k",
                                 .cwd = "/",
                                 .parent = ParentSession{{"p"}, EntryId{"e"}},
                                 .origin = Origin{"a", "b", "c", "d"}}));
  EXPECT_TRUE(check_new_session({.parent = ParentSession{{"p"}, std::nullopt}}));
  const std::string bad = "\xff";
  const ErrorCode invalid = ErrorCode::invalid_argument;
  EXPECT_EQ(code_of({.id = SessionId{"a b"}}), invalid);
  EXPECT_EQ(code_of({.key = bad}), invalid);
  EXPECT_EQ(code_of({.key = std::string((64U << 10U) + 1, 'k')}), invalid);
  EXPECT_EQ(code_of({.cwd = bad}), invalid);
  EXPECT_EQ(code_of({.parent = ParentSession{{""}, std::nullopt}}), invalid);
  EXPECT_EQ(code_of({.parent = ParentSession{{"p"}, EntryId{".."}}}), invalid);
  EXPECT_EQ(code_of({.origin = Origin{bad, "", "", ""}}), invalid);
  EXPECT_EQ(code_of({.origin = Origin{"", bad, "", ""}}), invalid);
  EXPECT_EQ(code_of({.origin = Origin{"", "", bad, ""}}), invalid);
  EXPECT_EQ(code_of({.origin = Origin{"", "", "", bad}}), invalid);
}

}  // namespace
}  // namespace logwood
