// What is asked of a store in a database and of no other: connections are few and get lost, and
// what was sent may be carried out after whoever sent it has gone.
#include <atomic>
#include <chrono>
#include <cstdlib>
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
  std::atomic<int> whole = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 80; ++i) {
    threads.emplace_back([&] {
      const auto page = store_->load(s);
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

LOGWOOD_ON_EVERY_BACKEND(InDatabase);

}  // namespace
}  // namespace logwood
