// Waiting for more of a session: EntryReader::wait.
#include <future>
#include <thread>

#include "on_every_backend.hpp"

namespace logwood {
namespace {

using namespace std::chrono_literals;

constexpr auto long_time = 60s;
constexpr auto at_once = 5s;  // far less than long_time, on a machine with much to do

class Waiting : public OnEveryBackend {
 protected:
  // A reader that has read all there is.
  EntryReader reader_at_end(const SessionId& session) {
    auto reader = store_->read(session);
    EXPECT_TRUE(reader) << reader.error().message;
    read_to_end(*reader);
    return *std::move(reader);
  }

  static std::vector<std::string> read_to_end(EntryReader& reader) {
    std::vector<std::string> found;
    do {
      auto page = reader.next();
      EXPECT_TRUE(page) << page.error().message;
      if (!page) break;
      for (const std::string& id : ids(page->entries)) found.push_back(id);
    } while (reader.has_more());
    return found;
  }

  // Waits while `change` happens, until the reader has something to say.
  static Result<bool> wait_while(EntryReader& reader, const std::function<void()>& change) {
    const auto start = std::chrono::steady_clock::now();
    std::thread other([&] {
      std::this_thread::sleep_for(20ms);
      change();
    });
    auto more = reader.wait(long_time);
    other.join();
    EXPECT_LT(std::chrono::steady_clock::now() - start, at_once);
    return more;
  }
};

TEST_P(Waiting, IsOverAtOnceBeforeAnythingWasRead) {
  auto reader = store_->read(make_session());
  ASSERT_TRUE(reader);

  EXPECT_TRUE(*reader->wait(long_time));
}

TEST_P(Waiting, EndsWithoutNewsWhenTheTimeIsOver) {
  EntryReader reader = reader_at_end(make_session());

  const auto more = reader.wait(30ms);

  ASSERT_TRUE(more) << more.error().message;
  EXPECT_FALSE(*more);
}

TEST_P(Waiting, IsWokenByAnAppend) {
  const SessionId session = make_session();
  EntryReader reader = reader_at_end(session);

  const auto more =
      wait_while(reader, [&] { ASSERT_TRUE(store_->append(session, message("a", "x"))); });

  ASSERT_TRUE(more) << more.error().message;
  EXPECT_TRUE(*more);
  EXPECT_THAT(read_to_end(reader), ::testing::ElementsAre("a"));
}

TEST_P(Waiting, DoesNotMissWhatWasAppendedBeforeIt) {
  const SessionId session = make_session();
  EntryReader reader = reader_at_end(session);
  ASSERT_TRUE(store_->append(session, message("a", "x")));

  EXPECT_TRUE(*reader.wait(long_time));

  EXPECT_THAT(read_to_end(reader), ::testing::ElementsAre("a"));
  EXPECT_FALSE(*reader.wait(0ms));
}

TEST_P(Waiting, BeginsBehindWhatWasSkipped) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "x")));
  ASSERT_TRUE(store_->append(session, message("b", "x")));
  reopen();  // with an index, where the backend has one
  ASSERT_TRUE(store_->append(session, message("c", "x")));
  auto reader = store_->read(session);
  ASSERT_TRUE(reader);

  const auto skipped = reader->skip_to_end();

  ASSERT_TRUE(skipped) << skipped.error().message;
  EXPECT_EQ(*skipped, store_->find(session, {"c"})->seq);
  EXPECT_FALSE(*reader->wait(0ms));
  ASSERT_TRUE(store_->append(session, message("d", "x")));
  EXPECT_TRUE(*reader->wait(long_time));
  EXPECT_THAT(read_to_end(*reader), ::testing::ElementsAre("d"));
  reader->reset();
  EXPECT_EQ(read_to_end(*reader).size(), 4U);
}

TEST_P(Waiting, GoesOnAfterAnErasure) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "x")));
  EntryReader reader = reader_at_end(session);

  const auto more = wait_while(reader, [&] { ASSERT_TRUE(store_->erase(session, {{"a"}})); });

  ASSERT_TRUE(more) << more.error().message;
  EXPECT_TRUE(*more);
  EXPECT_EQ(read_to_end(reader).size(), 1U) << "the mark that accounts for it, and nothing twice";
  EXPECT_FALSE(*reader.wait(0ms));
  ASSERT_TRUE(store_->append(session, message("b", "y")));
  EXPECT_TRUE(*reader.wait(long_time));
  EXPECT_THAT(read_to_end(reader), ::testing::ElementsAre("b"));
}

TEST_P(Waiting, IsWokenWhenTheSessionGoes) {
  const SessionId session = make_session();
  EntryReader reader = reader_at_end(session);

  const auto more = wait_while(reader, [&] { ASSERT_TRUE(store_->remove(session)); });

  ASSERT_TRUE(more) << more.error().message;
  EXPECT_TRUE(*more);
  EXPECT_EQ(code_of(reader.next()), ErrorCode::not_found);
}

TEST_P(Waiting, IsWokenByClosingTheStore) {
  EntryReader reader = reader_at_end(make_session());

  const auto more = wait_while(reader, [&] { ASSERT_TRUE(store_->close()); });

  EXPECT_EQ(code_of(more), ErrorCode::unavailable);
  EXPECT_EQ(code_of(reader.wait(long_time)), ErrorCode::unavailable);
}

TEST_P(Waiting, TakesAnyTimeout) {
  EntryReader reader = reader_at_end(make_session());

  EXPECT_FALSE(*reader.wait(-1ms));
  const auto more = std::async(std::launch::async, [&] {
    return reader.wait(std::chrono::duration_cast<std::chrono::milliseconds>(24h * 365 * 1000));
  });
  EXPECT_EQ(more.wait_for(50ms), std::future_status::timeout);
  ASSERT_TRUE(store_->close());
}

LOGWOOD_ON_EVERY_BACKEND(Waiting);

}  // namespace
}  // namespace logwood
