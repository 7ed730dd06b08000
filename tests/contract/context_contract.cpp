// Contexts, resuming, turns, usage and redaction: the same on every backend.
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

class Contexts : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
  }

  void append(const std::string& id, const std::string& type, const std::string& payload,
              const std::string& run_id = "") {
    DraftFields fields{.type = type, .payload = payload, .id = EntryId{id}};
    if (!run_id.empty()) fields.run_id = run_id;
    const auto appended = store_->append(session_, Draft::of(fields));
    ASSERT_TRUE(appended) << appended.error().message;
  }
  void user(const std::string& id, const std::string& text) {
    append(id, "message", R"({"role":"user","content":")" + text + "\"}");
  }
  void assistant(const std::string& id, const std::string& text) {
    append(id, "message", R"({"role":"assistant","content":")" + text + "\"}");
  }
  void call(const std::string& id, const std::string& call_id) {
    append(id, "message",
           R"({"role":"assistant","content":[{"type":"tool_use","id":")" + call_id +
               R"(","name":"bash","input":{}}]})");
  }
  void result(const std::string& id, const std::string& call_id) {
    append(id, "message",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + call_id +
               R"(","content":"ok"}]})");
  }

  Context context(const ContextOptions& options = {}) {
    auto found = store_->context(session_, options);
    EXPECT_TRUE(found) << found.error().message;
    return *std::move(found);
  }
  static std::vector<std::string> ids_of(const Context& context) {
    std::vector<std::string> found;
    for (const ContextMessage& message : context.messages) found.push_back(message.entry_id.text);
    return found;
  }

  SessionId session_;
};

TEST_P(Contexts, OfAnEmptySessionIsEmpty) {
  const Context empty = context();
  EXPECT_EQ(empty.tip, std::nullopt);
  EXPECT_THAT(empty.messages, IsEmpty());
  EXPECT_EQ(empty.turns, 0U);
  EXPECT_EQ(empty.settings, Settings{});
}

TEST_P(Contexts, IsThePathWithItsSettings) {
  append("init", "runtime_init", R"({"systemPrompt":"be kind","tools":[{"name":"bash"}]})");
  append("m1", "model_change", R"({"api":"anthropic-messages","provider":"a","model":"one"})");
  user("1", "hi");
  assistant("2", "hello");
  append("m2", "model_change", R"({"api":"openai-chat","provider":"b","model":"two"})");
  append("t", "thinking_level_change", R"({"level":"high"})");
  append("c", "custom", R"({"any":"thing"})");
  user("3", "go on");
  const Context now = context();
  EXPECT_THAT(ids_of(now), ElementsAre("1", "2", "3"));
  EXPECT_EQ(now.tip, EntryId{"3"});
  EXPECT_EQ(now.turns, 2U);
  EXPECT_EQ(now.messages[1].role, "assistant");
  EXPECT_EQ(now.messages[1].payload, R"({"role":"assistant","content":"hello"})");
  EXPECT_EQ(now.settings.model, "two");
  EXPECT_EQ(now.settings.api, "openai-chat");
  EXPECT_EQ(now.settings.thinking_level, "high");
  EXPECT_EQ(now.settings.system_prompt, "be kind");
  EXPECT_EQ(now.settings.tools, R"([{"name":"bash"}])");
  EXPECT_THAT(now.passed_over, ElementsAre(PassedOver{{"c"}, PassedOverReason::not_for_models}));

  EXPECT_EQ(context({.tip = EntryId{"2"}}).settings.model, "one");
  EXPECT_EQ(code_of(store_->context(session_, {.tip = EntryId{"9"}})), ErrorCode::not_found);
}

TEST_P(Contexts, AnOverrideOfThePromptStandsUntilItEnds) {
  append("init", "runtime_init", R"({"systemPrompt":"be kind"})");
  append("o", "system_prompt_override", R"({"systemPrompt":"be brief"})");
  EXPECT_EQ(context().settings.system_prompt, "be brief");
  ASSERT_TRUE(store_->compact(session_, "so far", std::nullopt));
  EXPECT_EQ(context().settings.system_prompt, "be brief");
  append("e", "system_prompt_override", R"({"systemPrompt":null})");
  EXPECT_EQ(context().settings.system_prompt, "be kind");
}

TEST_P(Contexts, OfABranchHasNothingOfTheOther) {
  user("1", "hi");
  assistant("2", "hello");
  user("3", "left");
  ASSERT_TRUE(store_->move_head(session_, EntryId{"2"}));
  EXPECT_THAT(ids_of(context()), ElementsAre("1", "2"));
  user("4", "right");
  EXPECT_THAT(ids_of(context()), ElementsAre("1", "2", "4"));
  EXPECT_THAT(ids_of(context({.tip = EntryId{"3"}})), ElementsAre("1", "2", "3"));
  ASSERT_TRUE(store_->move_head(session_, std::nullopt));
  EXPECT_THAT(ids_of(context()), IsEmpty());
}

TEST_P(Contexts, BeginsWithTheNewestCompaction) {
  append("m", "model_change", R"({"api":"x","provider":"y","model":"z"})");
  user("1", "old");
  assistant("2", "older");
  user("3", "kept");
  assistant("4", "kept too");
  auto compacted = store_->compact(session_, "they said things", EntryId{"3"});
  ASSERT_TRUE(compacted) << compacted.error().message;
  user("5", "new");
  const std::string summary = compacted->last_appended_entry_id.text;
  const Context now = context();
  EXPECT_THAT(ids_of(now), ElementsAre(summary, "3", "4", "5"));
  EXPECT_EQ(now.compaction, EntryId{summary});
  EXPECT_EQ(now.messages[0].type, "compaction_summary");
  EXPECT_THAT(now.messages[0].payload, HasSubstr(R"("summary":"they said things")"));
  EXPECT_EQ(now.settings.model, "z");
  EXPECT_EQ(now.turns, 2U);

  EXPECT_EQ(code_of(store_->compact(session_, "s", EntryId{"1"})), ErrorCode::invalid_argument)
      << "what is behind a compaction cannot be kept by the next";

  auto again = store_->compact(session_, "all of it", std::nullopt);
  ASSERT_TRUE(again);
  user("6", "newest");
  EXPECT_THAT(ids_of(context()), ElementsAre(again->last_appended_entry_id.text, "6"));
  EXPECT_EQ(context().settings.model, "z") << "carried from one compaction to the next";
}

TEST_P(Contexts, LeavesOutWholeTurnsUntilTheRestFits) {
  const std::string text(400, 'x');  // about a hundred tokens
  for (int turn = 0; turn < 4; ++turn) {
    const std::string number = std::to_string(turn);
    user("u" + number, text);
    call("c" + number, "call" + number);
    result("r" + number, "call" + number);
    assistant("a" + number, text);
  }
  const Context all = context();
  EXPECT_EQ(all.turns, 4U);
  EXPECT_TRUE(all.size.estimated);
  const Context half = context({.max_tokens = all.size.tokens / 2});
  EXPECT_EQ(half.turns, 2U);
  EXPECT_LE(half.size.tokens, all.size.tokens / 2);
  EXPECT_THAT(ids_of(half), ElementsAre("u2", "c2", "r2", "a2", "u3", "c3", "r3", "a3"));
  EXPECT_EQ(half.passed_over.size(), 8U);
  EXPECT_TRUE(half.fits);
  const Context tight = context({.max_tokens = 1});
  EXPECT_EQ(tight.turns, 1U) << "the last turn stays";
  EXPECT_FALSE(tight.fits);
}

TEST_P(Contexts, CountsWhatTheProviderCounted) {
  const auto said = [&](const std::string& id, int input, int output) {
    append(id, "message",
           R"({"role":"assistant","content":"x","usage":{"input_tokens":)" + std::to_string(input) +
               R"(,"output_tokens":)" + std::to_string(output) + "}}");
  };
  user("1", "a");
  said("2", 1000, 50);
  user("3", "b");
  said("4", 1300, 100);
  user("5", "c");
  said("6", 1500, 60);
  const Context all = context();
  EXPECT_EQ(all.size.tokens, 1560U);
  EXPECT_FALSE(all.size.estimated);
  const Context less = context({.max_tokens = 1559});
  EXPECT_THAT(ids_of(less), ElementsAre("3", "4", "5", "6"));
  EXPECT_TRUE(less.size.estimated) << "what the first turn took is not known for sure";
}

TEST_P(Contexts, HideWhatIsRedacted) {
  user("1", "my password is hunter2, keep it");
  assistant("2", "it is hunter2");
  user("3", "secret");
  EXPECT_THAT(ids_of(context()), ElementsAre("1", "2", "3"));  // and now it is kept
  ASSERT_TRUE(store_->redact(
      session_, {{{"1"}, "/payload/content", {{15, 22}}}, {{"2"}, "/payload/content"}, {{"3"}}},
      "it was a password"));
  reopen();
  const Context now = context();
  EXPECT_THAT(ids_of(now), ElementsAre("1", "2"));
  EXPECT_EQ(now.messages[0].payload,
            R"({"role":"user","content":"my password is [redacted], keep it"})");
  EXPECT_EQ(now.messages[1].payload, R"({"role":"assistant","content":"[redacted]"})");
  EXPECT_THAT(now.passed_over, ElementsAre(PassedOver{{"3"}, PassedOverReason::redacted}));

  EXPECT_EQ(code_of(store_->redact(session_, {{{"9"}}})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->redact(session_, {})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->redact(session_, {{{session_.text}}})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->redact(session_, {{{"1"}, "payload"}})), ErrorCode::invalid_argument);
}

TEST_P(Contexts, ThatAreKeptSeeWhatOthersAppended) {
  user("1", "secret");
  EXPECT_EQ(context().messages.size(), 1U);
  // Around the Store that keeps the context, as another process would.
  ASSERT_TRUE(store_->append(session_,
                             Draft{R"({"type":"redaction","payload":{"targets":[{"id":"1"}]}})"}));
  EXPECT_EQ(context().messages.size(), 0U);
  store_->clear_context_cache();
  EXPECT_EQ(context().messages.size(), 0U);
}

TEST_P(Contexts, ACallWhoseIdCameBeforeIsNotAnsweredByTheEarlierResult) {
  user("1", "look twice");
  const std::string call =
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"read:0","type":"function",)"
      R"("function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]})";
  append("2", "message", call);
  append("3", "message", R"({"role":"tool","tool_call_id":"read:0","content":"x"})");
  append("4", "message", call);
  const auto resumed = store_->resume(session_);
  ASSERT_TRUE(resumed);
  EXPECT_THAT(resumed->report.unfinished,
              ElementsAre(UnfinishedCall{
                  {"4"}, "read:0", "read", CallState::requested, R"({"path":"a"})"}));
}

TEST_P(Contexts, ResumeTellsWhatIsUnfinished) {
  user("1", "run the tests");
  append("2", "message",
         R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"bash","input":{}},)"
         R"({"type":"tool_use","id":"b","name":"read","input":{}},)"
         R"({"type":"tool_use","id":"c","name":"write","input":{}}]})");
  result("3", "a");
  ASSERT_TRUE(store_->mark_tool_run(session_, "b", "read"));
  reopen();
  auto resumed = store_->resume(session_);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->header.id, session_);
  EXPECT_EQ(resumed->head, EntryId{"3"});
  EXPECT_EQ(resumed->report.turns_restored, 1U);
  EXPECT_THAT(resumed->report.unfinished,
              ElementsAre(UnfinishedCall{{"2"}, "b", "read", CallState::started, "{}"},
                          UnfinishedCall{{"2"}, "c", "write", CallState::requested, "{}"}));
  EXPECT_THAT(resumed->report.problems, IsEmpty());

  for (const UnfinishedCall& one : resumed->report.unfinished) {
    auto answered = store_->answer(session_, one, {.text = "interrupted"});
    ASSERT_TRUE(answered) << answered.error().message;
  }
  EXPECT_EQ(code_of(store_->answer(session_, {{"2"}, "b", "read"}, {.text = "twice"})),
            ErrorCode::already_exists);
  EXPECT_EQ(code_of(store_->answer(session_, {{"2"}, "z", "read"}, {.text = "to nothing"})),
            ErrorCode::already_exists);
  resumed = store_->resume(session_);
  EXPECT_THAT(resumed->report.unfinished, IsEmpty());
  ASSERT_EQ(resumed->context.messages.size(), 5U);
  EXPECT_EQ(resumed->context.messages[4].payload,
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c",)"
            R"("content":"interrupted","is_error":true}]})");
}

TEST_P(Contexts, AnAnswerGrowsFromItsCallWhereOthersWentOn) {
  user("1", "run the tests");
  call("2", "a");
  user("3", "never mind");
  const auto resumed = store_->resume(session_);
  ASSERT_EQ(resumed->report.unfinished.size(), 1U);
  const auto answered =
      store_->answer(session_, resumed->report.unfinished[0], {.text = "done", .failed = false});
  ASSERT_TRUE(answered);
  EXPECT_EQ(store_->find(session_, answered->last_appended_entry_id)->parent_id, EntryId{"2"});
}

TEST_P(Contexts, TheLatestOfAKeyOrAFolderIsResumed) {
  EXPECT_EQ(code_of(store_->resume_latest({.key = "k"})), ErrorCode::not_found);
  // Made in one millisecond, they are told apart by their ids.
  ASSERT_TRUE(store_->create({.id = SessionId{"1"}, .key = "k", .cwd = "/a"}));
  const auto newer = store_->create({.id = SessionId{"2"}, .key = "k", .cwd = "/b"});
  EXPECT_EQ(store_->resume_latest({.key = "k"})->header.id, newer->id);
  EXPECT_EQ(store_->resume_latest({.cwd = "/b"})->header.id, newer->id);
  EXPECT_NE(store_->resume_latest({.cwd = "/a"})->header.id, newer->id);
  const auto switched = store_->switch_session(session_, newer->id);
  ASSERT_TRUE(switched);
  EXPECT_EQ(switched->header.id, newer->id);
}

// The five lines of an agent's transcript, and the messages they are rebuilt to.
TEST_P(Contexts, GiveBackATranscript) {
  ASSERT_TRUE(store_->save_turn(
      session_,
      {.run_id = "run",
       .messages = {
           R"({"role":"user","content":"hello"})",
           R"({"role":"assistant","content":"Hi there! How can I help?"})",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"tu_001","name":"read_file","input":{"path":"config.json"}}]})",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_001","content":"{\"key\": \"value\"}"}]})"}}));
  reopen();
  const auto resumed = store_->resume(session_);
  std::vector<std::string> messages;
  for (const ContextMessage& one : resumed->context.messages) {
    messages.push_back(one.payload);
    EXPECT_EQ(one.run_id, "run");
  }
  EXPECT_THAT(
      messages,
      ElementsAre(
          R"({"role":"user","content":"hello"})",
          R"({"role":"assistant","content":"Hi there! How can I help?"})",
          R"({"role":"assistant","content":[{"type":"tool_use","id":"tu_001","name":"read_file","input":{"path":"config.json"}}]})",
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_001","content":"{\"key\": \"value\"}"}]})"));
  EXPECT_EQ(resumed->report.turns_restored, 1U);
  EXPECT_THAT(resumed->report.unfinished, IsEmpty());
}

TEST_P(Contexts, ATurnIsThereOrNotAtAll) {
  const auto refused =
      store_->save_turn(session_, {.messages = {R"({"role":"user"})", R"({},"meta":{})"}});
  EXPECT_EQ(code_of(refused), ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("message 2 of the turn"));
  EXPECT_EQ(code_of(store_->save_turn(session_, {.messages = {"[]"}})),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->append_deltas(session_, {"1"}, "{}")), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->append_deltas(session_, {"1"}, "")), ErrorCode::invalid_argument);
  EXPECT_THAT(loaded(session_), IsEmpty());
}

TEST_P(Contexts, AStreamGivesWayToItsMessage) {
  user("1", "hi");
  ASSERT_TRUE(store_->append_deltas(session_, {"2"}, R"([{"text":"hel"}])", "run"));
  Context now = context();
  EXPECT_THAT(ids_of(now), ElementsAre("1"));
  ASSERT_EQ(now.passed_over.size(), 1U);
  EXPECT_EQ(now.passed_over[0].reason, PassedOverReason::unfinished_stream);
  assistant("2", "hello");
  now = context();
  EXPECT_THAT(ids_of(now), ElementsAre("1", "2"));
  EXPECT_EQ(now.passed_over[0].reason, PassedOverReason::stream);
}

TEST_P(Contexts, UsageIsSummedAndUnknownStaysUnknown) {
  EXPECT_EQ(store_->usage(session_)->tokens, Usage{});
  user("1", "hi");
  assistant("2", "without a count");
  EXPECT_EQ(store_->usage(session_)->tokens, Usage{});
  EXPECT_EQ(store_->usage(session_)->messages_uncounted, 1U);
  append("3", "message",
         R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"bash"}],)"
         R"("usage":{"input_tokens":10,"output_tokens":3}})",
         "run");
  append("4", "message",
         R"({"role":"assistant","content":"x","usage":{"input_tokens":5,"output_tokens":1,)"
         R"("cache_read_input_tokens":7}})",
         "run");
  const auto used = store_->usage(session_);
  EXPECT_EQ(used->tokens, (Usage{15, 4, 7, std::nullopt}));
  EXPECT_EQ(used->messages, 3U);
  EXPECT_EQ(used->tool_calls, 1U);
  EXPECT_EQ(used->runs, 1U);
  EXPECT_TRUE(used->duration.has_value());
  reopen();
  EXPECT_EQ(store_->usage(session_)->tokens, used->tokens);
}

LOGWOOD_ON_EVERY_BACKEND(Contexts);

}  // namespace
}  // namespace logwood
