// Appending: what is kept, where it grows, what is refused, and what a retry is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Appending : public OnEveryBackend {};

TEST_P(Appending, KeepsWhatWasAppendedInOrder) {
  const SessionId session = make_session();
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(store_->append(session, message(id, "hello")));

  reopen();

  EXPECT_THAT(loaded(session), ElementsAre("a", "b", "c"));
}

TEST_P(Appending, ReportsAnAppendAsTheDesignNamesIt) {
  const SessionId session = make_session();
  const Draft batch[] = {message("a", "1"), message("b", "2")};

  auto first = store_->append(session, batch);
  auto again = store_->append(session, batch);

  ASSERT_TRUE(first);
  EXPECT_EQ(first->session_id, session);
  EXPECT_EQ(first->last_appended_entry_id.text, "b");
  EXPECT_EQ(first->appended_count, 2U);
  EXPECT_FALSE(first->replayed);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->last_appended_entry_id.text, "b");
  EXPECT_EQ(again->appended_count, 0U);
  EXPECT_TRUE(again->replayed);
}

TEST_P(Appending, ReturnsTheVeryBytesThatWereGiven) {
  const SessionId session = make_session();
  const std::string payload =
      R"({"b":1.0,  "a":1e400,"a":123456789012345678901234567890,"s":"\u0000 \ud800 \/ é 🙂","-":-0})";

  ASSERT_TRUE(store_->append(
      session, Draft::of({.type = "custom", .payload = payload, .id = EntryId{"x"}})));
  reopen();

  auto entry = store_->find(session, {"x"});
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->payload(), payload);
}

TEST_P(Appending, KeepsUnknownMembersAndTypes) {
  const SessionId session = make_session();
  const Draft draft{
      R"({"future":{"x":[1,2]},"type":"not_known_yet","id":"x","payload":{},"parentId":null})"};

  ASSERT_TRUE(store_->append(session, draft));

  auto entry = store_->find(session, {"x"});
  ASSERT_TRUE(entry);
  EXPECT_THAT(entry->text, HasSubstr(R"("future":{"x":[1,2]},"type":"not_known_yet")"));
  EXPECT_EQ(entry->type, "not_known_yet");
}

TEST_P(Appending, StampsWhatTheDraftLacks) {
  const SessionId session = make_session();

  auto first = store_->append(session, message("hello"));
  auto second = store_->append(session, message("again"));

  ASSERT_TRUE(first && second);
  auto entry = store_->find(session, second->last_appended_entry_id);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->parent_id, first->last_appended_entry_id);
  EXPECT_EQ(entry->timestamp.size(), std::string("2026-01-31T23:59:59.999Z").size());
  EXPECT_EQ(entry->id.text.size(), 36U);
}

TEST_P(Appending, TheFirstEntryIsARootAndABatchIsAChain) {
  const SessionId session = make_session();
  const Draft batch[] = {message("a", "1"), message("b", "2"), message("c", "3")};

  ASSERT_TRUE(store_->append(session, batch));

  EXPECT_EQ(store_->find(session, {"a"})->parent_id, std::nullopt);
  EXPECT_EQ(store_->find(session, {"b"})->parent_id, EntryId{"a"});
  EXPECT_EQ(store_->find(session, {"c"})->parent_id, EntryId{"b"});
}

TEST_P(Appending, GrowsUnderAnOlderParentOrANewRoot) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(store_->append(session, message("b", "2")));

  ASSERT_TRUE(store_->append(
      session, Draft::of({.type = "message", .id = EntryId{"c"}, .parent = Parent::of({"a"})})));
  ASSERT_TRUE(store_->append(
      session, Draft::of({.type = "message", .id = EntryId{"r"}, .parent = Parent::root()})));

  EXPECT_EQ(store_->find(session, {"c"})->parent_id, EntryId{"a"});
  EXPECT_EQ(store_->find(session, {"r"})->parent_id, std::nullopt);
  EXPECT_EQ(store_->status(session)->head, EntryId{"r"});
}

TEST_P(Appending, RefusesAParentThatDoesNotExistAndAppendsNothing) {
  const SessionId session = make_session();
  const Draft batch[] = {
      message("a", "1"),
      Draft::of({.type = "message", .id = EntryId{"b"}, .parent = Parent::of({"no"})})};

  EXPECT_EQ(code_of(store_->append(session, batch)), ErrorCode::not_found);
  EXPECT_THAT(loaded(session), IsEmpty());
}

TEST_P(Appending, RefusesMarksAndTheHeaderAsParents) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(store_->append(
      session,
      Draft::of({.type = "label", .payload = R"({"target":"a","name":"x"})", .id = EntryId{"m"}})));
  for (const std::string& parent : {std::string("m"), session.text}) {
    auto result =
        store_->append(session, Draft::of({.type = "message", .parent = Parent::of({parent})}));
    EXPECT_EQ(code_of(result), ErrorCode::invalid_argument) << parent;
  }
}

TEST_P(Appending, AppendsOnlyOnTheExpectedTail) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1"), {.expected_tail = ExpectedTail{}}));
  ASSERT_TRUE(
      store_->append(session, message("b", "2"), {.expected_tail = ExpectedTail{EntryId{"a"}}}));

  auto stale =
      store_->append(session, message("c", "3"), {.expected_tail = ExpectedTail{EntryId{"a"}}});
  auto none = store_->append(session, message("d", "4"), {.expected_tail = ExpectedTail{}});

  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, ErrorCode::conflict);
  EXPECT_EQ(stale.error().actual_tail, "b");
  EXPECT_THAT(stale.error().message, HasSubstr("you expected entry a"));
  EXPECT_EQ(code_of(none), ErrorCode::conflict);
  EXPECT_THAT(loaded(session), ElementsAre("a", "b"));
}

TEST_P(Appending, MarksDoNotMoveTheTailExceptHead) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(store_->append(session, message("b", "2")));
  ASSERT_TRUE(store_->append(
      session,
      Draft::of({.type = "session_info", .payload = R"({"title":"t"})", .id = EntryId{"i"}})));
  EXPECT_EQ(store_->status(session)->tail, EntryId{"b"});

  ASSERT_TRUE(store_->append(
      session, Draft::of({.type = "head", .payload = R"({"target":"a"})", .id = EntryId{"h"}})));
  reopen();

  EXPECT_EQ(store_->status(session)->tail, EntryId{"h"});
  EXPECT_EQ(store_->status(session)->head, EntryId{"a"});
  ASSERT_TRUE(store_->append(session, message("c", "3")));
  EXPECT_EQ(store_->find(session, {"c"})->parent_id, EntryId{"a"});
}

TEST_P(Appending, TheHeadMayStandBeforeTheFirstEntry) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(
      store_->append(session, Draft::of({.type = "head", .payload = R"({"target":null})"})));
  EXPECT_EQ(store_->status(session)->head, std::nullopt);
  ASSERT_TRUE(store_->append(session, message("b", "2")));
  EXPECT_EQ(store_->find(session, {"b"})->parent_id, std::nullopt);
}

TEST_P(Appending, RefusesAHeadMarkWithoutATargetInTheTree) {
  const SessionId session = make_session();
  EXPECT_EQ(code_of(store_->append(session,
                                   Draft::of({.type = "head", .payload = R"({"target":"no"})"}))),
            ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->append(session, Draft::of({.type = "head", .payload = "{}"}))),
            ErrorCode::invalid_argument);
}

TEST_P(Appending, ARetryAfterALostAcknowledgementSucceedsAlthoughTheTailMoved) {
  const SessionId session = make_session();
  const AppendOptions expecting{.expected_tail = ExpectedTail{}};
  ASSERT_TRUE(store_->append(session, message("a", "1"), expecting));
  ASSERT_TRUE(store_->append(session, message("b", "2")));

  auto retry = store_->append(session, message("a", "1"), expecting);

  ASSERT_TRUE(retry) << retry.error().message;
  EXPECT_TRUE(retry->replayed);
  EXPECT_THAT(loaded(session), ElementsAre("a", "b"));
}

TEST_P(Appending, TheSameIdWithOtherContentIsAnIdConflict) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  EXPECT_EQ(code_of(store_->append(session, message("a", "2"))), ErrorCode::id_conflict);
  EXPECT_THAT(loaded(session), ElementsAre("a"));
}

TEST_P(Appending, PartOfABatchKnownIsAnIdConflictAndNothingIsAppended) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  const Draft batch[] = {message("a", "1"), message("b", "2")};
  EXPECT_EQ(code_of(store_->append(session, batch)), ErrorCode::id_conflict);
  EXPECT_THAT(loaded(session), ElementsAre("a"));
}

TEST_P(Appending, AnIdTwiceInOneBatchIsAnIdConflict) {
  const SessionId session = make_session();
  const Draft batch[] = {message("a", "1"), message("a", "1")};
  EXPECT_EQ(code_of(store_->append(session, batch)), ErrorCode::id_conflict);
  EXPECT_EQ(code_of(store_->append(session, message(session.text, "1"))), ErrorCode::id_conflict);
}

TEST_P(Appending, StampedMembersDoNotCountWhenABatchIsRepeated) {
  const SessionId session = make_session();
  const Draft draft{R"(  {"type":"message","payload":{"x":1},"id":"a"} )"};
  ASSERT_TRUE(store_->append(session, draft));
  ASSERT_TRUE(store_->append(session, message("b", "2")));
  auto again = store_->append(session, draft);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->replayed);
  const Draft spaced{R"({"type":"message", "payload":{"x":1},"id":"a"})"};
  EXPECT_EQ(code_of(store_->append(session, spaced)), ErrorCode::id_conflict);
}

TEST_P(Appending, AnOperationIdMakesAppendsWithoutIdsRepeatable) {
  const SessionId session = make_session();
  const Draft batch[] = {message("one"), message("two")};
  const AppendOptions named{.operation_id = "turn 7"};

  auto first = store_->append(session, batch, named);
  auto again = store_->append(session, batch, named);
  auto other = store_->append(session, batch, {.operation_id = "turn 8"});

  ASSERT_TRUE(first && again && other);
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->last_appended_entry_id, first->last_appended_entry_id);
  EXPECT_FALSE(other->replayed);
  EXPECT_EQ(loaded(session).size(), 4U);
  EXPECT_EQ(code_of(store_->append(session, batch[0], named)), ErrorCode::id_conflict);
  EXPECT_EQ(code_of(store_->append(session, message("three"), named)), ErrorCode::id_conflict);
}

TEST_P(Appending, RefusesDraftsThatAreNotEntries) {
  const SessionId session = make_session();
  const std::string bad[] = {
      "",
      "null",
      "[]",
      "{",
      R"({"type":"message"})",
      R"({"payload":{}})",
      R"({"type":"message","payload":[]})",
      R"({"type":"","payload":{}})",
      R"({"type":"message","payload":{},"id":"a/b"})",
      R"({"type":"message","payload":{},"id":""})",
      R"({"type":"message","payload":{},"id":7})",
      R"({"type":"message","payload":{},"parentId":7})",
      R"({"type":"message","payload":{},"timestamp":"yesterday"})",
      R"({"type":"message","payload":{},"timestamp":"2026-02-30T00:00:00.000Z"})",
      R"({"type":"message","payload":{},"runId":1})",
      R"({"type":"message","payload":{},"meta":1})",
      R"({"type":"message","payload":{},"seal":"x"})",
      R"({"type":"message","payload":{},"\u0073eal":"x"})",
      R"({"type":"message","payload":{},"digest":"x"})",
      R"({"type":"message","payload":{},"erased":"x"})",
      R"({"type":"message","payload":{},"blobs":[]})",
      R"({"type":"message","type":"custom","payload":{}})",
      R"({"type":"session_header","payload":{}})",
      R"({"type":"redaction","payload":{}})",
      R"({"type":"label","payload":{},"parentId":"a"})",
      "{\"type\":\"message\",\n\"payload\":{}}",
      "{\"type\":\"message\",\"payload\":{\"x\":\"\xff\"}}",
  };
  for (const std::string& text : bad) {
    auto result = store_->append(session, Draft{text});
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument) << text;
    EXPECT_THAT(result.error().message, HasSubstr("draft 1 of 1: ")) << text;
  }
  EXPECT_THAT(loaded(session), IsEmpty());
}

TEST_P(Appending, ReplacesLineBreaksWhenAskedTo) {
  const SessionId session = make_session();
  const Draft draft{"{\"id\":\"a\",\r\n\"type\":\"message\",\n\"payload\":{}}"};
  ASSERT_TRUE(store_->append(session, draft, {.newlines = Newlines::to_spaces}));
  EXPECT_THAT(store_->find(session, {"a"})->text,
              HasSubstr(R"("id":"a",  "type":"message", "payload")"));
  auto again = store_->append(session, draft, {.newlines = Newlines::to_spaces});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->replayed);
}

TEST_P(Appending, HoldsTheLimitsOfABatch) {
  const SessionId session = make_session();
  EXPECT_EQ(code_of(store_->append(session, std::span<const Draft>())),
            ErrorCode::invalid_argument);
  std::vector<Draft> batch(1024, message("x"));
  EXPECT_TRUE(store_->append(session, batch));
  batch.push_back(message("y"));
  EXPECT_EQ(code_of(store_->append(session, batch)), ErrorCode::invalid_argument);
}

TEST_P(Appending, TakesAnEntryOfFullSizeAndNoneBeyond) {
  const SessionId session = make_session();
  const std::string frame = R"({"id":"big","type":"message","payload":{"x":""}})";
  const std::size_t room = (16U << 20U) - frame.size();
  const auto sized = [&](std::size_t size) {
    return Draft{R"({"id":"big","type":"message","payload":{"x":")" + std::string(size, 'x') +
                 "\"}}"};
  };
  EXPECT_EQ(code_of(store_->append(session, sized(room + 1))), ErrorCode::invalid_argument);
  ASSERT_TRUE(store_->append(session, sized(room)));
  reopen();
  auto entry = store_->find(session, {"big"});
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->payload().size(), room + std::string(R"({"x":""})").size());
}

TEST_P(Appending, RefusesABatchBeyondItsSize) {
  const SessionId session = make_session();
  const std::vector<Draft> batch(5, message(std::string(14U << 20U, 'x')));
  EXPECT_EQ(code_of(store_->append(session, batch)), ErrorCode::invalid_argument);
}

LOGWOOD_ON_EVERY_BACKEND(Appending);

}  // namespace
}  // namespace logwood
