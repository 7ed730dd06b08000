// What an agent asks of its history, as transcripts: each scene plays on every backend and has to
// give exactly the text in tests/golden/expected. With LOGWOOD_ACCEPT set the text is written
// instead, to be read before it is believed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/backends.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

class Scene : public ::testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override { open(); }

  void open() {
    StoreOptions options;
    if (place_.empty()) place_ = new_place(GetParam(), folder_.path());
    if (!is_in_database(place_)) options.create = StoreOptions::Create::if_missing;
    options.new_id = [this] { return EntryId{fmt::format("n{}", ++drawn_)}; };
    options.now = [] { return std::chrono::sys_days(std::chrono::year(2026) / 1 / 31); };
    auto opened = in_memory() ? Store::in_memory(options) : Store::open(place_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
  }

  // As another process would go on; in memory there is none.
  void restart() {
    if (in_memory()) return;
    store_.reset();
    open();
  }

  static bool in_memory() { return GetParam() == BackendKind::memory; }

  SessionId session(const std::string& id = "s") {
    EXPECT_TRUE(store_->create({.id = SessionId{id}, .key = "main:cli:user", .cwd = "/project"}));
    return {id};
  }

  EntryId add(const std::string& type, const std::string& payload, const std::string& id = "",
              const Parent& parent = Parent::head()) {
    DraftFields fields{.type = type, .payload = payload};
    if (!id.empty()) fields.id = EntryId{id};
    fields.parent = parent;
    const auto appended = store_->append(s_, Draft::of(fields));
    EXPECT_TRUE(appended) << appended.error().message;
    return appended ? appended->last_appended_entry_id : EntryId{};
  }

  EntryId say(const std::string& id, const std::string& role, const std::string& text,
              const Parent& parent = Parent::head()) {
    return add("message", fmt::format(R"({{"role":"{}","content":"{}"}})", role, text), id, parent);
  }

  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  // What went wrong, in the words of the store.
  void print_refusal(const auto& result) {
    ASSERT_FALSE(result);
    print("refused, {}: {}", name_of(result.error().code), result.error().message);
  }

  template <class T>
  static T got(Result<T> result) {
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  static std::string or_none(const std::optional<EntryId>& id) { return id ? id->text : "none"; }

  void print_tree() {
    const auto tree = store_->tree(s_);
    ASSERT_TRUE(tree);
    TreeDrawing drawing;
    drawing.text_of = [&](Tree::Place place) {
      const auto entry = store_->find(s_, {std::string(tree->tree.id(place))});
      if (entry->erased) return entry->id.text + ": (erased)";
      const std::string payload(entry->payload());
      const std::size_t content = payload.find("\"content\":\"");
      if (content == std::string::npos) return fmt::format("{}: {}", entry->id.text, entry->type);
      const std::size_t begin = content + 11;
      return fmt::format("{}: {}", entry->id.text,
                         payload.substr(begin, payload.find('"', begin) - begin));
    };
    text_ += draw(tree->tree, drawing);
    print("head: {}", or_none(tree->head));
  }

  void print_branches() {
    const auto branches = store_->branches(s_);
    ASSERT_TRUE(branches);
    for (const Branch& branch : *branches) {
      print("{}{}: {} entries, ends with [{}] \"{}\"", branch.is_head ? "* " : "  ",
            branch.tip.text, branch.length, branch.role, branch.preview);
    }
  }

  void print_context(const ContextOptions& options = {}) {
    const auto context = store_->context(s_, options);
    ASSERT_TRUE(context) << context.error().message;
    print_messages(*context);
  }

  void print_messages(const Context& context) {
    for (const ContextMessage& message : context.messages) {
      print("  {} {} {}", message.entry_id.text, message.type, message.payload);
    }
    for (const PassedOver& passed : context.passed_over) {
      print("  {} passed over: {}", passed.entry_id.text, name_of(passed.reason));
    }
    print("  {} turns; model {}/{}, thinking {}", context.turns, context.settings.provider,
          context.settings.model, context.settings.thinking_level);
  }

  void TearDown() override {
    if (HasFatalFailure()) return;
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    name = name.substr(0, name.find('/'));
    const std::string path =
        std::string(LOGWOOD_SOURCE_FOLDER) + "/tests/golden/expected/" + name + ".txt";
    if (std::getenv("LOGWOOD_ACCEPT") != nullptr) std::ofstream(path) << text_;
    std::ifstream file(path);
    const std::string expected(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(text_, expected) << "in " << path;
  }

  TemporaryFolder folder_;
  std::string place_;
  std::unique_ptr<Store> store_;
  SessionId s_{"s"};
  std::uint64_t drawn_ = 0;
  std::string text_;
};

// Two branches grown from one answer, and the tree of them.
TEST_P(Scene, TwoBranches) {
  s_ = session();
  say("1", "user", "Hello, how are you?");
  say("2", "assistant", "I am doing well, thank you!");
  say("3", "user", "Can you help me with a task?");
  say("4", "assistant", "Of course! What do you need?");
  ASSERT_TRUE(store_->move_head(s_, EntryId{"2"}));
  restart();
  say("5", "user", "Tell me a joke instead");
  say("6", "assistant", "Why did the chicken cross the road?");
  print_branches();
  print_tree();
}

// The lines of an agent's transcript, and the messages they are rebuilt to.
TEST_P(Scene, Transcript) {
  s_ = session();
  ASSERT_TRUE(store_->save_turn(
      s_,
      {.run_id = "run-1",
       .messages = {
           R"({"role":"user","content":"hello"})",
           R"({"role":"assistant","content":"Hi there! How can I help?"})",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"tu_001","name":"read_file","input":{"path":"config.json"}}]})",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_001","content":"{\"key\": \"value\"}"}]})"}}));
  restart();
  const auto resumed = store_->resume_latest({.key = "main:cli:user"});
  ASSERT_TRUE(resumed) << resumed.error().message;
  print("restored: {} turns of session {}", resumed->report.turns_restored,
        resumed->header.id.text);
  print_messages(resumed->context);
}

// Part 1: shape, several roots, a long run collapsed, what two branches share.
TEST_P(Scene, Trees) {
  s_ = session();
  for (int i = 1; i <= 12; ++i) say(fmt::format("a{}", i), "user", fmt::format("step {}", i));
  say("b1", "user", "another way", Parent::of({"a11"}));
  say("r2", "user", "a second root", Parent::root());
  print_tree();
  const auto tree = store_->tree(s_);
  const Tree& shape = tree->tree;
  print("{} entries, {} roots, {} tips, {} branch points, depth of b1 {}", shape.size(),
        shape.roots().size(), shape.tips().size(), shape.branch_points().size(),
        shape.depth(*shape.find("b1")));
  const BranchDiff between = diff(shape, *shape.find("a12"), *shape.find("b1"));
  print("a12 and b1 part after {}: {} and {} entries of their own",
        shape.id(*between.common_ancestor), between.only_left.size(), between.only_right.size());
  print_branches();
}

// Part 2: head, labels, forks, families.
TEST_P(Scene, HeadAndBranches) {
  s_ = session();
  say("1", "user", "one");
  say("2", "assistant", "two");
  ASSERT_TRUE(store_->set_label(s_, "before", EntryId{"1"}));
  ASSERT_TRUE(store_->set_label(s_, "after", EntryId{"2"}));
  ASSERT_TRUE(store_->set_label(s_, "after", std::nullopt));
  for (const Label& label : got(store_->labels(s_))) {
    print("label {} on {}", label.name, label.entry_id.text);
  }
  print_refusal(store_->move_head(s_, EntryId{"1"}, {.expected_head = ExpectedHead{EntryId{"1"}}}));
  ASSERT_TRUE(store_->move_head(s_, store_->find_label(s_, "before")->entry_id,
                                {.expected_head = ExpectedHead{EntryId{"2"}}}));
  restart();
  say("3", "assistant", "another two");
  ASSERT_TRUE(store_->append(
      s_, Draft::of({.type = "message", .id = EntryId{"4"}, .parent = Parent::of({"2"})}),
      {.expected_tail = ExpectedTail{EntryId{"3"}}}));
  ASSERT_TRUE(store_->move_head(s_, std::nullopt));
  say("5", "user", "a new beginning");
  print_tree();
  print_refusal(store_->find_label(s_, "after"));
  print_refusal(store_->move_head(s_, EntryId{"nobody"}));

  const auto fork = store_->fork(s_, {"3"}, {.id = SessionId{"f"}});
  ASSERT_TRUE(fork);
  print("fork {} of {} at {}", fork->id.text, fork->origin->session_id,
        or_none(fork->origin->entry_id));
  ASSERT_TRUE(store_->create({.id = SessionId{"sub"}, .parent = ParentSession{s_, EntryId{"2"}}}));
  const SessionPage children = got(store_->list({.parent = s_}));
  for (const SessionHeader& child : children.sessions) {
    print("sub-agent {} of entry {}", child.id.text, or_none(child.parent->entry_id));
  }
  for (const SessionId& removed : got(store_->remove_family(s_))) print("removed {}", removed.text);
  const SessionPage left = got(store_->list());
  for (const SessionHeader& header : left.sessions) print("left {}", header.id.text);
}

// Part 3: compaction, settings, a token budget.
TEST_P(Scene, Contexts) {
  s_ = session();
  add("model_change", R"({"api":"messages","provider":"anthropic","model":"one"})");
  add("thinking_level_change", R"({"level":"high"})");
  add("runtime_init", R"({"systemPrompt":"be kind","tools":["read"]})");
  say("1", "user", "first question");
  say("2", "assistant", "first answer");
  say("3", "user", "second question");
  add("message",
      R"({"role":"assistant","content":"second answer","usage":{"input_tokens":900,"output_tokens":20}})",
      "4");
  add("custom", R"({"note":1})", "5");
  print("whole:");
  print_context();
  ASSERT_TRUE(store_->compact(s_, "they talked", EntryId{"3"}));
  say("6", "user", "third question");
  restart();
  print("after a compaction that keeps from 3 on:");
  print_context();
  print("in 30 tokens:");
  print_context({.max_tokens = 30});
  print("at the tip 2:");
  print_context({.tip = EntryId{"2"}});
  print_refusal(store_->compact(s_, "no", EntryId{"1"}));
}

// Part 4: what a crash left open, and how it is answered.
TEST_P(Scene, Resume) {
  s_ = session();
  say("1", "user", "run the tests");
  add("message",
      R"({"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"run","input":{}},{"type":"tool_use","id":"c2","name":"read","input":{}}]})",
      "2");
  ASSERT_TRUE(store_->mark_tool_run(s_, "c1", "run"));
  restart();
  auto resumed = store_->resume(s_);
  for (const UnfinishedCall& call : resumed->report.unfinished) {
    print("unfinished: {} {} of entry {}, {}", call.name, call.call_id, call.entry_id.text,
          call.state == CallState::started ? "started" : "requested");
    ASSERT_TRUE(store_->answer(s_, call, {.text = "interrupted"}));
  }
  print_refusal(store_->answer(s_, resumed->report.unfinished[0], {.text = "again"}));
  resumed = store_->resume(s_);
  print("head {}, {} turns, {} unfinished", or_none(resumed->head), resumed->report.turns_restored,
        resumed->report.unfinished.size());
  print_messages(resumed->context);
  (void)session("t");
  const auto switched = store_->switch_session(s_, {"t"});
  print("switched to {}", switched->header.id.text);
  print_refusal(store_->resume_latest({.key = "nobody"}));
}

// Part 5: turns, streams, usage.
TEST_P(Scene, Turns) {
  s_ = session();
  print_refusal(store_->save_turn(s_, {.messages = {R"({"role":"user"})", "[]"}}));
  ASSERT_TRUE(store_->save_turn(
      s_,
      {.run_id = "r1",
       .messages = {
           R"({"role":"user","content":"hi"})",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ls","input":{}}],"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":100}})",
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"a b"}]})"}}));
  ASSERT_TRUE(store_->append_deltas(s_, {"m"}, R"([{"text":"he"},{"text":"llo"}])", "r1"));
  print("while it streams:");
  print_context();
  say("m", "assistant", "hello");
  print("when it is whole:");
  print_context();
  const auto or_unknown = [](const std::optional<std::uint64_t>& count) {
    return count ? std::to_string(*count) : "unknown";
  };
  const SessionUsage usage = *store_->usage(s_);
  print("input {}, output {}, cache read {}, cache creation {}", or_unknown(usage.tokens.input),
        or_unknown(usage.tokens.output), or_unknown(usage.tokens.cache_read),
        or_unknown(usage.tokens.cache_creation));
  print("{} messages, {} uncounted, {} tool calls, {} runs", usage.messages,
        usage.messages_uncounted, usage.tool_calls, usage.runs);
}

// Part 6: along a path, to where it went wrong, and on from there.
TEST_P(Scene, Replay) {
  s_ = session();
  say("1", "user", "build it");
  add("message",
      R"({"role":"assistant","content":[{"type":"tool_use","id":"c","name":"make","input":{}}]})",
      "2");
  add("message",
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"boom","is_error":true}]})",
      "3");
  say("4", "assistant", "it failed");
  auto replay = store_->replay(s_);
  ASSERT_TRUE(replay);
  ASSERT_TRUE(*replay->forward_to(failed_tool_result()));
  print("stopped at {} of {}: {}", replay->position(), replay->length(),
        replay->current()->id.text);
  ASSERT_TRUE(*replay->back());
  print("one back: {}", replay->current()->id.text);
  ASSERT_TRUE(store_->move_head(s_, *replay->current()->parent_id));
  say("5", "assistant", "let me look first");
  print_tree();
}

// Part 7: hidden in every view; then gone, with its copies.
TEST_P(Scene, RedactAndErase) {
  s_ = session();
  say("1", "user", "my password is hunter2, keep it");
  say("2", "assistant", "it is safe with me");
  say("3", "user", "and my name is Ada");
  ASSERT_TRUE(store_->fork(s_, {"3"}, {.id = SessionId{"f"}}));
  ASSERT_TRUE(store_->redact(s_, {{{"1"}, "/payload/content", {{15, 22}}}, {{"3"}}}, "secrets"));
  restart();
  print("redacted:");
  print_context();
  print_tree();
  print("found: {}", store_->find(s_, {"1"})->payload());
  print("stored: {}", store_->find(s_, {"1"}, View::stored)->payload());
  const auto erased = store_->erase(s_, {{"1"}}, {.reason = "a secret"});
  ASSERT_TRUE(erased) << erased.error().message;
  for (const ErasedEntry& entry : erased->entries)
    print("erased {}, seq {}", entry.id.text, entry.seq);
  for (const Copy& copy : erased->copies) {
    print("left in {} {}", name_of(copy.kind), copy.name);
  }
  const auto everywhere = store_->erase(s_, {{"1"}, {"3"}}, {.everywhere = true});
  ASSERT_TRUE(everywhere) << everywhere.error().message;
  for (const Copy& copy : everywhere->copies) {
    print("erased in {} {}", name_of(copy.kind), copy.name);
  }
  print_tree();
  print("receipts hold: {}", store_->check_receipt(to_json(*erased)).has_value() &&
                                 store_->check_receipt(to_json(*everywhere)).has_value());
  print("chains hold: {}", store_->verify(s_)->is_sound() && store_->verify({"f"})->is_sound());
}

// Part 8: long strings and attachments.
TEST_P(Scene, Blobs) {
  s_ = session();
  const auto reference =
      store_->attach(s_, {std::string(80'000, '\x01'), "dots.bin", "application/x-dots"});
  ASSERT_TRUE(reference) << reference.error().message;
  print("{}", reference->to_json());
  add("message", R"({"role":"user","content":[)" + reference->to_json() + "]}", "m");
  say("long", "assistant", std::string(70'000, 'y'));
  restart();
  const auto attachment = store_->attachment(s_, reference->entry_id);
  print("{} bytes of {}, {}", attachment->bytes.size(), attachment->mime, attachment->name);
  const auto entry = store_->find(s_, {"long"});
  print("a payload of {} bytes comes back", entry->payload().size());
  print("context: {} messages, {} passed over", store_->context(s_)->messages.size(),
        store_->context(s_)->passed_over.size());
  print("sound: {}", store_->verify(s_)->is_sound());
  ASSERT_TRUE(store_->erase(s_, {reference->entry_id, {"long"}}));
  print_refusal(store_->attachment(s_, reference->entry_id));
  print("sound: {}", store_->verify(s_)->is_sound());
}

INSTANTIATE_TEST_SUITE_P(OnEveryBackend, Scene, ::testing::ValuesIn(backends()),
                         [](const auto& kind) { return name_of_backend(kind.param); });

}  // namespace
}  // namespace logwood
