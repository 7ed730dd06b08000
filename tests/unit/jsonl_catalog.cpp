// The catalog of a folder: derived, so it can be gone, wrong or in the way, and nothing is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

namespace fs = std::filesystem;

class CatalogOfAFolder : public ::testing::Test {
 protected:
  Store open() {
    StoreOptions options;
    options.create = StoreOptions::Create::if_missing;
    auto store = Store::open(folder_ / "store", options);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  static SessionId say(Store& store, const std::string& text,
                       std::optional<SessionId> session = std::nullopt) {
    if (!session) session = store.create()->id;
    EXPECT_TRUE(store.append(
        *session,
        Draft::of({.type = "message", .payload = R"({"role":"user","content":")" + text + "\"}"})));
    return *session;
  }

  static std::size_t hits(Store& store, const std::string& query) {
    const auto page = store.search({.query = query});
    EXPECT_TRUE(page) << page.error().message;
    return page ? page->hits.size() : 0;
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_ / "store/" + name;
  }

  // Whether any file of the store holds the text.
  bool holds(const std::string& text) {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "store")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      if (bytes.str().find(text) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryFolder folder_;
};

TEST_F(CatalogOfAFolder, IsMadeAgainWhenItIsGone) {
  Store store = open();
  say(store, "kangaroo");
  EXPECT_EQ(hits(store, "kangaroo"), 1U);
  for (const char* name : {"catalog.db", "catalog.db-wal", "catalog.db-shm"}) {
    fs::remove(path(name));
  }
  Store another = open();
  EXPECT_EQ(hits(another, "kangaroo"), 1U);
}

TEST_F(CatalogOfAFolder, IsMadeAgainWhenItIsWrong) {
  {
    Store store = open();
    say(store, "kangaroo");
    EXPECT_EQ(hits(store, "kangaroo"), 1U);
  }
  const std::string garbage[] = {std::string(8192, 'x'), "short", std::string(4096, '\0')};
  for (const std::string& bytes : garbage) {
    fs::remove(path("catalog.db-wal"));
    std::ofstream(path("catalog.db"), std::ios::binary | std::ios::trunc) << bytes;
    Store store = open();
    EXPECT_EQ(hits(store, "kangaroo"), 1U) << bytes.substr(0, 10);
  }
  {  // damage in the middle
    std::fstream file(path("catalog.db"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(8192);
    file << std::string(200'000, 'y');
  }
  Store store = open();
  EXPECT_EQ(hits(store, "kangaroo"), 1U);
}

TEST_F(CatalogOfAFolder, OfAnotherVersionIsMadeAgain) {
  {
    Store store = open();
    say(store, "kangaroo");
    EXPECT_EQ(hits(store, "kangaroo"), 1U);
  }
  {  // PRAGMA user_version lies at byte 60, big-endian
    std::fstream file(path("catalog.db"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(60);
    file.write("\0\0\0\x63", 4);
  }
  Store store = open();
  EXPECT_EQ(hits(store, "kangaroo"), 1U);
}

TEST_F(CatalogOfAFolder, SeesWhatOthersDo) {
  Store one = open();
  Store other = open();
  const SessionId session = say(one, "first");
  EXPECT_EQ(hits(other, "first"), 1U);
  say(one, "second", session);
  EXPECT_EQ(hits(other, "second"), 1U);
  EXPECT_EQ(hits(one, "second"), 1U);
  EXPECT_EQ(other.summaries()->sessions[0].entries, 3U);
  ASSERT_TRUE(other.remove(session));
  EXPECT_EQ(hits(one, "second"), 0U);
}

TEST_F(CatalogOfAFolder, HoldsNothingOfWhatWasErased) {
  Store store = open();
  const SessionId session = say(store, "the quokkasecret stays nowhere");
  say(store, "something else", session);
  for (int i = 0; i < 20; ++i) say(store, "other session " + std::to_string(i));
  EXPECT_EQ(hits(store, "quokkasecret"), 1U);
  EXPECT_TRUE(holds("quokkasecret"));
  const EntryId entry = store.search({.query = "quokkasecret"})->hits[0].entry_id;
  {
    Store another = open();  // a catalog that this process has not opened yet
    ASSERT_TRUE(another.erase(session, {entry}));
  }
  EXPECT_FALSE(holds("quokkasecret"));
  EXPECT_EQ(hits(store, "quokkasecret"), 0U);
  EXPECT_EQ(hits(store, "something"), 1U);
  EXPECT_EQ(store.summaries()->sessions.size(), 21U);
}

TEST_F(CatalogOfAFolder, IsNeitherMadeNorTouchedByAppending) {
  Store store = open();
  const SessionId session = say(store, "one");
  EXPECT_FALSE(fs::exists(path("catalog.db")));
  (void)hits(store, "one");
  const auto before = fs::last_write_time(path("catalog.db"));
  say(store, "two", session);
  EXPECT_EQ(fs::last_write_time(path("catalog.db")), before);
}

TEST_F(CatalogOfAFolder, BelongsToItsUserOnly) {
  Store store = open();
  say(store, "one");
  (void)hits(store, "one");
  EXPECT_EQ(fs::status(path("catalog.db")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CatalogOfAFolder, IsNotALinkToSomewhereElse) {
  Store store = open();
  say(store, "one");
  std::ofstream(folder_ / "victim") << "precious";
  fs::create_symlink(folder_ / "victim", path("catalog.db"));
  EXPECT_FALSE(store.search({.query = "one"}));
  EXPECT_EQ(fs::file_size(folder_ / "victim"), 8U);
}

TEST_F(CatalogOfAFolder, ADamagedSessionIsListedAsDamaged) {
  Store store = open();
  const SessionId session = say(store, "one");
  say(store, "two", session);
  ASSERT_TRUE(store.close(session));
  const std::string file_name = path("sessions/" + session.text + ".jsonl");
  {
    std::fstream file(file_name, std::ios::binary | std::ios::in | std::ios::out);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t at = bytes.find("\"one\"");
    file.clear();
    file.seekp(static_cast<std::streamoff>(at + 1));
    file << "X";
  }
  const auto page = store.summaries();
  ASSERT_EQ(page->sessions.size(), 1U);
  EXPECT_EQ(page->sessions[0].state, SessionState::damaged);
}

TEST_F(CatalogOfAFolder, TellsHowFarItIsAndEndsWhenToldSo) {
  Store store = open();
  for (int i = 0; i < 3; ++i) say(store, "x");
  std::uint64_t told = 0;
  ASSERT_TRUE(store.refresh_catalog(CatalogPart::text, [&](std::uint64_t done, std::uint64_t all) {
    EXPECT_LE(done, all);
    ++told;
    return true;
  }));
  EXPECT_GE(told, 2U);
}

}  // namespace
}  // namespace logwood
