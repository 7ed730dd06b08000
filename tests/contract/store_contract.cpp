// What every store promises, whatever holds its sessions: reading them, finding them, making and
// removing them. Appending and more have files beside it; a new backend starts by passing them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreContract : public OnEveryBackend {};

TEST_P(StoreContract, ReadsForwardInPages) {
  const SessionId session = make_session();
  std::vector<std::string> expected;
  for (int i = 0; i < 250; ++i) {
    expected.push_back("e" + std::to_string(i));
    ASSERT_TRUE(store_->append(session, message(expected.back(), "x"),
                               {.durability = Durability::buffered}));
  }
  auto reader = store_->read(session);
  ASSERT_TRUE(reader);
  std::vector<std::string> found;
  std::vector<std::size_t> sizes;
  while (reader->has_more()) {
    auto page = reader->next();
    ASSERT_TRUE(page);
    sizes.push_back(page->entries.size());
    for (const std::string& id : ids(page->entries)) found.push_back(id);
  }
  EXPECT_EQ(found, expected);
  EXPECT_THAT(sizes, ElementsAre(100, 100, 51));  // the header is an entry too

  ASSERT_TRUE(store_->append(session, message("later", "x")));
  auto more = reader->next();
  ASSERT_TRUE(more);
  EXPECT_THAT(ids(more->entries), ElementsAre("later"));

  reader->reset();
  EXPECT_TRUE(reader->has_more());
  EXPECT_EQ(reader->next()->entries.size(), 100U);
}

TEST_P(StoreContract, PagesMayEndInsideABatch) {
  const SessionId session = make_session();
  const Draft batch[] = {message("a", "1"), message("b", "2"), message("c", "3"),
                         message("d", "4")};
  ASSERT_TRUE(store_->append(session, batch));
  auto reader = store_->read(session, 2);
  ASSERT_TRUE(reader);
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("a"));
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("b", "c"));
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("d"));
  EXPECT_FALSE(reader->has_more());
}

TEST_P(StoreContract, ReadsBackwardsFromTheTail) {
  const SessionId session = make_session();
  const Draft batch[] = {message("a", "1"), message("b", "2"), message("c", "3")};
  ASSERT_TRUE(store_->append(session, batch));
  ASSERT_TRUE(store_->append(session, message("d", "4")));

  auto last = store_->load_last(session, 2);
  auto all = store_->load_last(session, 100);

  ASSERT_TRUE(last && all);
  EXPECT_THAT(ids(last->entries), ElementsAre("d", "c"));
  EXPECT_TRUE(last->has_more);
  EXPECT_THAT(ids(all->entries), ElementsAre("d", "c", "b", "a"));
  EXPECT_FALSE(all->has_more);
  EXPECT_THAT(store_->load_last(session, 0)->entries, IsEmpty());
}

TEST_P(StoreContract, ReadsThePathOfTheHeadBackwards) {
  const SessionId session = make_session();
  const auto under = [](const char* id, const char* parent) {
    return Draft::of({.type = "message", .id = EntryId{id}, .parent = Parent::of({parent})});
  };
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(store_->append(session, under("b", "a")));
  ASSERT_TRUE(store_->append(session, under("x", "a")));
  ASSERT_TRUE(store_->append(session, under("c", "b")));
  EXPECT_THAT(ids(store_->load_last(session, 10, Along::path)->entries),
              ElementsAre("c", "b", "a"));
  EXPECT_THAT(ids(store_->load_last(session, 2, Along::path)->entries), ElementsAre("c", "b"));
  EXPECT_TRUE(store_->load_last(session, 2, Along::path)->has_more);

  ASSERT_TRUE(store_->append(session, Draft::of({.type = "head", .payload = R"({"target":"x"})"})));
  EXPECT_THAT(ids(store_->load_last(session, 10, Along::path)->entries), ElementsAre("x", "a"));
  EXPECT_FALSE(store_->load_last(session, 10, Along::path)->has_more);
}

TEST_P(StoreContract, FindsAnEntryByIdOrSaysThatThereIsNone) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  EXPECT_EQ(store_->find(session, {"a"})->type, "message");
  EXPECT_EQ(code_of(store_->find(session, {"b"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->find({"none"}, {"a"})), ErrorCode::not_found);
}

TEST_P(StoreContract, SaysWhatASessionIs) {
  auto header = store_->create({.id = SessionId{"mine"},
                                .key = "main:cli:\"demo\"\n",
                                .cwd = "/work",
                                .parent = ParentSession{{"other"}, EntryId{"e1"}},
                                .origin = Origin{"pi", "s-1", "1.5", "main"}});
  ASSERT_TRUE(header);
  reopen();
  auto status = store_->status({"mine"});
  ASSERT_TRUE(status);
  EXPECT_EQ(status->header, *header);
  EXPECT_EQ(status->tail, std::nullopt);
  EXPECT_EQ(status->head, std::nullopt);
  EXPECT_THAT(status->read_only, IsEmpty());
}

TEST_P(StoreContract, CreatesAnIdOnlyOnce) {
  ASSERT_TRUE(store_->create({.id = SessionId{"s"}}));
  EXPECT_EQ(code_of(store_->create({.id = SessionId{"s"}})), ErrorCode::already_exists);
}

TEST_P(StoreContract, RefusesIdsThatAreNone) {
  const std::string bad[] = {"",
                             ".",
                             "..",
                             "../x",
                             "a/b",
                             "/etc/passwd",
                             "a b",
                             "-a",
                             "_a",
                             "a.jsonl",
                             "a\n",
                             std::string("a\0b", 3),
                             std::string(100, 'a'),
                             "é",
                             "a\\b"};
  for (const std::string& id : bad) {
    EXPECT_EQ(code_of(store_->create({.id = SessionId{id}})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->append({id}, message("x"))), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->load({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->status({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->find({id}, {"x"})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->verify({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->remove({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->migrate({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->flush({id})), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(code_of(store_->close({id})), ErrorCode::invalid_argument) << id;
  }
  EXPECT_TRUE(store_->create({.id = SessionId{std::string(99, 'a')}}));
}

TEST_P(StoreContract, SaysThatASessionIsNotThere) {
  EXPECT_EQ(code_of(store_->append({"none"}, message("x"))), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->load({"none"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->read({"none"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->load_last({"none"}, 1)), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->status({"none"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->verify({"none"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->remove({"none"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->migrate({"none"})), ErrorCode::not_found);
}

TEST_P(StoreContract, OpensTheNewestSessionOfAKeyOrMakesOne) {
  auto first = store_->open_by_key({.key = "main:cli:demo"});
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->created);
  auto same = store_->open_by_key({.key = "main:cli:demo"});
  ASSERT_TRUE(same);
  EXPECT_FALSE(same->created);
  EXPECT_EQ(same->header.id, first->header.id);

  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const SessionId newer = make_session("main:cli:demo");
  make_session("another");
  reopen();
  EXPECT_EQ(store_->open_by_key({.key = "main:cli:demo"})->header.id, newer);
  EXPECT_EQ(code_of(store_->open_by_key({})), ErrorCode::invalid_argument);
}

TEST_P(StoreContract, ListsSessionsInPages) {
  for (const char* id : {"s1", "s2", "s3"}) ASSERT_TRUE(store_->create({.id = SessionId{id}}));
  auto first = store_->list({.limit = 2});
  ASSERT_TRUE(first);
  ASSERT_EQ(first->sessions.size(), 2U);
  EXPECT_EQ(first->sessions[0].id.text, "s3");
  EXPECT_TRUE(first->has_more);
  auto second = store_->list({.limit = 2, .after = first->sessions[1].id});
  ASSERT_EQ(second->sessions.size(), 1U);
  EXPECT_EQ(second->sessions[0].id.text, "s1");
  EXPECT_FALSE(second->has_more);
}

TEST_P(StoreContract, ListsTheSessionsOfAKey) {
  const SessionId one = make_session("k");
  make_session("other");
  auto page = store_->list({.key = "k"});
  ASSERT_EQ(page->sessions.size(), 1U);
  EXPECT_EQ(page->sessions[0].id, one);
}

TEST_P(StoreContract, ARemovedSessionIsGone) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  ASSERT_TRUE(store_->remove(session));
  EXPECT_EQ(code_of(store_->load(session)), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->append(session, message("b", "1"))), ErrorCode::not_found);
  EXPECT_THAT(store_->list()->sessions, IsEmpty());
  EXPECT_TRUE(store_->create({.id = session}));
}

TEST_P(StoreContract, BufferedEntriesAreThereAtOnceAndAfterFlush) {
  const SessionId session = make_session();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(store_->append(session, message("e" + std::to_string(i), "x"),
                               {.durability = Durability::buffered}));
  }
  EXPECT_EQ(loaded(session).size(), 10U);
  EXPECT_TRUE(store_->flush(session));
  EXPECT_TRUE(store_->close(session));
  EXPECT_EQ(loaded(session).size(), 10U);
}

TEST_P(StoreContract, DoesNothingAfterItWasClosed) {
  const SessionId session = make_session();
  auto reader = store_->read(session);
  ASSERT_TRUE(reader);
  ASSERT_TRUE(store_->close());
  EXPECT_TRUE(store_->close()) << "closing twice is closing";
  EXPECT_EQ(code_of(store_->append(session, message("a", "1"))), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->create()), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->open_by_key({.key = "k"})), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->load(session)), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->load_last(session, 1)), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->find(session, {"a"})), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->status(session)), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->list()), ErrorCode::unavailable);
  EXPECT_EQ(code_of(store_->flush(session)), ErrorCode::unavailable);
  EXPECT_EQ(code_of(reader->next()), ErrorCode::unavailable);
}

TEST_P(StoreContract, VerifiesASoundSession) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  auto report = store_->verify(session);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->is_sound());
  EXPECT_EQ(report->entries, 2U);
  EXPECT_EQ(report->problem_count, 0U);
}

TEST_P(StoreContract, MigratingACurrentSessionChangesNothing) {
  const SessionId session = make_session();
  ASSERT_TRUE(store_->append(session, message("a", "1")));
  auto result = store_->migrate(session);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->from_version, result->to_version);
  EXPECT_THAT(loaded(session), ElementsAre("a"));
}

TEST_P(StoreContract, ManyThreadsAppendToOneSession) {
  const SessionId session = make_session();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const std::string id = "t" + std::to_string(t) + "-" + std::to_string(i);
        EXPECT_TRUE(
            store_->append(session, message(id, "x"), {.durability = Durability::buffered}));
        EXPECT_TRUE(store_->find(session, {id}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(loaded(session).size(), 200U);
  EXPECT_TRUE(store_->verify(session)->is_sound());
}

LOGWOOD_ON_EVERY_BACKEND(StoreContract);

}  // namespace
}  // namespace logwood
