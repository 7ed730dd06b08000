// One session that is archived and brought back all the time, by others than those who append to it
// and read it. Each has the store open for itself, as processes have: only locks on files keep them
// apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

constexpr int appends = 60;
const SessionId session{"s"};

class Archiving : public ::testing::Test {
 protected:
  Store open() {
    StoreOptions options;
    options.create = StoreOptions::Create::if_missing;
    options.patience = std::chrono::seconds(60);  // sanitizers are slow, and that is not the point
    auto store = Store::open(folder_.path() + "/store", options);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  // Appends, and brings the session back where somebody has archived it.
  void append_all(const std::string& prefix, Durability durability) {
    Store store = open();
    for (int i = 0; i < appends; ++i) {
      const Draft draft = Draft::of({.type = "message",
                                     .payload = R"({"role":"user","content":"text"})",
                                     .id = EntryId{prefix + std::to_string(i)}});
      while (true) {
        const auto appended = store.append(session, draft, {.durability = durability});
        if (appended) break;
        ASSERT_EQ(appended.error().code, ErrorCode::unsupported) << appended.error().message;
        const auto back = store.unarchive(session);
        ASSERT_TRUE(back) << back.error().message;
      }
    }
    const auto closed = store.close();
    EXPECT_TRUE(closed) << closed.error().message;
  }

  void archive_again_and_again(const std::atomic<bool>& done) {
    Store store = open();
    while (!done) {
      const auto archived = store.archive(session);
      ASSERT_TRUE(archived) << archived.error().message;
    }
  }

  // What was read stays, and the session is always there.
  void look_again_and_again(const std::atomic<bool>& done) {
    Store store = open();
    std::size_t seen = 0;
    while (!done) {
      const auto page = store.load(session);
      ASSERT_TRUE(page) << page.error().message;
      EXPECT_TRUE(page->problems.empty());
      EXPECT_GE(page->entries.size(), seen);
      seen = page->entries.size();
      const auto opened = store.open_by_key({.key = "k"});
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_FALSE(opened->created);
      const auto last = store.load_last(session, 1);
      ASSERT_TRUE(last) << last.error().message;
      EXPECT_EQ(last->entries.size(), 1U);
    }
  }

  void erase_all(const std::string& prefix) {
    Store store = open();
    for (int i = 0; i < 10; ++i) {
      const auto erased = store.erase(session, {{prefix + std::to_string(i)}});
      ASSERT_TRUE(erased) << erased.error().message;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Archiving, LosesNothingWhileOthersAppendReadAndErase) {
  Store store = open();
  ASSERT_TRUE(store.create({.id = session, .key = "k"}));
  append_all("early", Durability::synced);
  std::atomic<bool> done = false;
  std::vector<std::thread> beside;
  beside.emplace_back([&] { archive_again_and_again(done); });
  beside.emplace_back([&] { look_again_and_again(done); });
  std::vector<std::thread> writers;
  writers.emplace_back([&] { append_all("synced", Durability::synced); });
  writers.emplace_back([&] { append_all("buffered", Durability::buffered); });
  writers.emplace_back([&] { erase_all("early"); });
  for (std::thread& writer : writers) writer.join();
  done = true;
  for (std::thread& thread : beside) thread.join();

  EXPECT_TRUE(store.verify(session)->is_sound());
  for (const char* prefix : {"early", "synced", "buffered"}) {
    for (int i = 0; i < appends; ++i) {
      const auto entry = store.find(session, {prefix + std::to_string(i)});
      ASSERT_TRUE(entry) << entry.error().message;
      EXPECT_EQ(entry->erased, prefix == std::string("early") && i < 10);
    }
  }
}

}  // namespace
}  // namespace logwood
