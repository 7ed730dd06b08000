// What goes wrong around the catalog of a folder: calls of the system that fail while sessions are
// read, damage that only a question meets, a catalog that cannot be written to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "io/real_files.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/fast_folder.hpp"
#include "support/faulty_files.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

namespace fs = std::filesystem;

using io::Operation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CatalogFailures : public ::testing::Test {
 protected:
  CatalogFailures() { open(); }

  void open() {
    store_.reset();
    auto files = io::open_folder(folder_ / "store", {.create = true});
    ASSERT_TRUE(files) << files.error().message;
    storage::jsonl::Options options;
    options.create = storage::jsonl::CreateStore::if_missing;
    options.writer.now = std::chrono::system_clock::now;
    options.writer.patience = std::chrono::milliseconds(200);
    auto store = storage::jsonl::open(io::with_faults(*std::move(files), faults_), options);
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }

  void say(const std::string& session, const std::string& entry, const std::string& text) {
    if (!store_->status({session})) {
      ASSERT_TRUE(store_->create({.id = SessionId{session}}));
    }
    const Draft draft = Draft::of({.type = "message",
                                   .payload = R"({"role":"user","content":")" + text + "\"}",
                                   .id = EntryId{entry}});
    const auto appended = store_->append({session}, {&draft, 1}, {});
    ASSERT_TRUE(appended) << appended.error().message;
  }

  // The entries with this word, each as often as it is found.
  std::vector<std::string> found(const std::string& query) {
    const auto page = store_->catalog().search({.query = query, .limit = 1000}, {});
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> entries;
    if (!page) return entries;
    for (const SearchHit& hit : page->hits) entries.push_back(hit.entry_id.text);
    std::sort(entries.begin(), entries.end());
    return entries;
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_ / "store/" + name;
  }

  bool catalog_holds(const std::string& text) {
    for (const char* name : {"catalog.db", "catalog.db-wal"}) {
      std::ifstream file(path(name), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      if (bytes.str().find(text) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryFolder folder_{fast_folder()};
  std::shared_ptr<io::FaultPlan> faults_ = std::make_shared<io::FaultPlan>();
  std::unique_ptr<storage::StorageBackend> store_;
};

// Long enough to be read in several pieces, so that a failure can come after some of them.
const std::string filling(30'000, 'x');
constexpr int long_session_entries = 100;

TEST_F(CatalogFailures, OfASessionAreToldAndTheOthersAreSearched) {
  say("other", "o", "kangaroo");
  std::vector<std::string> all = {"o"};
  for (int i = 0; i < long_session_entries; ++i) {
    say("long", "l" + std::to_string(i), "kangaroo " + filling);
    all.push_back("l" + std::to_string(i));
  }
  std::sort(all.begin(), all.end());
  bool some_failed = false;
  for (std::uint64_t call = 1; call < 20; ++call) {
    open();
    for (const char* name : {"catalog.db", "catalog.db-wal", "catalog.db-shm"}) {
      fs::remove(path(name));
    }
    ASSERT_TRUE(store_->catalog().summaries({}, {}));
    faults_->plan({.operation = Operation::read_at, .at_call = call});

    const auto page = store_->catalog().search({.query = "kangaroo", .limit = 1000}, {});

    const bool failed = faults_->faults() > 0;
    faults_->clear();
    ASSERT_TRUE(page) << call << ": " << page.error().message;
    if (page->hits.size() < all.size()) {
      some_failed = true;
      EXPECT_TRUE(failed);
      ASSERT_EQ(page->unreadable.size(), 1U) << call;
      EXPECT_EQ(page->hits.size(), page->unreadable[0].id.text == "long" ? 1U : all.size() - 1);
    }
    EXPECT_EQ(found("kangaroo"), all) << "after call " << call << " failed";
    EXPECT_THAT(store_->catalog().search({.query = "kangaroo"}, {})->unreadable, IsEmpty());
  }
  EXPECT_TRUE(some_failed);
}

TEST_F(CatalogFailures, OfASessionLeaveWhatWasKnownOfItBefore) {
  say("s", "a", "kangaroo");
  ASSERT_THAT(found("kangaroo"), ElementsAre("a"));
  for (int i = 0; i < long_session_entries; ++i) say("s", "l" + std::to_string(i), filling);
  say("s", "b", "kangaroo");
  ASSERT_TRUE(store_->catalog().summaries({}, {}));
  faults_->plan({.operation = Operation::read_at, .at_call = 10, .sticky = true});

  const auto page = store_->catalog().search({.query = "kangaroo"}, {});

  faults_->clear();
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->hits.size(), 1U);
  EXPECT_EQ(page->unreadable.size(), 1U);
  EXPECT_THAT(found("kangaroo"), ElementsAre("a", "b"));
  EXPECT_EQ(found("x*").size(), std::size_t{long_session_entries});
}

TEST_F(CatalogFailures, DamageThatOnlyAQuestionMeetsIsHealed) {
  for (int i = 0; i < 50; ++i) say("s", "e" + std::to_string(i), "kangaroo " + filling);
  ASSERT_EQ(found("kangaroo").size(), 50U);
  ASSERT_TRUE(store_->catalog().totals({}));
  store_.reset();  // the log goes into the file
  const auto size = fs::file_size(path("catalog.db"));
  // The tables of summaries lie at the front; texts, and the index of them, fill the rest.
  {
    std::fstream file(path("catalog.db"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file << std::string(size / 2, 'y');
  }
  open();
  EXPECT_EQ(store_->catalog().summaries({}, {})->sessions.size(), 1U);

  const auto page = store_->catalog().search({.query = "kangaroo x*", .limit = 1000}, {});

  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->hits.size(), 50U);
  EXPECT_EQ(page->count, 50U);
}

TEST_F(CatalogFailures, ADamagedCatalogIsHealedForThoseWhoHaveItOpenToo) {
  for (int i = 0; i < 50; ++i) say("s", "e" + std::to_string(i), "kangaroo " + filling);
  ASSERT_EQ(found("kangaroo").size(), 50U);
  auto other = std::move(store_);
  open();
  ASSERT_EQ(found("kangaroo").size(), 50U);
  ASSERT_TRUE(store_->catalog().refresh(CatalogPart::text, {}));
  const auto size = fs::file_size(path("catalog.db"));
  if (size > 8192) {
    std::fstream file(path("catalog.db"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096);
    file << std::string(size - 4096, 'y');
  }
  for (int i = 0; i < 2; ++i) {
    std::swap(other, store_);
    say("s", "later" + std::to_string(i), "kangaroo");
    EXPECT_EQ(found("kangaroo").size(), 51U + static_cast<std::size_t>(i));
  }
}

TEST_F(CatalogFailures, WhatCannotBeWrittenIsMadeInMemory) {
  say("s", "a", "the quokkasecret");
  say("s", "b", "something else");
  ASSERT_THAT(found("quokkasecret"), ElementsAre("a"));
  say("s", "c", "kangaroo");
  for (const int error_number : {EROFS, EACCES, ENOSPC}) {
    open();
    faults_->plan({.operation = Operation::lock, .sticky = true, .error_number = error_number});

    EXPECT_THAT(found("kangaroo"), ElementsAre("c")) << error_number;

    faults_->clear();
  }
  ASSERT_TRUE(catalog_holds("quokkasecret"));

  const EntryId secret{"a"};
  ASSERT_TRUE(store_->erase({"s"}, {&secret, 1}, ""));

  EXPECT_FALSE(catalog_holds("quokkasecret"));
  EXPECT_THAT(found("quokkasecret"), IsEmpty());
  EXPECT_THAT(found("kangaroo"), ElementsAre("c"));
}

TEST_F(CatalogFailures, AnErasureSaysThatTheCatalogMayStillHoldTheText) {
  say("s", "a", "the quokkasecret");
  ASSERT_THAT(found("quokkasecret"), ElementsAre("a"));
  store_.reset();
  fs::rename(path("catalog.db"), path("elsewhere"));
  fs::create_directory(path("catalog.db"));  // in the way, and cannot be removed like a file
  open();
  const EntryId secret{"a"};

  const auto erased = store_->erase({"s"}, {&secret, 1}, "");

  ASSERT_FALSE(erased);
  EXPECT_THAT(erased.error().message, ::testing::HasSubstr("catalog.db may still hold text"));
  fs::remove(path("catalog.db"));
  EXPECT_TRUE(store_->erase({"s"}, {&secret, 1}, ""));
}

TEST_F(CatalogFailures, ACopyThatWasErasedInTheTrashIsForgottenToo) {
  say("s", "a", "something else");
  say("removed", "r", "the quokkasecret");
  ASSERT_THAT(found("quokkasecret"), ElementsAre("r"));
  ASSERT_TRUE(store_->remove({"removed"}));
  const EntryId entry{"a"};

  ASSERT_TRUE(store_->erase({"s"}, {&entry, 1}, ""));

  EXPECT_FALSE(catalog_holds("quokkasecret"));
}

}  // namespace
}  // namespace logwood
