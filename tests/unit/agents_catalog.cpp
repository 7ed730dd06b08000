// Lists of other agents' sessions: quick with very many of them, and never wrong about it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "api/all_sessions.hpp"
#include "catalog/catalog.hpp"
#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds any_age{60};
// After this nothing looks as if it could have changed a moment ago.
constexpr std::chrono::milliseconds settling{2100};

class AgentsCatalog : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder()); }

  [[nodiscard]] fs::path folder() const { return fs::path(folder_.path()) / "sessions/project"; }
  [[nodiscard]] fs::path file(int number) const {
    return folder() / fmt::format("2026-01-01T00-00-00-000Z_session-{:04}.jsonl", number);
  }
  static std::string name(int number) { return fmt::format("pi-session-{:04}", number); }

  static std::string message(const std::string& role, const std::string& text, int minute) {
    static int id = 0;
    return fmt::format(
        R"({{"type":"message","id":"{:08x}","parentId":null,"timestamp":"2026-01-02T{:02}:{:02}:00.000Z","message":{{"role":"{}","content":"{}","timestamp":1}}}})"
        "\n",
        ++id, minute / 60, minute % 60, role, text);
  }

  void add(int number, const std::string& lines) const {
    std::ofstream(file(number), std::ios::app) << lines;
  }

  // The later its number, the later it was active.
  void make(int number) const {
    add(number,
        fmt::format(
            R"({{"type":"session","version":3,"id":"session-{:04}","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev/{}"}})"
            "\n",
            number, number % 3));
    add(number, message("user", fmt::format("question {}", number), number));
    add(number, message("assistant", "answer", number));
  }

  [[nodiscard]] Store open() const { return open_at(folder().parent_path()); }
  [[nodiscard]] Store open_at(const fs::path& sessions) const {
    AgentsOptions options;
    options.variable = [sessions](const char* variable) {
      return std::string_view(variable) == "PI_CODING_AGENT_SESSION_DIR" ? sessions.string()
                                                                         : std::string();
    };
    options.cache = folder_ / "cache";
    auto store = Store::of_agents(options);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  [[nodiscard]] std::vector<std::string> listed(const SummaryQuery& query) const {
    Store store = open();
    const auto page = store.summaries(query);
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> ids;
    for (const SessionSummary& summary : page->sessions) ids.push_back(summary.header.id.text);
    return ids;
  }

  [[nodiscard]] std::size_t unread() const {
    auto catalog = catalog::Catalog::open(folder_ / "cache/catalog.db", std::chrono::seconds(1));
    EXPECT_TRUE(catalog) << catalog.error().message;
    const auto known = catalog->known();
    EXPECT_TRUE(known) << known.error().message;
    return static_cast<std::size_t>(std::count_if(
        known->begin(), known->end(), [](const catalog::Known& one) { return one.is_brief; }));
  }

  TemporaryFolder folder_;
};

TEST_F(AgentsCatalog, ReadsWhatAListShows) {
  for (int i = 0; i < 100; ++i) make(i);
  EXPECT_THAT(listed({.limit = 2}), ::testing::ElementsAre(name(99), name(98)));
  EXPECT_EQ(unread(), 98U);
  EXPECT_THAT(listed({.limit = 2, .cwd = "/home/dev/1"}),
              ::testing::ElementsAre(name(97), name(94)));
  EXPECT_EQ(unread(), 96U);

  Store store = open();
  const auto totals = store.totals();
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->sessions, 100U);
  EXPECT_EQ(totals->user_messages, 100U);
  EXPECT_EQ(unread(), 0U);
}

TEST_F(AgentsCatalog, SearchesAllOfThem) {
  for (int i = 0; i < 20; ++i) make(i);
  EXPECT_EQ(listed({.limit = 1}).size(), 1U);
  Store store = open();
  const auto page = store.search({.query = "question"});
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->count, 20U);
}

TEST_F(AgentsCatalog, SaysOfEachWhatItsFileSays) {
  for (int i = 0; i < 70; ++i) make(i);
  add(7, message("user", "and another one", 1000));
  add(8, R"({"type":"message","id":"cut)");
  Store store = open();
  const auto page = store.summaries({.limit = 100});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->sessions.size(), 70U);
  EXPECT_EQ(page->sessions.front().header.id.text, name(7));
  for (const SessionSummary& summary : page->sessions) {
    const int number = std::stoi(summary.header.id.text.substr(summary.header.id.text.size() - 4));
    auto one = Store::of_agent_file(file(number));
    ASSERT_TRUE(one) << one.error().message;
    const auto alone = one->summaries();
    ASSERT_TRUE(alone) << alone.error().message;
    const SessionSummary& same = alone->sessions.at(0);
    EXPECT_EQ(summary.title, same.title);
    EXPECT_EQ(summary.cwd, same.cwd);
    EXPECT_EQ(summary.last_active, same.last_active);
    EXPECT_EQ(summary.entries, same.entries);
    EXPECT_EQ(summary.turns, same.turns);
    EXPECT_EQ(summary.state, same.state);
    EXPECT_FALSE(summary.is_brief);
  }
}

TEST_F(AgentsCatalog, SeesWhatIsAdded) {
  for (int i = 0; i < 20; ++i) make(i);
  EXPECT_EQ(listed({.limit = 1}), std::vector{name(19)});
  add(3, message("user", "once more", 500));  // not read yet
  EXPECT_EQ(listed({.limit = 1}), std::vector{name(3)});
  add(19, message("user", "once more", 501));  // read before
  EXPECT_EQ(listed({.limit = 1}), std::vector{name(19)});
  fs::remove(file(19));
  EXPECT_EQ(listed({.limit = 1}), std::vector{name(3)});
}

TEST_F(AgentsCatalog, MayGoByALookOfAMomentAgo) {
  for (int i = 0; i < 250; ++i) make(i);
  std::this_thread::sleep_for(settling);
  const SummaryQuery quick{.limit = 1, .max_age = any_age};
  EXPECT_EQ(listed(quick), std::vector{name(249)});
  EXPECT_EQ(listed(quick), std::vector{name(249)});

  add(0, message("user", "nobody expected that", 600));  // long quiet
  EXPECT_EQ(listed(quick), std::vector{name(249)});
  EXPECT_EQ(listed({.limit = 1}), std::vector{name(0)});

  std::this_thread::sleep_for(settling);
  EXPECT_EQ(listed(quick), std::vector{name(0)});
  add(240, message("user", "active lately", 700));
  EXPECT_EQ(listed(quick), std::vector{name(240)});

  std::this_thread::sleep_for(settling);
  EXPECT_EQ(listed(quick), std::vector{name(240)});
  make(900);
  EXPECT_EQ(listed(quick), std::vector{name(900)});
  fs::create_directories(folder().parent_path() / "another");
  std::this_thread::sleep_for(settling);
  EXPECT_EQ(listed(quick), std::vector{name(900)});
  fs::rename(file(900), folder().parent_path() / "another" / file(900).filename());
  add(240, message("user", "later still", 1300));
  EXPECT_EQ(listed(quick), std::vector{name(240)});
  EXPECT_EQ(listed({.limit = 3}), (std::vector{name(240), name(900), name(0)}));
}

TEST_F(AgentsCatalog, GoesByNoLookAtOtherPlaces) {
  make(1);
  const fs::path elsewhere = fs::path(folder_.path()) / "elsewhere";
  fs::create_directories(elsewhere / "project");
  std::this_thread::sleep_for(settling);
  const SummaryQuery quick{.limit = 1, .max_age = any_age};
  EXPECT_EQ(listed(quick), std::vector{name(1)});
  EXPECT_EQ(open_at(elsewhere).summaries(quick)->sessions.size(), 0U);
  EXPECT_EQ(listed(quick), std::vector{name(1)});
}

// One that has a tag says so somewhere in its file.
TEST_F(AgentsCatalog, FindsTagsOfThoseThatWereNotReadYet) {
  for (int i = 0; i < 20; ++i) {
    const fs::path session = folder() / fmt::format("claude-{}.jsonl", i);
    std::ofstream file(session);
    file << fmt::format(
        R"({{"type":"user","uuid":"u{0}","parentUuid":null,"isSidechain":false,"sessionId":"claude-{0}","cwd":"/home/dev","timestamp":"2026-01-02T00:00:00.000Z","message":{{"role":"user","content":"hello"}}}})"
        "\n",
        i);
    if (i == 7) file << R"({"type":"tag","tag":"harvest","sessionId":"claude-7"})" << "\n";
  }
  AgentsOptions options;
  options.variable = [&](const char* variable) {
    return std::string_view(variable) == "CLAUDE_CONFIG_DIR" ? folder_ / "claude" : std::string();
  };
  fs::create_directories(folder_ / "claude/projects");
  fs::rename(folder(), folder_ / "claude/projects/project");
  options.cache = folder_ / "cache";
  auto store = Store::of_agents(options);
  ASSERT_TRUE(store) << store.error().message;
  const auto page = store->summaries({.tag = "harvest"});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->sessions.size(), 1U);
  EXPECT_EQ(page->sessions[0].header.id.text, "claude-claude-7");
}

// What is said beside a session that was read already.
TEST_F(AgentsCatalog, ShowsANameThatIsGivenLater) {
  const std::string id = "01a1dc4a-f019-7743-92ce-000000000abc";
  const fs::path codex = fs::path(folder_.path()) / "codex";
  fs::create_directories(codex / "sessions/2026/01/01");
  std::ofstream(codex / ("sessions/2026/01/01/rollout-2026-01-01T00-00-00-" + id + ".jsonl"))
      << R"({"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":")" << id
      << R"(","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev"}})" << "\n"
      << R"({"timestamp":"2026-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}})"
      << "\n";
  AgentsOptions options;
  options.variable = [&](const char* variable) {
    return std::string_view(variable) == "CODEX_HOME" ? codex.string() : std::string();
  };
  options.cache = folder_ / "cache";
  const auto title = [&] {
    auto store = Store::of_agents(options);
    return store->summaries()->sessions.at(0).title;
  };
  EXPECT_EQ(title(), "hello");
  std::ofstream(codex / "session_index.jsonl")
      << R"({"id":")" << id << R"(","thread_name":"greetings","updated_at":"2026-01-01T00:00:02Z"})"
      << "\n";
  EXPECT_EQ(title(), "greetings");
}

TEST_F(AgentsCatalog, TellsOfUnreadableOnesEachTime) {
  make(1);
  std::ofstream(file(2)) << "this is no session\n";
  std::this_thread::sleep_for(settling);
  for (int i = 0; i < 3; ++i) {
    Store store = open();
    const auto page = store.summaries({.max_age = any_age});
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->sessions.size(), 1U);
    ASSERT_EQ(page->unreadable.size(), 1U);
    EXPECT_EQ(page->unreadable.front().error.code, ErrorCode::unsupported);
  }
}

TEST_F(AgentsCatalog, ListsLongOnesWithoutGoingThroughThem) {
  make(1);
  make(2);
  const std::string words(1U << 20U, 'x');
  for (int i = 0; i < 65; ++i) add(2, message("assistant", words, 3));
  Store store = open();
  const auto page = store.summaries({});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->sessions.size(), 2U);
  EXPECT_TRUE(page->sessions[0].is_brief);
  EXPECT_EQ(page->sessions[0].title, "question 2");
  EXPECT_EQ(page->sessions[0].last_active, "2026-01-02T00:03:00.000Z");
  EXPECT_FALSE(page->sessions[1].is_brief);
  const auto totals = store.totals();
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->messages, 67U);
  const auto again = store.summaries({});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->sessions[0].is_brief);
}

// --- together with a store of one's own

class Together : public AgentsCatalog {
 protected:
  void SetUp() override {
    AgentsCatalog::SetUp();
    for (int i = 0; i < 10; ++i) make(i);
    for (int i = 0; i < 5; ++i) import(i);
  }

  [[nodiscard]] Store own() const {
    StoreOptions options;
    options.create = StoreOptions::Create::if_missing;
    auto store = Store::open(folder_ / "store", options);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  void import(int number) const {
    Store agents = open();
    Store store = own();
    const auto imported = store.import_from(agents, {name(number)});
    EXPECT_TRUE(imported) << imported.error().message;
  }

  [[nodiscard]] api::AllSessions all() const { return {own(), open()}; }

  [[nodiscard]] SummaryPage page(const SummaryQuery& query) const {
    auto found = all().summaries(query, {});
    EXPECT_TRUE(found) << found.error().message;
    return *std::move(found);
  }

  // As whoever turns the pages sees them.
  [[nodiscard]] std::vector<std::string> turned() const {
    std::vector<std::string> ids;
    SummaryQuery query{.limit = 3};
    while (true) {
      const SummaryPage some = page(query);
      for (const SessionSummary& one : some.sessions) {
        ids.push_back(one.header.id.text);
        query.after = SummaryPosition{one.last_active, one.header.id};
      }
      if (!some.has_more) return ids;
    }
  }
};

TEST_F(Together, WhatIsInBothIsToldOnce) {
  const SummaryPage found = page({.limit = 100, .counted = true});
  EXPECT_EQ(found.sessions.size(), 10U);
  EXPECT_EQ(found.count, 10U);
  EXPECT_EQ(page({.limit = 1, .cwd = "/home/dev/0", .counted = true}).count, 4U);
  EXPECT_EQ(turned().size(), 10U);
  const auto totals = all().totals({});
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->sessions, 10U);
  EXPECT_EQ(totals->user_messages, 10U);
  const auto hits = all().search({.query = "question"}, {});
  ASSERT_TRUE(hits) << hits.error().message;
  EXPECT_EQ(hits->count, 10U);
  EXPECT_EQ(hits->hits.size(), 10U);
  EXPECT_EQ(hits->sessions, 10U);
}

TEST_F(Together, TheOneThatWasActiveLastCounts) {
  add(3, message("user", "at the agent", 600));
  Store store = own();
  const auto appended = store.append(
      {name(4)},
      Draft::of({.type = "message", .payload = R"({"role":"user","content":"in the store"})"}));
  ASSERT_TRUE(appended) << appended.error().message;
  const SummaryPage found = page({.limit = 100, .counted = true});
  ASSERT_EQ(found.sessions.size(), 10U);
  EXPECT_EQ(found.count, 10U);
  EXPECT_EQ(found.sessions[0].header.id.text, name(4));
  EXPECT_EQ(found.sessions[0].user_messages, 2U);
  EXPECT_EQ(found.sessions[1].header.id.text, name(3));
  EXPECT_EQ(found.sessions[1].user_messages, 2U);
  EXPECT_EQ(turned().size(), 10U);
  const auto totals = all().totals({});
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->user_messages, 12U);
  // Only the one in the store has the tag, though the other was active later.
  ASSERT_TRUE(store.set_info({name(2)}, {.tags = std::vector<std::string>{"ci"}}));
  add(2, message("user", "at the agent", 601));
  EXPECT_EQ(page({.tag = "ci", .counted = true}).count, 1U);
  EXPECT_EQ(page({.limit = 100, .counted = true}).count, 10U);
  const auto hits = all().search({.query = "store"}, {});
  ASSERT_TRUE(hits) << hits.error().message;
  EXPECT_EQ(hits->count, 1U);

  fs::remove(file(3));
  EXPECT_EQ(page({.limit = 100, .counted = true}).count, 10U);
  EXPECT_EQ(turned().size(), 10U);
}

}  // namespace
}  // namespace logwood
