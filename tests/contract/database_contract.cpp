// What is asked of a store in a database and of no other: connections are few and get lost, and
// what was sent may be carried out after whoever sent it has gone.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/postgres.hpp"
#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using namespace std::chrono_literals;

class InDatabase : public OnEveryBackend {
 protected:
  void SetUp() override {
    if (GetParam() == BackendKind::memory || GetParam() == BackendKind::folder) {
      GTEST_SKIP() << "not a database";
    }
    OnEveryBackend::SetUp();
  }

  // As the owner of the server, who is kept from nothing.
  static PgConnection above_all() {
    PgOptions options;
    options.url = std::getenv("LOGWOOD_TEST_POSTGRES_SUPER");
    auto connection = PgConnection::open(options, soon());
    EXPECT_TRUE(connection) << connection.error().message;
    return *std::move(connection);
  }

  static Deadline soon() { return std::chrono::steady_clock::now() + 30s; }

  Store another(std::chrono::milliseconds patience) {
    auto store = Store::open(place_, {.patience = patience});
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
};

// Each holds a connection while it reads lines, and needs another for their blobs.
TEST_P(InDatabase, MoreThreadsThanConnectionsReadBlobs) {
  const SessionId s = make_session();
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_TRUE(store_->append(s, message(id, std::string(100'000, 'x'))));
  }
  // All connect at once, which may take a slow machine a while.
  auto store = Store::open(place_ + "&connect_timeout=30", {.patience = 60s});
  ASSERT_TRUE(store) << store.error().message;
  std::atomic<int> whole = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 80; ++i) {
    threads.emplace_back([&] {
      const auto page = store->load(s);
      EXPECT_TRUE(page) << page.error().message;
      if (page && page->entries.size() == 4 && page->entries[3].text.size() > 100'000) ++whole;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(whole, 80);
}

// A list comes row by row. What is asked next on the same connection does not.
TEST_P(InDatabase, AListChangesNothingForWhatComesAfterIt) {
  const SessionId s = make_session();
  ASSERT_TRUE(store_->append(s, message("a", "some words")));
  for (int round = 0; round < 3; ++round) {  // statements are prepared in the first
    ASSERT_EQ(store_->summaries({.limit = 10})->sessions.size(), 1U);
    const auto last = store_->load_last(s, 10);
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(last->entries.size(), 2U);
    ASSERT_EQ(store_->summaries({.limit = 10})->sessions.size(), 1U);
    EXPECT_EQ(store_->search({.query = "words"})->count, 1U);
  }
}

// One of them looks for all, and hands that on when it has what it waited for.
TEST_P(InDatabase, ManyFollowersHearOfAppendsElsewhere) {
  constexpr std::size_t count = 20;
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < count; ++i) sessions.push_back(make_session());
  std::atomic<std::size_t> ready = 0;
  std::atomic<std::size_t> told = 0;
  std::vector<std::thread> followers;
  for (const SessionId& session : sessions) {
    followers.emplace_back([&] {
      auto reader = store_->read(session);
      ASSERT_TRUE(reader) << reader.error().message;
      ASSERT_TRUE(reader->skip_to_end());
      ++ready;
      const auto more = reader->wait(20s);
      EXPECT_TRUE(more && *more);
      EXPECT_EQ(reader->next()->entries.size(), 1U);
      ++told;
    });
  }
  // Leaves while others wait, and hears nothing.
  const SessionId quiet = make_session();
  auto reader = store_->read(quiet);
  ASSERT_TRUE(reader->skip_to_end());
  const auto nothing = reader->wait(120ms);
  EXPECT_TRUE(nothing && !*nothing);
  while (ready < count) std::this_thread::yield();
  EXPECT_EQ(told, 0U);
  Store elsewhere = another(20s);
  for (const SessionId& session : sessions) {
    EXPECT_TRUE(elsewhere.append(session, message("a", "news")));
  }
  for (std::thread& follower : followers) follower.join();
  EXPECT_EQ(told, count);
}

// An append is held up until its sender gives up, while its statement may still be there. Then the
// row is let go, and whoever is left of the original and two retries go for it together.
TEST_P(InDatabase, ARetryMayRaceItsOriginal) {
  const SessionId s = make_session();
  const std::string hold =
      "select 1 from logwood.tails t join logwood.sessions s on s.tenant = t.tenant and "
      "s.session = t.session where s.id = '" +
      s.text + "' for update of t";
  std::vector<std::string> expected;
  for (const std::string round : {"1", "2", "3"}) {
    std::vector<Draft> batch;
    for (const std::string letter : {"a", "b", "c"}) {
      batch.push_back(message(letter + round, "text"));
      expected.push_back(letter + round);
    }
    PgConnection holder = above_all();
    ASSERT_TRUE(holder.begin(soon()));
    ASSERT_TRUE(holder.script(hold, soon()));
    const auto given_up = another(300ms).append(s, batch);
    ASSERT_FALSE(given_up);
    EXPECT_THAT(std::vector({ErrorCode::busy, ErrorCode::durability_unknown}),
                ::testing::Contains(given_up.error().code))
        << given_up.error().message;

    std::vector<std::thread> retries;
    for (int i = 0; i < 2; ++i) {
      retries.emplace_back([&] {
        const auto appended = another(20s).append(s, batch);
        EXPECT_TRUE(appended) << appended.error().message;
      });
    }
    std::this_thread::sleep_for(50ms);
    holder.roll_back();
    for (std::thread& retry : retries) retry.join();
    EXPECT_EQ(loaded(s), expected);
  }
  EXPECT_TRUE(store_->verify(s)->is_sound());
}

// Sessions that were noted as active since the last refresh are looked at, and no others. So the
// rules for when that does not do are seen by taking the notes away.
class CatalogInDatabase : public InDatabase {
 protected:
  void SetUp() override {
    InDatabase::SetUp();
    if (IsSkipped()) return;
    session_ = make_session();
    ASSERT_TRUE(store_->append(session_, message("a", "early")));
    ASSERT_EQ(hits("early"), 1U);
  }

  std::uint64_t hits(const std::string& word) {
    const auto page = store_->search({.query = word});
    EXPECT_TRUE(page) << page.error().message;
    return page ? page->count : 0;
  }

  // {} stands for the tenant and the session.
  void change(PgConnection& connection, const std::string& statement) const {
    const std::string which =
        "(select tenant, session from logwood.sessions where id = '" + session_.text + "')";
    std::string text = statement;
    text.replace(text.find("{}"), 2, which);
    const auto done = connection.script(text, soon());
    EXPECT_TRUE(done) << done.error().message;
  }

  void forget_activity(PgConnection& connection) const {
    change(connection, "delete from logwood.recency where (tenant, session) in {}");
  }
  void set_refresh(PgConnection& connection, const std::string& assignment) const {
    change(connection, "update logwood.refreshes set " + assignment +
                           " where tenant in (select tenant from {} s)");
  }

  SessionId session_;
};

TEST_P(CatalogInDatabase, AnotherTimelineMeansToLookAtAll) {
  PgConnection super = above_all();
  ASSERT_TRUE(store_->append(session_, message("b", "later")));
  forget_activity(super);
  EXPECT_EQ(hits("later"), 0U);  // or this would show nothing
  set_refresh(super, "timeline = '00000000'");
  EXPECT_EQ(hits("later"), 1U);
}

TEST_P(CatalogInDatabase, AClockThatWasSetBackMeansToLookAtAll) {
  PgConnection super = above_all();
  ASSERT_TRUE(store_->append(session_, message("b", "later")));
  forget_activity(super);
  EXPECT_EQ(hits("later"), 0U);
  set_refresh(super, "since = clock_timestamp() + interval '1 hour'");
  EXPECT_EQ(hits("later"), 1U);
}

// An append that is noted, and committed only after others have refreshed: the note is older than
// those refreshes, and counts all the same.
TEST_P(CatalogInDatabase, WhatIsCommittedLateIsFound) {
  PgConnection super = above_all();
  // The line that is to come late, from a store that has it already.
  auto other = Store::open(folder_.path() + "/other", {.create = StoreOptions::Create::if_missing});
  ASSERT_TRUE(other);
  ASSERT_TRUE(store_->copy_to(*other, session_));
  ASSERT_TRUE(other->append(session_, message("b", "late")));
  const auto report = other->verify(session_);
  ASSERT_TRUE(report);
  std::ifstream file(folder_.path() + "/other/sessions/" + session_.text + ".jsonl");
  std::string line;
  for (std::string next; std::getline(file, next);) line = next;

  set_refresh(super,
              "since = since - interval '1 hour', next_since = next_since - interval '1 hour'");
  PgConnection late = above_all();
  ASSERT_TRUE(late.begin(soon()));
  change(late,
         "update logwood.recency set active = clock_timestamp() - interval '50 minutes' "
         "where (tenant, session) in {}");
  change(late,
         "insert into logwood.entries (tenant, session, seq, id, is_redaction, line) "
         "select tenant, session, 3, 'b', false, convert_to($line$" +
             line + "$line$, 'UTF8') from {} s");
  change(late, "update logwood.tails set seq = 3, link = '" + report->link +
                   "', tail = 'b', head = 'b' where (tenant, session) in {}");
  for (int refresh = 0; refresh < 3; ++refresh) EXPECT_EQ(hits("late"), 0U);
  ASSERT_TRUE(late.commit(soon()));
  EXPECT_EQ(hits("late"), 1U);
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

LOGWOOD_ON_EVERY_BACKEND(InDatabase);
LOGWOOD_ON_EVERY_BACKEND(CatalogInDatabase);

}  // namespace
}  // namespace logwood
