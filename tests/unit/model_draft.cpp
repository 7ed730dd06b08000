#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/draft.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view some_time = "2026-01-31T08:00:01.000Z";

CheckedDraft checked(std::string_view text, Newlines newlines = Newlines::refuse) {
  auto draft = check_draft(text, newlines);
  EXPECT_TRUE(draft) << text << ": " << draft.error().message;
  return draft ? *std::move(draft) : CheckedDraft{};
}

std::string refusal(std::string_view text) {
  const auto draft = check_draft(text, Newlines::refuse);
  if (draft) return "it was accepted";
  EXPECT_EQ(draft.error().code, ErrorCode::invalid_argument) << text;
  return draft.error().message;
}

std::string stored(const CheckedDraft& draft, const std::string& id = "new",
                   const std::optional<EntryId>& parent = EntryId{"before"}) {
  return stamped_body(draft, {id}, parent, some_time) + '}';
}

TEST(Draft, IsTakenWithTypeAndPayloadAlone) {
  const CheckedDraft draft = checked("\n {\"type\":\"message\",\"payload\":{}}\t\r\n");
  EXPECT_EQ(draft.text, R"({"type":"message","payload":{}})");
  EXPECT_EQ(draft.id, std::nullopt);
  EXPECT_EQ(draft.parent.at, Parent::At::head);
  EXPECT_FALSE(draft.has_parent);
  EXPECT_FALSE(draft.has_timestamp);
  EXPECT_EQ(draft.kind, EntryKind::tree);
  EXPECT_FALSE(draft.moves_head);
}

TEST(Draft, KeepsWhatTheCallerNames) {
  const CheckedDraft draft = checked(
      R"({"meta":{"x":1},"runId":"r","timestamp":"2026-01-31T08:00:00.000Z","parentId":"p","id":"i","type":"message","payload":{}})");
  EXPECT_EQ(draft.id, EntryId{"i"});
  EXPECT_EQ(draft.parent.at, Parent::At::entry);
  EXPECT_EQ(draft.parent.id, EntryId{"p"});
  EXPECT_TRUE(draft.has_parent);
  EXPECT_TRUE(draft.has_timestamp);
}

TEST(Draft, WithoutAParentIsARootOnlyWhenItSaysSo) {
  const CheckedDraft draft = checked(R"({"parentId":null,"type":"message","payload":{}})");
  EXPECT_EQ(draft.parent.at, Parent::At::root);
  EXPECT_TRUE(draft.has_parent);
}

TEST(Draft, KnowsMarksByTheirTypeHoweverItIsSpelled) {
  EXPECT_EQ(checked(R"({"type":"label","payload":{"target":"a","name":"n"}})").kind,
            EntryKind::mark);
  EXPECT_EQ(
      checked(R"({"type":"l\u0061bel","parentId":null,"payload":{"target":null,"name":"n"}})").kind,
      EntryKind::mark);
  EXPECT_EQ(checked(R"({"type":"Label","payload":{}})").kind, EntryKind::tree);
  for (const char* type : {"session_info", "tool_run"}) {
    const CheckedDraft draft = checked(R"({"type":")" + std::string(type) + R"(","payload":{}})");
    EXPECT_EQ(draft.kind, EntryKind::mark);
    EXPECT_FALSE(draft.moves_head);
  }
}

TEST(Draft, OfAHeadMarkHasATarget) {
  const CheckedDraft there = checked(R"({"type":"head","payload":{"target":"a"}})");
  EXPECT_TRUE(there.moves_head);
  EXPECT_EQ(there.target, EntryId{"a"});
  const CheckedDraft before = checked(R"({"type":"head","payload":{"target":null}})");
  EXPECT_TRUE(before.moves_head);
  EXPECT_EQ(before.target, std::nullopt);
  EXPECT_THAT(refusal(R"({"type":"head","payload":{}})"), HasSubstr("target"));
  EXPECT_THAT(refusal(R"({"type":"head","payload":{"target":7}})"), HasSubstr("target"));
  EXPECT_THAT(refusal(R"({"type":"head","payload":{"target":"a/b"}})"), HasSubstr("target"));
}

TEST(Draft, IsRefusedWithTheReason) {
  const auto refuses = [](std::string_view text, const char* reason) {
    EXPECT_THAT(refusal(text), HasSubstr(reason)) << text;
  };
  refuses("", "is not valid JSON at byte 0");
  refuses(" \n ", "is not valid JSON at byte 0");
  refuses("{\"type\":\"m\",\"payload\":{\"x\":\"\xff\"}}", "is not valid UTF-8");
  refuses("[]", "is not a JSON object");
  refuses("7", "is not a JSON object");
  refuses("{\"type\":\"m\",\n\"payload\":{}}", "line break");
  refuses("{\"type\":\"m\",\r\"payload\":{}}", "line break");
  refuses(R"({"type":"m","payload":{},"id":"a","id":"a"})", R"("id" occurs twice)");
  refuses(R"({"type":"m","payload":{},"\u0074ype":"m"})", R"("type" occurs twice)");
  refuses(R"({"type":"m","payload":{},"seal":1})", R"("seal" is a name that only the store)");
  refuses(R"({"type":"m","payload":{},"bl\u006fbs":1})", R"("blobs" is a name that only)");
  refuses(R"({"type":"m","payload":{},"erased":null})", R"("erased" is a name that only)");
  refuses(R"({"type":"m","payload":{},"digest":""})", R"("digest" is a name that only)");
  refuses(R"({"type":"m","payload":{},"id":7})", R"("id" must be a string)");
  refuses(R"({"type":"m","payload":{},"id":"\u0061"})", "without escapes");
  refuses(R"({"type":"m"})", R"("payload" is missing)");
  refuses(R"({"type":"m","payload":"{}"})", R"("payload" is missing or is not an object)");
  refuses(R"({"type":"m","payload":{},"meta":[]})", R"("meta" is not an object)");
  refuses(R"({"type":"m","payload":{},"runId":7})", R"("runId" is not a string)");
  refuses(R"({"type":"m","payload":{},"timestamp":0})", R"("timestamp" is not of the form)");
  refuses(R"({"type":"m","payload":{},"timestamp":"2025-02-29T00:00:00.000Z"})", "timestamp");
  refuses(R"({"payload":{}})", R"("type" is missing)");
  refuses(R"({"type":"","payload":{}})", R"("type" is missing)");
  refuses(R"({"type":7,"payload":{}})", R"("type" is missing or is not a string)");
  refuses(R"({"type":"\ud800","payload":{}})", R"("type" is missing or is not a string)");
  refuses(R"({"type":"session_header","payload":{}})", "one session_header");
  refuses(R"({"type":"redaction","payload":{}})", "no \"targets\"");
  refuses(R"({"type":"redaction","payload":{"targets":[{"id":"a","digest":"00"}]}})", "erasing");
  refuses(R"({"type":"m","payload":{},"parentId":"a b"})", R"("parentId" must be an id or null)");
  refuses(R"({"type":"m","payload":{},"parentId":false})", R"("parentId" must be an id or null)");
  refuses(R"({"type":"tool_run","payload":{},"parentId":"a"})", "a tool_run mark stands outside");
}

TEST(Draft, MayUseReservedNamesBelowTheTop) {
  checked(R"({"type":"m","payload":{"seal":1,"digest":2,"erased":3,"blobs":4,"id":5,"id":6}})");
}

TEST(Draft, HasASizeLimitThatCountsEveryByte) {
  const std::string front = R"({"type":"m","payload":{"x":")";
  const std::string back = R"("}})";
  std::string text = front + std::string(entry_size_max - front.size() - back.size(), 'x') + back;
  EXPECT_TRUE(check_draft(text, Newlines::refuse));
  text += ' ';
  EXPECT_THAT(refusal(text), HasSubstr("16777217 bytes; an entry has at most 16777216"));
}

TEST(Draft, HasItsLineBreaksReplacedOnRequest) {
  const CheckedDraft draft =
      checked("\n{\r\n\"id\":\"a\",\n\"type\" : \"m\",\r\"payload\":{\"x\":\"\\n\"}\n}\n",
              Newlines::to_spaces);
  EXPECT_EQ(draft.text, R"({  "id":"a", "type" : "m", "payload":{"x":"\n"} })");
  EXPECT_EQ(draft.id, EntryId{"a"});
  EXPECT_EQ(stored(draft), R"({"parentId":"before","timestamp":")" + std::string(some_time) +
                               R"(",  "id":"a", "type" : "m", "payload":{"x":"\n"} })");
}

TEST(Draft, IsStampedInFrontWithWhatItLacks) {
  EXPECT_EQ(
      stored(checked(R"({"type":"m","payload":{}})")),
      R"({"id":"new","parentId":"before","timestamp":"2026-01-31T08:00:01.000Z","type":"m","payload":{}})");
  EXPECT_EQ(
      stored(checked(R"({"type":"m","payload":{}})"), "new", std::nullopt),
      R"({"id":"new","parentId":null,"timestamp":"2026-01-31T08:00:01.000Z","type":"m","payload":{}})");
  EXPECT_EQ(
      stored(checked(R"({"type":"m","id":"a","payload":{},"parentId":"p"})")),
      R"({"timestamp":"2026-01-31T08:00:01.000Z","type":"m","id":"a","payload":{},"parentId":"p"})");
  const std::string full =
      R"({"payload":{} ,"type":"m","timestamp":"2026-01-31T08:00:00.000Z","id":"a","parentId":null})";
  EXPECT_EQ(stored(checked(full)), full);
}

TEST(Draft, IsStampsAndMembers) {
  const CheckedDraft draft = checked(R"({ "type":"m","payload":{} })");
  EXPECT_EQ(members_of(draft), R"( "type":"m","payload":{} )");
  EXPECT_EQ(stamps_of(draft, {"i"}, std::nullopt, some_time) + std::string(members_of(draft)),
            stamped_body(draft, {"i"}, std::nullopt, some_time));
}

TEST(Draft, StampedFitsTheRoomThatIsCountedForIt) {
  const CheckedDraft draft = checked(R"({"type":"m","payload":{}})");
  const std::string longest(99, 'i');
  const std::string body = stamped_body(draft, {longest}, EntryId{longest}, some_time);
  EXPECT_LE(body.size() + 112, draft.text.size() + stamps_and_seal_size);
}

TEST(Draft, IsTheSameAsWhatItBecame) {
  for (const char* text :
       {R"({"type":"m","payload":{}})", R"({"type":"m","payload":{},"id":"new"})",
        R"({"parentId":null,"type":"m","payload":{"s":"\ud800"}})",
        R"({"timestamp":"2026-01-31T08:00:00.000Z","type":"m","payload":{}})",
        R"({ "type":"m" , "payload":{} })"}) {
    const CheckedDraft draft = checked(text);
    EXPECT_TRUE(is_same(draft, stored(draft))) << text;
    EXPECT_TRUE(is_same(draft, stored(draft, "new", std::nullopt))) << text;
  }
}

TEST(Draft, IsNotTheSameAsAnythingElse) {
  const CheckedDraft draft = checked(R"({"id":"a","type":"m","payload":{"x":1}})");
  const std::string kept = stored(draft);
  ASSERT_TRUE(is_same(draft, kept));
  for (const char* other :
       {R"({"id":"a","type":"m","payload":{"x":1.0}})",
        R"({"id":"a","type":"m","payload":{"x":2}})", R"({"id":"a", "type":"m","payload":{"x":1}})",
        R"({"type":"m","id":"a","payload":{"x":1}})",
        R"({"id":"a","type":"m","payload":{"x":1},"meta":{}})",
        R"({"id":"a","type":"m","payload":{"x":1},"parentId":"before"})",
        R"({"id":"b","type":"m","payload":{"x":1}})"}) {
    EXPECT_FALSE(is_same(checked(other), kept)) << other;
    EXPECT_FALSE(is_same(draft, stored(checked(other)))) << other;
  }
  EXPECT_FALSE(is_same(draft, ""));
  EXPECT_FALSE(is_same(draft, "{}"));
  EXPECT_FALSE(is_same(draft, draft.text));  // its stamps are missing
}

TEST(Draft, IsNotTheSameWhenMoreThanStampsStandInFront) {
  const CheckedDraft draft = checked(R"({"type":"m","payload":{}})");
  EXPECT_FALSE(is_same(
      draft,
      R"({"id":"a","parentId":null,"timestamp":"2026-01-31T08:00:01.000Z","runId":"r","type":"m","payload":{}})"));
  EXPECT_FALSE(
      is_same(draft, R"({"parentId":null,"id":"a","timestamp":"t","type":"m","payload":{}})"));
  EXPECT_FALSE(is_same(draft, R"({"id":"a","parentId":null,"type":"m","payload":{}})"));
  EXPECT_FALSE(
      is_same(draft, R"({"id":7,"parentId":null,"timestamp":"t","type":"m","payload":{}})"));
  EXPECT_FALSE(is_same(draft, R"(["type":"m","payload":{}])"));
}

TEST(Draft, GivenAParentIsNotTheSameAsOneThatGrewAtTheHead) {
  const CheckedDraft at_head = checked(R"({"type":"m","payload":{}})");
  const CheckedDraft given = checked(R"({"parentId":"before","type":"m","payload":{}})");
  EXPECT_FALSE(is_same(given, stored(at_head)));
  EXPECT_FALSE(is_same(at_head, stored(given)));
}

}  // namespace
}  // namespace logwood
