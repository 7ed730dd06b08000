// What summaries, search and totals must say on every backend.
#include <fstream>
#include <limits>
#include <thread>

#include "base/json_text.hpp"
#include "on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

class Search : public OnEveryBackend {
 protected:
  SessionId session(const NewSession& wanted = {}) { return store_->create(wanted)->id; }

  void say(const SessionId& id, const std::string& payload, const std::string& entry = {}) {
    DraftFields fields{.type = "message", .payload = payload};
    if (!entry.empty()) fields.id = EntryId{entry};
    const auto appended = store_->append(id, Draft::of(fields));
    ASSERT_TRUE(appended) << appended.error().message;
  }

  SessionSummary summary(const SessionId& id) {
    const auto page = store_->summaries();
    EXPECT_TRUE(page) << page.error().message;
    for (const SessionSummary& one : page->sessions) {
      if (one.header.id == id) return one;
    }
    ADD_FAILURE() << "no summary of " << id.text;
    return {};
  }

  std::vector<std::string> found(const std::string& query) {
    SearchOptions options;
    options.query = query;
    options.limit = 1000;
    const auto page = store_->search(options);
    EXPECT_TRUE(page) << query << ": " << page.error().message;
    std::vector<std::string> entries;
    if (page) {
      for (const SearchHit& hit : page->hits) entries.push_back(hit.entry_id.text);
    }
    return entries;
  }
};

std::string user(const std::string& text) {
  return R"({"role":"user","content":)" + json_quoted(text) + "}";
}
std::string assistant(const std::string& text) {
  return R"({"role":"assistant","model":"m1","content":[{"type":"text","text":)" +
         json_quoted(text) +
         R"(}],"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":100}})";
}
const char* const call =
    R"({"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"npm test"}}]})";
const char* const result =
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"3 passed"}]})";

TEST_P(Search, ASummaryCountsWhatIsThereAndGoesOnFromThere) {
  const SessionId id = session({.key = "main:cli:me", .cwd = "/work"});
  EXPECT_EQ(summary(id).state, SessionState::ok);
  EXPECT_EQ(summary(id).branches, 0U);
  say(id, user("fix the flaky test\nplease"));
  SessionSummary now = summary(id);
  EXPECT_EQ(now.title, "fix the flaky test please");
  EXPECT_EQ(now.state, SessionState::open);
  EXPECT_EQ(now.cwd, "/work");
  say(id, assistant("I look"));
  say(id, call);
  EXPECT_EQ(summary(id).state, SessionState::unfinished);
  say(id, result);
  EXPECT_EQ(summary(id).state, SessionState::open);
  reopen();
  say(id, assistant("done"));
  say(id, user("thanks"));
  say(id, assistant("welcome"));
  now = summary(id);
  EXPECT_EQ(now.state, SessionState::ok);
  EXPECT_EQ(now.entries, 8U);
  EXPECT_EQ(now.user_messages, 2U);
  EXPECT_EQ(now.turns, 2U);
  EXPECT_EQ(now.usage.messages, 4U);
  EXPECT_EQ(now.usage.messages_uncounted, 1U);
  EXPECT_EQ(now.usage.tokens.input, 30U);
  EXPECT_EQ(now.usage.tokens.output, 15U);
  EXPECT_EQ(now.usage.tokens.cache_read, 300U);
  EXPECT_EQ(now.usage.tokens.cache_creation, std::nullopt);
  EXPECT_EQ(now.usage.tool_calls, 1U);
  EXPECT_THAT(now.tools, ElementsAre(ToolUse{"Bash", 1}));
  EXPECT_EQ(now.branches, 1U);
  EXPECT_EQ(now.header.key, "main:cli:me");
}

TEST_P(Search, BranchesAndAMovedHeadAreSeen) {
  const SessionId id = session();
  say(id, user("one"), "a");
  say(id, assistant("two"), "b");
  (void)summary(id);
  ASSERT_TRUE(store_->move_head(id, EntryId{"a"}));
  EXPECT_EQ(summary(id).state, SessionState::open);
  EXPECT_EQ(summary(id).branches, 1U);
  say(id, call, "c");
  EXPECT_EQ(summary(id).branches, 2U);
  EXPECT_EQ(summary(id).state, SessionState::unfinished);
  ASSERT_TRUE(store_->move_head(id, EntryId{"b"}));
  EXPECT_EQ(summary(id).state, SessionState::ok);
  EXPECT_EQ(summary(id).turns, 1U);
  say(id, user("three"));
  EXPECT_EQ(summary(id).turns, 2U);
  EXPECT_EQ(summary(id).branches, 2U);
  ASSERT_TRUE(store_->move_head(id, std::nullopt));
  EXPECT_EQ(summary(id).turns, 0U);
  say(id, user("another root"));
  EXPECT_EQ(summary(id).branches, 3U);
}

TEST_P(Search, WhatIsSaidAboutASessionIsShown) {
  const SessionId id = session();
  say(id, user("the first message"));
  SessionInfo info;
  info.title = "my title";
  info.tags = {"b", "a", "b"};
  info.expires_at = "2030-01-01T00:00:00.000Z";
  ASSERT_TRUE(store_->set_info(id, info));
  EXPECT_EQ(summary(id).title, "my title");
  EXPECT_THAT(summary(id).tags, ElementsAre("a", "b"));
  EXPECT_EQ(summary(id).expires_at, "2030-01-01T00:00:00.000Z");
  ASSERT_TRUE(store_->set_info(id, {.title = "", .cwd = "/elsewhere", .expires_at = ""}));
  EXPECT_EQ(summary(id).title, "the first message");
  EXPECT_EQ(summary(id).cwd, "/elsewhere");
  EXPECT_EQ(summary(id).expires_at, "");
  EXPECT_THAT(summary(id).tags, ElementsAre("a", "b"));
  EXPECT_EQ(code_of(store_->set_info(id, {})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->set_info(id, {.expires_at = "soon"})), ErrorCode::invalid_argument);
}

TEST_P(Search, ListsAreFilteredAndPaged) {
  for (int i = 0; i < 5; ++i) {
    const SessionId id = session({.id = SessionId{"s" + std::to_string(i)},
                                  .key = i < 2 ? "main:cli:me" : "agent:main:chat:group:g7",
                                  .cwd = i % 2 == 0 ? "/even" : "/odd"});
    if (i == 3) {
      ASSERT_TRUE(store_->set_info(id, {.tags = std::vector<std::string>{"keep"}}));
    }
  }
  const auto ids_of = [&](const SummaryQuery& query) {
    const auto page = store_->summaries(query);
    std::vector<std::string> names;
    for (const SessionSummary& one : page->sessions) names.push_back(one.header.id.text);
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_THAT(ids_of({.cwd = "/odd"}), ElementsAre("s1", "s3"));
  EXPECT_THAT(ids_of({.key = "main:cli:me"}), ElementsAre("s0", "s1"));
  EXPECT_THAT(ids_of({.agent = "main", .channel = "chat"}), ElementsAre("s2", "s3", "s4"));
  EXPECT_THAT(ids_of({.peer_kind = "group"}), ElementsAre("s2", "s3", "s4"));
  EXPECT_THAT(ids_of({.tag = "keep"}), ElementsAre("s3"));
  EXPECT_THAT(ids_of({.since = "2999-01-01T00:00:00.000Z"}), IsEmpty());
  const auto first = store_->summaries({.limit = 2, .counted = true});
  EXPECT_TRUE(first->has_more);
  EXPECT_EQ(first->count, 5U);
  EXPECT_EQ(store_->summaries({.limit = 2, .skip = 4})->sessions.size(), 1U);
  ASSERT_TRUE(store_->remove({"s0"}));
  EXPECT_EQ(store_->summaries({.counted = true})->count, 4U);
}

TEST_P(Search, APageBeginsBehindASession) {
  for (int i = 0; i < 7; ++i) (void)session({.id = SessionId{"s" + std::to_string(i)}});
  const auto all = store_->summaries();
  ASSERT_EQ(all->sessions.size(), 7U);
  SummaryQuery query{.limit = 2, .counted = true};
  std::vector<std::string> seen;
  for (bool has_more = true; has_more;) {
    const auto page = store_->summaries(query);
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_FALSE(page->sessions.empty());
    EXPECT_EQ(page->count, 7U);
    for (const SessionSummary& one : page->sessions) seen.push_back(one.header.id.text);
    has_more = page->has_more;
    query.after = {page->sessions.back().last_active, page->sessions.back().header.id};
    // One that was seen already becomes active, and takes no other one's place.
    say({"s6"}, user("again"));
  }
  ASSERT_EQ(seen.size(), 7U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], all->sessions[i].header.id.text);
  // The narrower lists too, and nothing is behind the end.
  query.key = "nobody's";
  EXPECT_THAT(store_->summaries(query)->sessions, IsEmpty());
  EXPECT_THAT(store_->summaries({.after = SummaryPosition{"", {""}}})->sessions, IsEmpty());
}

TEST_P(Search, WordsAreFoundWhereTheyStand) {
  const SessionId id = session({.key = "main:cli:me", .cwd = "/here"});
  say(id, user("the server sends Retry-After in seconds"), "asked");
  say(id, call, "called");
  say(id, result, "answered");
  EXPECT_THAT(found("retry-after"), ElementsAre("asked"));
  EXPECT_THAT(found("npm"), ElementsAre("called"));
  EXPECT_THAT(found("tool:Bash passed"), ElementsAre("answered"));
  EXPECT_THAT(found("role:assistant test"), ElementsAre("called"));
  EXPECT_THAT(found("type:message since:1d key:main:cli:me seconds"), ElementsAre("asked"));
  EXPECT_THAT(found("seconds key:other"), IsEmpty());
  EXPECT_THAT(found("role:assistant"), ElementsAre("called"));
  const auto page = store_->search({.query = "retry-after", .cwd = "/here"});
  ASSERT_EQ(page->hits.size(), 1U);
  EXPECT_EQ(page->hits[0].found, "Retry-After");
  EXPECT_THAT(page->hits[0].before, HasSubstr("server sends"));
  EXPECT_EQ(page->count, 1U);
  EXPECT_EQ(page->sessions, 1U);
  EXPECT_THAT(store_->search({.query = "retry-after", .cwd = "/there"})->hits, IsEmpty());
  say(id, user("and the retry-after date form"), "more");
  EXPECT_THAT(found("retry-after"), ElementsAre("more", "asked"));
  EXPECT_EQ(code_of(store_->search({.query = ""})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->search({.query = "-only"})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->search({.query = "\"open"})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->search({.query = "+++"})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->search({.query = "a since:never"})), ErrorCode::invalid_argument);
}

// Agents leave half a surrogate pair where they cut a text; the rest of it was said all the same.
TEST_P(Search, TextThatWasCutInsideACharacterIsFound) {
  const SessionId id = session();
  say(id, R"({"role":"user","content":"the walrus was cut \ud83d"})", "cut");
  EXPECT_THAT(found("walrus"), ElementsAre("cut"));
  EXPECT_EQ(summary(id).title, "the walrus was cut \uFFFD");
}

TEST_P(Search, AResultHasTheNameOfItsToolWhereverReadingWasCut) {
  const SessionId id = session();
  say(id, call, "called");
  EXPECT_THAT(found("tool:Bash"), ElementsAre("called"));  // the text up to the call
  say(id, result, "answered");
  EXPECT_EQ(summary(id).state, SessionState::open);  // the summary up to the result
  EXPECT_THAT(found("tool:Bash passed"), ElementsAre("answered"));
  // The same call again, on another branch.
  ASSERT_TRUE(store_->move_head(id, EntryId{"called"}));
  (void)summary(id);
  say(id, result, "answered-again");
  EXPECT_THAT(found("tool:Bash passed"), ElementsAre("answered-again", "answered"));
  reopen();
  EXPECT_THAT(found("tool:Bash passed"), ElementsAre("answered-again", "answered"));
}

TEST_P(Search, AResultHasTheNameOfAToolThatWasCalledAtLength) {
  const SessionId id = session();
  say(id,
      R"({"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Write","input":{"text":")" +
          std::string(100'000, 'x') + R"("}}]})",
      "called");
  say(id, result, "answered");
  EXPECT_THAT(found("tool:Write"), UnorderedElementsAreArray({"called", "answered"}));
}

TEST_P(Search, WithoutWordsTheBeginningIsShownInWholeCharacters) {
  const SessionId id = session();
  std::string text;
  for (int i = 0; i < 500; ++i) text += "字";
  say(id, user("a" + text));
  const auto page = store_->search({.query = "role:user"});
  ASSERT_EQ(page->hits.size(), 1U);
  const std::string& shown = page->hits[0].before;
  EXPECT_TRUE(shown.starts_with("a字字")) << shown;
  EXPECT_TRUE(shown.ends_with("字…")) << shown;
}

TEST_P(Search, AnyLimitAndSkipIsUnderstood) {
  const SessionId id = session();
  say(id, user("one"));
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(store_->search({.query = "one", .limit = most})->hits.size(), 1U);
  EXPECT_EQ(store_->search({.query = "one", .limit = most, .skip = most})->hits.size(), 0U);
  EXPECT_EQ(store_->summaries({.limit = most})->sessions.size(), 1U);
  EXPECT_EQ(store_->summaries({.limit = most, .skip = most})->sessions.size(), 0U);
}

TEST_P(Search, WhatIsHiddenErasedOrRemovedIsNotFound) {
  const SessionId id = session();
  say(id, user("the zebra title"), "a");
  say(id, user("a giraffe and a lion"), "b");
  say(id, user("an elephant"), "c");
  EXPECT_THAT(found("zebra"), ElementsAre("a"));
  ASSERT_TRUE(store_->redact(id, {{EntryId{"a"}, ""}}));
  EXPECT_THAT(found("zebra"), IsEmpty());
  EXPECT_EQ(summary(id).title, "a giraffe and a lion");
  ASSERT_TRUE(store_->redact(id, {{EntryId{"b"}, "/payload/content", {{2, 9}}}}));
  EXPECT_THAT(found("giraffe"), IsEmpty());
  EXPECT_THAT(found("lion"), ElementsAre("b"));
  ASSERT_TRUE(store_->erase(id, {EntryId{"b"}}));
  EXPECT_THAT(found("lion"), IsEmpty());
  EXPECT_EQ(summary(id).title, "an elephant");
  ASSERT_TRUE(store_->remove(id));
  EXPECT_THAT(found("elephant"), IsEmpty());
}

TEST_P(Search, LongStringsAreFoundAndGiveATitle) {
  const SessionId id = session();
  say(id, user("platypus " + std::string(100'000, 'x') + " wombat"), "long");
  EXPECT_THAT(found("wombat"), ElementsAre("long"));
  EXPECT_THAT(summary(id).title, HasSubstr("platypus"));
}

TEST_P(Search, WordsAreFoundTogetherHoweverLongTheTextIs) {
  const SessionId id = session();
  std::string text = "platypus ";
  for (int i = 0; i < 40'000; ++i)
    text += "word" + std::to_string(i) + (i % 3 == 0 ? " the " : " ");
  say(id, user(text + "wombat"), "long");
  say(id, user("platypus alone"), "short");
  EXPECT_THAT(found("platypus wombat"), ElementsAre("long"));
  EXPECT_THAT(found("platypus"), ElementsAre("short", "long"));
  EXPECT_THAT(found("platypus -wombat"), ElementsAre("short"));
  EXPECT_THAT(found("wombat -word20000"), IsEmpty());
  EXPECT_THAT(found("wombat platypus nowhere"), IsEmpty());
  EXPECT_THAT(found("role:user"), ElementsAre("short", "long"));
  // Wherever a part may have ended.
  for (int i = 0; i < 40'000; i += 499) {
    const std::string next = " word" + std::to_string(i + 1);
    EXPECT_THAT(found("\"word" + std::to_string(i) + (i % 3 == 0 ? " the" : "") + next + "\""),
                ElementsAre("long"));
  }
  const auto page = store_->search({.query = "wombat platypus"});
  ASSERT_EQ(page->hits.size(), 1U);
  EXPECT_FALSE(page->hits[0].found.empty());
  EXPECT_EQ(page->count, 1U);
}

TEST_P(Search, ManyAskAndAppendAtOnce) {
  constexpr int askers = 4;
  constexpr int rounds = 12;
  std::vector<SessionId> sessions;
  for (int i = 0; i < 6; ++i) sessions.push_back(session());
  std::vector<std::unique_ptr<Store>> stores;  // of one process each, as it were
  for (int i = 0; i < askers && GetParam() != BackendKind::memory; ++i) {
    auto opened = Store::open(place_);
    ASSERT_TRUE(opened) << opened.error().message;
    stores.push_back(std::make_unique<Store>(*std::move(opened)));
  }
  std::vector<std::thread> threads;
  for (int asker = 0; asker < askers; ++asker) {
    threads.emplace_back([&, asker] {
      Store& store = stores.empty() ? *store_ : *stores[static_cast<std::size_t>(asker)];
      for (int round = 0; round < rounds; ++round) {
        const std::string word = "w" + std::to_string(asker) + "x" + std::to_string(round);
        const SessionId& id = sessions[static_cast<std::size_t>(asker + round) % sessions.size()];
        const auto appended =
            store.append(id, Draft::of({.type = "message", .payload = user(word)}));
        ASSERT_TRUE(appended) << appended.error().message;
        // Whoever has appended finds it.
        const auto page = store.search({.query = word});
        ASSERT_TRUE(page) << page.error().message;
        EXPECT_EQ(page->count, 1U) << word;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store_->totals()->user_messages, std::uint64_t{askers} * rounds);
  std::uint64_t messages = 0;
  const auto summaries = store_->summaries();
  for (const SessionSummary& one : summaries->sessions) messages += one.user_messages;
  EXPECT_EQ(messages, std::uint64_t{askers} * rounds);
  EXPECT_EQ(found("role:user").size(), std::size_t{askers} * rounds);
}

TEST_P(Search, WhatAForkCopiedCountsOnce) {
  const SessionId id = session();
  say(id, user("q"), "a");
  say(id, assistant("one"), "b");
  say(id, call, "c");
  const auto fork = store_->fork(id, EntryId{"c"});
  ASSERT_TRUE(fork);
  say(fork->id, assistant("two"));
  StoreTotals totals = *store_->totals();
  EXPECT_EQ(totals.sessions, 2U);
  EXPECT_EQ(totals.user_messages, 1U);
  EXPECT_EQ(totals.messages, 3U);
  EXPECT_EQ(totals.tool_calls, 1U);
  EXPECT_EQ(totals.tokens.input, 20U);
  EXPECT_EQ(summary(fork->id).usage.tokens.input, 20U);
  ASSERT_EQ(totals.by_tool.size(), 1U);
  EXPECT_EQ(totals.by_tool[0].name, "Bash");
  ASSERT_EQ(totals.by_model.size(), 2U);
  EXPECT_EQ(totals.by_model[0].name, "m1");
  // The copies are all that is left of them.
  const auto second = store_->fork(id, EntryId{"b"});
  ASSERT_TRUE(second);
  ASSERT_TRUE(store_->remove(id));
  totals = *store_->totals();
  EXPECT_EQ(totals.user_messages, 1U);
  EXPECT_EQ(totals.messages, 3U);
  EXPECT_EQ(totals.tokens.input, 20U);
}

TEST_P(Search, ASessionFromAnotherThatDoesNotSayWhereTheCopiesEndIsCounted) {
  const SessionId source = session();
  const SessionId id = session({.origin = Origin{fork_agent, source.text, "", "", std::nullopt}});
  say(id, assistant("one"));
  EXPECT_EQ(store_->totals()->messages, 1U);
}

// Prepared documents and queries (tests/recall, with a statement of the rules in Python).
class Recall : public Search {
 protected:
  static std::vector<std::string> lines_of(const std::string& name) {
    std::ifstream file(std::string(LOGWOOD_SOURCE_FOLDER) + "/tests/recall/" + name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    EXPECT_FALSE(lines.empty()) << name;
    return lines;
  }
};

TEST_P(Recall, PreparedQueriesFindWhatTheyShouldAndNothingElse) {
  const SessionId id = session();
  for (const std::string& line : lines_of("corpus.jsonl")) {
    const auto [name, text] = json_members(line, {"id", "text"});
    say(id, user(json_text_or_empty(text)), json_text_or_empty(name));
  }
  std::size_t queries = 0;
  for (const std::string& line : lines_of("queries.jsonl")) {
    const auto [query, hits] = json_members(line, {"query", "hits"});
    std::vector<std::string> expected;
    for_each_json_element(
        hits, [&](std::string_view hit) { expected.push_back(json_text_or_empty(hit)); });
    EXPECT_THAT(found(json_text_or_empty(query)), UnorderedElementsAreArray(expected)) << query;
    ++queries;
  }
  EXPECT_EQ(queries, 250U);
  std::cout << queries << " queries answered as expected\n";
}

LOGWOOD_ON_EVERY_BACKEND(Search);
LOGWOOD_ON_EVERY_BACKEND(Recall);

}  // namespace
}  // namespace logwood
