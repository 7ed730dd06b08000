// One Store used by many threads at once: every member may be. Run under
// ThreadSanitizer these tests are about races; everywhere they are about results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using std::chrono::milliseconds;

constexpr int thread_count = 16;

enum class Place { memory, folder };

std::string name_of_place(const ::testing::TestParamInfo<Place>& place) {
  return place.param == Place::memory ? "Memory" : "Jsonl";
}

std::string id_of(int thread, int number) {
  return "t" + std::to_string(thread) + "-" + std::to_string(number);
}

Draft message(const std::string& id) {
  return Draft::of({.type = "message", .payload = R"({"from":")" + id + "\"}", .id = EntryId{id}});
}

// Runs the work of each thread and waits for all of them. They begin together.
void run_threads(int count, const std::function<void(int)>& work) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number) {
    threads.emplace_back([&, number] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      work(number);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class StoreThreads : public ::testing::TestWithParam<Place> {
 protected:
  Store open(StoreOptions options = {}) {
    options.create = StoreOptions::Create::if_missing;
    options.patience = milliseconds(60'000);  // sanitizers are slow, and that is not the point
    auto store = GetParam() == Place::memory ? Store::in_memory(options)
                                             : Store::open(folder_ / "store", options);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  static SessionId make_session(Store& store) {
    auto header = store.create();
    EXPECT_TRUE(header) << header.error().message;
    return header->id;
  }

  static std::vector<std::string> ids_in(Store& store, const SessionId& session) {
    auto page = store.load(session);
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> ids;
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) != EntryKind::header) ids.push_back(entry.id.text);
    }
    return ids;
  }

  // Each once, and those of one thread in the order in which it appended them.
  static void expect_all(const std::vector<std::string>& ids, int threads, int each) {
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(threads * each));
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    for (int thread = 0; thread < threads; ++thread) {
      auto at = ids.begin();
      for (int number = 0; number < each; ++number) {
        at = std::find(at, ids.end(), id_of(thread, number));
        ASSERT_NE(at, ids.end()) << id_of(thread, number);
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_P(StoreThreads, KeepsEveryAppendToOneSession) {
  Store store = open();
  const SessionId session = make_session(store);
  constexpr int each = 20;

  run_threads(thread_count, [&](int thread) {
    const auto durability = thread % 2 == 0 ? Durability::synced : Durability::buffered;
    for (int number = 0; number < each; ++number) {
      auto appended =
          store.append(session, message(id_of(thread, number)), {.durability = durability});
      ASSERT_TRUE(appended) << appended.error().message;
    }
  });

  expect_all(ids_in(store, session), thread_count, each);
}

TEST_P(StoreThreads, LetsOneOfSeveralWinATail) {
  Store store = open();
  const SessionId session = make_session(store);
  constexpr int threads = 8;
  constexpr int each = 10;

  std::atomic<int> conflicts = 0;
  run_threads(threads, [&](int thread) {
    for (int number = 0; number < each;) {
      auto status = store.status(session);
      ASSERT_TRUE(status) << status.error().message;
      auto appended = store.append(
          session, message(id_of(thread, number)),
          {.expected_tail = ExpectedTail{status->tail}, .durability = Durability::buffered});
      if (appended) {
        ++number;
        continue;
      }
      ASSERT_EQ(appended.error().code, ErrorCode::conflict) << appended.error().message;
      ++conflicts;
    }
  });

  expect_all(ids_in(store, session), threads, each);
  auto page = store.load(session);
  std::optional<EntryId> before;
  for (const Entry& entry : page->entries) {
    if (kind_of(entry.type) == EntryKind::header) continue;
    EXPECT_EQ(entry.parent_id, before);
    before = entry.id;
  }
}

TEST_P(StoreThreads, DoesEverythingAtOnce) {
  Store store = open({.sync_interval = milliseconds(2)});
  std::vector<SessionId> sessions;
  for (int i = 0; i < 3; ++i) sessions.push_back(make_session(store));
  constexpr int each = 25;

  run_threads(thread_count, [&](int thread) {
    const SessionId& session = sessions[static_cast<std::size_t>(thread % 3)];
    for (int number = 0; number < each; ++number) {
      const auto durability = number % 4 == 0 ? Durability::synced : Durability::buffered;
      auto appended =
          store.append(session, message(id_of(thread, number)), {.durability = durability});
      ASSERT_TRUE(appended) << appended.error().message;
      const SessionId& other = sessions[static_cast<std::size_t>((thread + number) % 3)];
      switch ((thread + number) % 9) {
        case 0:
          ASSERT_TRUE(store.flush(other));
          break;
        case 1:
          ASSERT_TRUE(store.load(other));
          break;
        case 2:
          ASSERT_TRUE(store.load_last(other, 5));
          break;
        case 3: {
          auto found = store.find(session, {id_of(thread, number)});
          ASSERT_TRUE(found) << found.error().message;
          break;
        }
        case 4: {
          auto page = store.list();
          ASSERT_TRUE(page);
          EXPECT_EQ(page->sessions.size(), 3U);
          break;
        }
        case 5: {
          auto closed = store.close(other);
          ASSERT_TRUE(closed) << closed.error().message;
          break;
        }
        case 6: {
          auto report = store.verify(other);
          ASSERT_TRUE(report) << report.error().message;
          EXPECT_TRUE(report->is_sound());
          break;
        }
        case 7: {
          auto reader = store.read(other, 10);
          ASSERT_TRUE(reader);
          while (reader->has_more()) ASSERT_TRUE(reader->next());
          break;
        }
        default:
          ASSERT_TRUE(store.status(other));
          break;
      }
    }
  });

  std::size_t total = 0;
  for (const SessionId& session : sessions) {
    total += ids_in(store, session).size();
    auto report = store.verify(session);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->problems.empty());
  }
  EXPECT_EQ(total, static_cast<std::size_t>(thread_count * each));
}

TEST_P(StoreThreads, ClosesASessionWhileOthersAppendToIt) {
  Store store = open({.sync_interval = milliseconds(1)});
  const SessionId session = make_session(store);
  constexpr int each = 40;

  run_threads(5, [&](int thread) {
    for (int number = 0; number < each; ++number) {
      if (thread == 4) {
        auto closed = store.close(session);
        ASSERT_TRUE(closed) << closed.error().message;
        continue;
      }
      auto appended = store.append(session, message(id_of(thread, number)),
                                   {.durability = Durability::buffered});
      ASSERT_TRUE(appended) << appended.error().message;
    }
  });

  expect_all(ids_in(store, session), 4, each);
}

TEST_P(StoreThreads, SyncsInTheBackgroundWhileOthersAppend) {
  Store store = open({.sync_interval = milliseconds(1)});
  constexpr int threads = 8;
  std::vector<SessionId> sessions;
  for (int i = 0; i < threads; ++i) sessions.push_back(make_session(store));

  run_threads(threads, [&](int thread) {
    const SessionId& session = sessions[static_cast<std::size_t>(thread)];
    for (int number = 0; number < 30; ++number) {
      auto appended = store.append(session, message(id_of(thread, number)),
                                   {.durability = Durability::buffered});
      ASSERT_TRUE(appended) << appended.error().message;
      if (number % 10 == 0) std::this_thread::sleep_for(milliseconds(3));
    }
  });

  EXPECT_TRUE(store.close());
}

TEST_P(StoreThreads, ClosesWhileReadersLive) {
  auto store = std::make_unique<Store>(open());
  const SessionId session = make_session(*store);
  for (int number = 0; number < 50; ++number) {
    ASSERT_TRUE(
        store->append(session, message(id_of(0, number)), {.durability = Durability::buffered}));
  }
  std::vector<EntryReader> readers;
  for (int i = 0; i < 4; ++i) {
    auto reader = store->read(session, 7);
    ASSERT_TRUE(reader);
    readers.push_back(*std::move(reader));
  }

  run_threads(5, [&](int thread) {
    if (thread == 4) {
      EXPECT_TRUE(store->close());
      store.reset();
      return;
    }
    EntryReader& reader = readers[static_cast<std::size_t>(thread)];
    for (int look = 0; look < 10; ++look) {
      std::size_t seen = 0;
      while (reader.has_more()) {
        auto page = reader.next();
        // A store that is gone may say so; it may not be half there.
        if (!page) return;
        seen += page->entries.size();
      }
      EXPECT_GE(seen, 50U);
      reader.reset();
    }
  });
}

TEST_P(StoreThreads, ClosesWhileOthersAppend) {
  Store store = open({.sync_interval = milliseconds(1)});
  const SessionId session = make_session(store);
  std::atomic<int> acknowledged = 0;

  run_threads(6, [&](int thread) {
    if (thread >= 4) {  // two of them: closing twice at once is closing once
      std::this_thread::sleep_for(milliseconds(5));
      EXPECT_TRUE(store.close());
      return;
    }
    for (int number = 0; number < 40; ++number) {
      auto appended = store.append(session, message(id_of(thread, number)),
                                   {.durability = Durability::buffered});
      if (!appended) return;
      ++acknowledged;
    }
  });

  if (GetParam() == Place::memory) return;  // nothing of it is left
  Store again = open();
  EXPECT_GE(ids_in(again, session).size(), static_cast<std::size_t>(acknowledged));
}

TEST_P(StoreThreads, CreatesOneSessionForAKey) {
  Store store = open();
  std::vector<std::string> ids(thread_count);
  std::atomic<int> created = 0;

  run_threads(thread_count, [&](int thread) {
    auto opened = store.open_by_key({.key = "agent:channel:peer"});
    ASSERT_TRUE(opened) << opened.error().message;
    ids[static_cast<std::size_t>(thread)] = opened->header.id.text;
    if (opened->created) ++created;
  });

  EXPECT_EQ(created, 1);
  EXPECT_THAT(ids, ::testing::Each(ids.front()));
}

TEST_P(StoreThreads, MakesListsAndRemovesSessionsAtOnce) {
  Store store = open();

  run_threads(8, [&](int) {
    for (int number = 0; number < 5; ++number) {
      auto header = store.create();
      ASSERT_TRUE(header) << header.error().message;
      ASSERT_TRUE(store.append(header->id, message("a")));
      auto page = store.list();
      ASSERT_TRUE(page);
      EXPECT_TRUE(page->unreadable.empty()) << page->unreadable.front().error.message;
      if (number == 0) continue;
      auto removed = store.remove(header->id);
      ASSERT_TRUE(removed) << removed.error().message;
      EXPECT_FALSE(store.load(header->id));
    }
  });

  EXPECT_EQ(store.list()->sessions.size(), 8U);
}

// More sessions than a process keeps open: threads make each other let go of them.
TEST_P(StoreThreads, UseMoreSessionsThanStayOpen) {
  constexpr int sessions_count = 300;
  constexpr int threads = 4;
  Store store = open();
  std::vector<SessionId> sessions;
  for (int i = 0; i < sessions_count; ++i) sessions.push_back(make_session(store));
  run_threads(threads, [&](int thread) {
    for (int i = 0; i < sessions_count; ++i) {
      const SessionId& session = sessions[static_cast<std::size_t>((i * 7) % sessions_count)];
      const auto durability = i % 2 == 0 ? Durability::synced : Durability::buffered;
      EXPECT_TRUE(store.append(session, message(id_of(thread, 0)), {.durability = durability}));
      EXPECT_TRUE(store.find(session, {id_of(thread, 0)}));
    }
  });
  for (const SessionId& session : sessions) expect_all(ids_in(store, session), threads, 1);
  EXPECT_TRUE(store.close());
}

INSTANTIATE_TEST_SUITE_P(OnEvery, StoreThreads, ::testing::Values(Place::memory, Place::folder),
                         name_of_place);

// Two stores on one folder in one process: the locks are those of the files they
// opened, so they keep each other out like two processes.
TEST(TwoStoresOfOneFolder, KeepEachOthersEntries) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  options.patience = milliseconds(60'000);
  auto first = Store::open(folder / "store", options);
  auto second = Store::open(folder / "store", options);
  ASSERT_TRUE(first && second);
  auto header = first->create();
  ASSERT_TRUE(header);

  run_threads(4, [&](int thread) {
    Store& store = thread % 2 == 0 ? *first : *second;
    for (int number = 0; number < 25; ++number) {
      const auto durability = number % 2 == 0 ? Durability::synced : Durability::buffered;
      auto appended =
          store.append(header->id, message(id_of(thread, number)), {.durability = durability});
      ASSERT_TRUE(appended) << appended.error().message;
      ASSERT_TRUE(store.load_last(header->id, 3));
    }
  });

  auto report = first->verify(header->id);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->entries, 101U);
  EXPECT_TRUE(report->problems.empty());
}

}  // namespace
}  // namespace logwood
