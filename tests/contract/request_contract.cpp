// Sessions as requests for models: the same on every backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const ModelRef claude{"anthropic-messages", "anthropic", "claude-opus-5-5"};
const ModelRef gpt{"openai-chat", "openai", "gpt-4.1"};
const ModelRef gemini{"gemini", "google", "gemini-3.1-pro-preview"};

class Requests : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
  }

  void append(const std::string& id, const std::string& type, const std::string& payload,
              const std::string& meta = {}) {
    const auto appended = store_->append(
        session_, Draft::of({.type = type, .payload = payload, .id = EntryId{id}, .meta = meta}));
    ASSERT_TRUE(appended) << appended.error().message;
  }
  void user(const std::string& id, const std::string& text) {
    append(id, "message", R"({"role":"user","content":")" + text + "\"}");
  }
  // What claude says, thinking first.
  void think(const std::string& id, const std::string& text, const std::string& prefix_hash = {}) {
    append(
        id, "message",
        R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"QUJD"},)"
        R"({"type":"text","text":")" +
            text + "\"}]}",
        MessageOrigin{claude, prefix_hash}.to_meta());
  }

  Request request(const ModelRef& to, const SessionId& session) {
    auto made = store_->request(session, {.to = to});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *std::move(made) : Request{};
  }
  Request request(const ModelRef& to) { return request(to, session_); }
  static std::vector<std::string> codes_of(const Compatibility& report) {
    std::vector<std::string> codes;
    for (const RequestWarning& warning : report.warnings) codes.push_back(warning.code);
    return codes;
  }

  SessionId session_;
};

TEST_P(Requests, GiveAModelItsOwnBytesBack) {
  user("1", "hi");
  think("2", "hello");
  user("3", "go on");
  const Request made = request(claude);
  EXPECT_THAT(codes_of(made.report), IsEmpty());
  EXPECT_THAT(made.body, HasSubstr(R"({"type":"thinking","thinking":"hm","signature":"QUJD"})"));
  const auto faults = check_request("anthropic-messages", made.body);
  ASSERT_TRUE(faults);
  EXPECT_THAT(*faults, IsEmpty());
}

TEST_P(Requests, SayWhatAnotherModelIsNotSent) {
  user("1", "hi");
  think("2", "hello");
  user("3", "go on");
  const Request made = request(gpt);
  EXPECT_THAT(codes_of(made.report), ElementsAre("REASONING_DROPPED"));
  EXPECT_EQ(made.report.warnings[0].at, "2");
  EXPECT_EQ(made.report.warnings[0].part, 0U);
  EXPECT_THAT(made.report.lossy_fields, ElementsAre("reasoning"));
  EXPECT_TRUE(made.report.compatible);
  EXPECT_THAT(made.body, Not(HasSubstr("hm")));
}

TEST_P(Requests, LeaveOutThinkingWhoseBeginningHasChanged) {
  user("1", "hi");
  const std::string hash = request(claude).prefix_hash;
  ASSERT_EQ(hash.size(), 64U);
  think("2", "hello", hash);
  user("3", "go on");
  EXPECT_THAT(codes_of(request(claude).report), IsEmpty());

  ASSERT_TRUE(store_->redact(session_, {{{"1"}, "/payload/content"}}));
  const Request changed = request(claude);
  EXPECT_THAT(codes_of(changed.report), ElementsAre("REASONING_PREFIX_CHANGED_DROPPED"));
  EXPECT_THAT(changed.body, Not(HasSubstr("QUJD")));
}

TEST_P(Requests, LeaveOutThinkingThatWasNeverFinished) {
  user("1", "hi");
  append("2", "message",
         R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""},)"
         R"({"type":"text","text":"I was saying"}]})",
         MessageOrigin{claude}.to_meta());
  user("3", "go on");
  const Request made = request(claude);
  EXPECT_THAT(codes_of(made.report), ElementsAre("PART_INCOMPLETE_DROPPED"));
  EXPECT_THAT(made.body, HasSubstr("I was saying"));
}

TEST_P(Requests, LeaveOutCallsThatWereNeverFinished) {
  user("1", "run it");
  append("2", "message",
         R"({"role":"assistant","content":[{"type":"text","text":"I will"},)"
         R"({"type":"tool_use","id":"a","name":"run","input":"{\"command\": \"ls"}]})",
         MessageOrigin{claude}.to_meta());
  user("3", "and this");
  append("4", "message",
         R"({"role":"assistant","content":"Then","tool_calls":[{"id":"b","type":"function",)"
         R"("function":{"name":"run","arguments":"{\"command\": tr"}}]})",
         MessageOrigin{gpt}.to_meta());
  user("5", "and that");
  append("6", "message",
         R"({"role":"assistant","status":"aborted","content":[{"type":"text","text":"Now"},)"
         R"({"type":"tool_use","id":"c","name":"run","input":{}}]})",
         MessageOrigin{claude}.to_meta());
  user("7", "go on");
  append(
      "8", "message",
      R"({"type":"function_call","call_id":"d","name":"run","arguments":"","status":"in_progress"})",
      MessageOrigin{{"openai-responses", "openai", "gpt-5.6-sol"}}.to_meta());
  user("9", "go on");
  for (const ModelRef& model : {claude, gpt, gemini}) {
    const Request made = request(model);
    EXPECT_EQ(std::ranges::count(codes_of(made.report), "PART_INCOMPLETE_DROPPED"), 4);
    EXPECT_THAT(codes_of(made.report), Not(Contains("TOOL_RESULT_SYNTHESIZED")));
    for (const char* const said : {"I will", "Then", "Now"}) {
      EXPECT_THAT(made.body, HasSubstr(said));
    }
    EXPECT_THAT(made.body, Not(HasSubstr("\"run\"")));
  }
}

TEST_P(Requests, KeepACallWithBadArgumentsThatWasAnswered) {
  user("1", "run it");
  append("2", "message",
         R"({"role":"assistant","status":"error","content":[)"
         R"({"type":"tool_use","id":"a","name":"run","input":"{\"comm"}]})",
         MessageOrigin{claude}.to_meta());
  append(
      "3", "message",
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"what?"}]})");
  EXPECT_THAT(codes_of(request(gpt).report), ElementsAre("TOOL_ARGS_NOT_JSON"));
  const Request made = request(claude);
  EXPECT_THAT(codes_of(made.report), ElementsAre("TOOL_ARGS_INVALID_REPLACED"));
  EXPECT_THAT(made.body, HasSubstr(R"("input":{})"));
}

TEST_P(Requests, TellAModelWithoutToolsWhatTheyDid) {
  append("init", "runtime_init", R"({"tools":[{"name":"run","input_schema":{"type":"object"}}]})");
  user("1", "run it");
  append("2", "message",
         R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run",)"
         R"("input":{"command": "ls"}}]})",
         MessageOrigin{claude}.to_meta());
  append(
      "3", "message",
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"a.txt"}]})");
  for (const ModelRef& model : {claude, gpt, gemini}) {
    const std::string row = R"([{"match":")" + model.api + R"(:*","tools":false}])";
    const auto made = store_->request(session_, {.to = model, .models = row});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_THAT(codes_of(made->report), Contains("TOOLS_DROPPED"));
    EXPECT_EQ(std::ranges::count(codes_of(made->report), "TOOL_USE_TO_TEXT"), 2);
    EXPECT_THAT(made->body, HasSubstr(R"([run] {\"command\":\"ls\"})"));
    EXPECT_THAT(made->body, HasSubstr("[Result of run]"));
    EXPECT_THAT(made->body, HasSubstr("a.txt"));
    EXPECT_THAT(made->body, Not(HasSubstr("\"tools\"")));
    const auto faults = check_request(model.api, made->body, model.model);
    ASSERT_TRUE(faults);
    EXPECT_THAT(*faults, IsEmpty());
  }
}

TEST_P(Requests, AskNoModelForReasoningItDoesNotDo) {
  user("1", "hi");
  EXPECT_THAT(request({"openai-responses", "openai", "gpt-5.6-sol"}).body, HasSubstr("reasoning"));
  EXPECT_THAT(request({"openai-responses", "openai", "gpt-4o"}).body, Not(HasSubstr("reasoning")));
}

TEST_P(Requests, SayThatAnotherModelsCallsComeWithoutThinking) {
  user("1", "run it");
  append("2", "message",
         R"({"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function",)"
         R"("function":{"name":"run","arguments":"{}"}}]})",
         MessageOrigin{gpt}.to_meta());
  append("3", "message", R"({"role":"tool","tool_call_id":"b","content":"done"})");
  EXPECT_THAT(codes_of(request(claude).report), ElementsAre("THINKING_MUST_BE_OFF"));
  user("4", "thanks");
  append("5", "message", R"({"role":"assistant","content":"welcome"})",
         MessageOrigin{gpt}.to_meta());
  user("6", "again");
  EXPECT_THAT(codes_of(request(claude).report), Not(Contains("THINKING_MUST_BE_OFF")));
}

TEST_P(Requests, AnswerCallsThatWereNeverAnswered) {
  user("1", "run it");
  append("2", "message",
         R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{}}]})",
         MessageOrigin{claude}.to_meta());
  for (const ModelRef& model : {claude, gpt, gemini}) {
    const Request made = request(model);
    EXPECT_THAT(codes_of(made.report), Contains("TOOL_RESULT_SYNTHESIZED"));
    EXPECT_THAT(made.body, HasSubstr("interrupted before a result was recorded"));
    const auto faults = check_request(model.api, made.body, model.model);
    ASSERT_TRUE(faults);
    EXPECT_THAT(*faults, IsEmpty());
  }
}

TEST_P(Requests, TakeTheOriginFromTheModelInUseOrFromTheCaller) {
  append("m", "model_change",
         R"({"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-5-5"})");
  user("1", "hi");
  append(
      "2", "message",
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"QUJD"}]})");
  user("3", "and?");
  EXPECT_THAT(request(claude).body, HasSubstr("QUJD"));

  session_ = make_session();
  user("1", "hi");
  append(
      "2", "message",
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"QUJD"},{"type":"text","text":"yes"}]})");
  user("3", "and?");
  EXPECT_THAT(request(claude).body, Not(HasSubstr("QUJD")));
  const auto assumed = store_->request(session_, {.to = claude, .assumed = claude});
  ASSERT_TRUE(assumed);
  EXPECT_THAT(assumed->body, HasSubstr("QUJD"));
}

TEST_P(Requests, CarryAttachmentsAndSummaries) {
  const auto picture = store_->attach(session_, {"bytes of a picture", "a.png", "image/png"});
  ASSERT_TRUE(picture);
  append("1", "message",
         R"({"role":"user","content":[{"type":"text","text":"look"},)" + picture->to_json() + "]}");
  for (const ModelRef& model : {claude, gpt, gemini}) {
    EXPECT_THAT(request(model).body, HasSubstr(to_base64("bytes of a picture"))) << model.api;
  }
  ASSERT_TRUE(store_->compact(session_, "they looked at a picture", std::nullopt));
  user("2", "and now?");
  EXPECT_THAT(request(gemini).body, HasSubstr("they looked at a picture"));
}

TEST_P(Requests, HoldWhatFitsTheModel) {
  for (int i = 0; i < 10; ++i) {
    user("u" + std::to_string(i), std::string(4000, 'x'));
    think("a" + std::to_string(i), "ok");
  }
  user("last", "so?");
  const auto made = store_->request(
      session_,
      {.to = claude,
       .models =
           R"([{"match":"anthropic-messages:claude-opus-5-5","window":5000,"output":1000}])"});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(codes_of(made->report), Contains("TURNS_LEFT_OUT"));
  EXPECT_LE(made->size.tokens, 4000U);
  EXPECT_THAT(made->body, HasSubstr(R"("max_tokens":1000)"));
}

TEST_P(Requests, AreRefusedForAnUnknownApiOrATableThatIsNone) {
  EXPECT_EQ(code_of(store_->request(session_, {.to = {"none", "", "m"}})),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->request(session_, {.to = claude, .models = "{}"})),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->request(session_, {.to = claude, .models = R"([{"match":"x"}])"})),
            ErrorCode::invalid_argument);
}

TEST_P(Requests, BecomeASessionForAnotherModel) {
  append("init", "runtime_init",
         R"({"systemPrompt":"be kind","tools":[{"name":"run","input_schema":{"type":"object"}}]})");
  user("1", "hi");
  think("2", "hello");
  append("3", "message",
         R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"run","input":{}}]})",
         MessageOrigin{claude}.to_meta());
  const auto before = store_->load(session_);
  const auto fork = store_->fork_for(session_, {.to = gemini});
  ASSERT_TRUE(fork) << fork.error().message;
  EXPECT_THAT(codes_of(fork->report), Contains("REASONING_DROPPED"));
  EXPECT_EQ(store_->load(session_)->entries, before->entries);

  const auto resumed = store_->resume(fork->header.id);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->context.settings.model, gemini.model);
  EXPECT_EQ(resumed->context.settings.system_prompt, "be kind");
  ASSERT_EQ(resumed->context.messages.size(), 2U);
  EXPECT_THAT(resumed->context.messages[0].payload, HasSubstr(R"("parts":[{"text":"hi"}])"));
  EXPECT_EQ(resumed->context.messages[1].origin, MessageOrigin{gemini});
  // The call still waits for its result, there as here.
  ASSERT_EQ(resumed->report.unfinished.size(), 1U);
  EXPECT_EQ(resumed->report.unfinished[0].name, "run");

  const auto entry = store_->find(fork->header.id, resumed->context.messages[1].entry_id);
  ASSERT_TRUE(entry);
  const std::string_view from = json_member(entry->meta(), "migratedFrom");
  EXPECT_EQ(json_member(from, "entryIds"), R"(["2","3"])");
  EXPECT_EQ(json_member(from, "model"), R"("claude-opus-5-5")");
  EXPECT_FALSE(json_member(entry->meta(), "migratedAt").empty());
  // For its new model it is nobody else's.
  EXPECT_THAT(codes_of(request(gemini, fork->header.id).report),
              Not(Contains("REASONING_DROPPED")));

  // What is erased here is listed there.
  const auto erasure = store_->erase(session_, {{"2"}});
  ASSERT_TRUE(erasure) << erasure.error().message;
  ASSERT_EQ(erasure->copies.size(), 1U);
  EXPECT_EQ(erasure->copies[0].name, fork->header.id.text);
}

TEST_P(Requests, AreErasedFromSessionsThatWereMadeOfThemAndRemoved) {
  user("1", "the password is swordfish");
  const auto fork = store_->fork_for(session_, {.to = gemini});
  ASSERT_TRUE(fork) << fork.error().message;
  const auto again = store_->fork_for(fork->header.id, {.to = gpt});
  ASSERT_TRUE(again) << again.error().message;
  for (const auto* made : {&fork, &again}) ASSERT_TRUE(store_->remove((*made)->header.id));

  const auto listed = store_->erase(session_, {{"1"}});
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->copies.size(), 2U);
  for (const Copy& copy : listed->copies) EXPECT_EQ(copy.kind, CopyKind::trash);

  const auto everywhere = store_->erase(session_, {{"1"}}, {.everywhere = true});
  ASSERT_TRUE(everywhere) << everywhere.error().message;
  for (const Copy& copy : everywhere->copies) EXPECT_TRUE(copy.erased);
  for (const auto* made : {&fork, &again}) {
    ASSERT_TRUE(store_->restore((*made)->header.id));
    const auto left = store_->load((*made)->header.id);
    ASSERT_TRUE(left);
    for (const Entry& entry : left->entries) EXPECT_THAT(entry.text, Not(HasSubstr("swordfish")));
  }
}

LOGWOOD_ON_EVERY_BACKEND(Requests);

}  // namespace
}  // namespace logwood
