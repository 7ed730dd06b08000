#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "logwood/entry.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;

std::string why_not(std::string_view text) {
  const auto entry = parse_entry(std::string(text));
  if (entry) return "it is an entry";
  EXPECT_EQ(entry.error().code, ErrorCode::damaged);
  return entry.error().message;
}

TEST(Entry, HasAKindByItsType) {
  EXPECT_EQ(kind_of("session_header"), EntryKind::header);
  for (const char* mark : {"head", "label", "session_info", "redaction", "tool_run"}) {
    EXPECT_EQ(kind_of(mark), EntryKind::mark) << mark;
  }
  for (const char* type :
       {"message", "compaction_summary", "custom", "not_known_yet", "", "Head"}) {
    EXPECT_EQ(kind_of(type), EntryKind::tree) << type;
  }
}

TEST(Entry, IsReadWithAllItsMembers) {
  const std::string text =
      R"({"id":"a","parentId":"p","timestamp":"2026-01-31T08:00:00.000Z","type":"m\u0065ssage","runId":"r\n","payload":{"x":[1, 2]},"meta":{"y":0},"more":1})";
  const auto entry = parse_entry(std::string(text));
  ASSERT_TRUE(entry) << entry.error().message;
  EXPECT_EQ(entry->id, EntryId{"a"});
  EXPECT_EQ(entry->parent_id, EntryId{"p"});
  EXPECT_EQ(entry->type, "message");
  EXPECT_EQ(entry->timestamp, "2026-01-31T08:00:00.000Z");
  EXPECT_EQ(entry->run_id, "r\n");
  EXPECT_EQ(entry->payload(), R"({"x":[1, 2]})");
  EXPECT_EQ(entry->meta(), R"({"y":0})");
  EXPECT_EQ(entry->text, text);
  EXPECT_FALSE(entry->erased);
  EXPECT_FALSE(entry->flagged);
  EXPECT_EQ(entry->seq, 0U);
}

TEST(Entry, IsReadWithAsLittleAsIdAndType) {
  const auto entry = parse_entry(R"({"type":"","id":"a"})");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->parent_id, std::nullopt);
  EXPECT_EQ(entry->timestamp, "");
  EXPECT_EQ(entry->run_id, std::nullopt);
  EXPECT_EQ(entry->payload(), "");
  EXPECT_EQ(entry->meta(), "");
  EXPECT_EQ(parse_entry(R"({"type":"m","id":"a","parentId":null})")->parent_id, std::nullopt);
}

TEST(Entry, ThatIsATombstoneSaysSo) {
  EXPECT_TRUE(parse_entry(R"({"id":"a","type":"m","erased":"r1","digest":"00"})")->erased);
}

TEST(Entry, IsNotMadeFromWhatIsNone) {
  EXPECT_THAT(why_not("{"), HasSubstr("the entry is not valid JSON"));
  EXPECT_THAT(why_not("[]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(why_not(R"({"id":"a","type":"m","id":"a"})"), HasSubstr(R"("id" twice)"));
  EXPECT_THAT(why_not(R"({"id":"a","type":"m","digest":1,"digest":1})"), HasSubstr("twice"));
  EXPECT_THAT(why_not(R"({"type":"m"})"), HasSubstr(R"(no "id")"));
  EXPECT_THAT(why_not(R"({"id":"a/b","type":"m"})"), HasSubstr(R"(no "id")"));
  EXPECT_THAT(why_not(R"({"id":"a"})"), HasSubstr(R"(entry a has no "type")"));
  EXPECT_THAT(why_not(R"({"id":"a","type":1})"), HasSubstr(R"(no "type")"));
  EXPECT_THAT(why_not(R"({"id":"a","type":"m","parentId":""})"), HasSubstr("parentId"));
  EXPECT_THAT(why_not(R"({"id":"a","type":"m","parentId":1})"), HasSubstr("parentId"));
}

TEST(Entry, IsDraftedFromItsFields) {
  EXPECT_EQ(Draft::of({.type = "message"}).text, R"({"type":"message","payload":{}})");
  EXPECT_EQ(
      Draft::of({.type = "a\"b",
                 .payload = R"({"x":1})",
                 .id = EntryId{"i"},
                 .parent = Parent::of({"p"}),
                 .timestamp = "t",
                 .run_id = "r\n",
                 .meta = R"({"y":2})"})
          .text,
      R"({"id":"i","parentId":"p","timestamp":"t","type":"a\"b","runId":"r\n","payload":{"x":1},"meta":{"y":2}})");
  EXPECT_EQ(Draft::of({.type = "m", .parent = Parent::root()}).text,
            R"({"parentId":null,"type":"m","payload":{}})");
}

}  // namespace
}  // namespace logwood
