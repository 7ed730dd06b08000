// What opening a folder as a store checks, makes and says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "logwood/store.hpp"
#include "support/stored_disk.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

StoreOptions creating() { return {.create = StoreOptions::Create::if_missing}; }

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class StoreFolder : public ::testing::Test {
 protected:
  std::string path() const { return folder_ / "store"; }

  // A store with one session that has one entry.
  SessionId fill() {
    auto store = Store::open(path(), creating());
    EXPECT_TRUE(store);
    auto header = store->create({.id = SessionId{"s"}, .key = "k"});
    EXPECT_TRUE(header);
    EXPECT_TRUE(store->append({"s"}, Draft::of({.type = "message", .id = EntryId{"a"}})));
    return header->id;
  }

  TemporaryFolder folder_;
};

TEST_F(StoreFolder, IsMadeOnlyWhenAskedFor) {
  auto missing = Store::open(path());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(path()));

  EXPECT_TRUE(Store::open(path(), creating()));
  EXPECT_TRUE(Store::open(path()));
}

TEST_F(StoreFolder, AFolderWithoutAStoreIsNotTakenForOne) {
  std::filesystem::create_directory(path());
  std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  auto opened = Store::open(path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::not_found);
  EXPECT_THAT(opened.error().message, HasSubstr("no store here"));
}

TEST_F(StoreFolder, FilesAreForTheirOwnerOnly) {
  fill();
  using std::filesystem::perms;
  const perms others = perms::group_all | perms::others_all;
  for (const auto& found : std::filesystem::recursive_directory_iterator(path())) {
    EXPECT_EQ(found.status().permissions() & others, perms::none) << found.path();
  }
  EXPECT_EQ(std::filesystem::status(path()).permissions() & others, perms::none);
}

TEST_F(StoreFolder, ANewerVersionOpensForReadingOnly) {
  const SessionId session = fill();
  write(path() + "/logwood.json", R"({"format":"logwood","version":2,"requires":[]})");

  auto store = Store::open(path());

  ASSERT_TRUE(store) << store.error().message;
  EXPECT_THAT(store->read_only(), HasSubstr("version 2"));
  EXPECT_EQ(store->load(session)->entries.size(), 2U);
  EXPECT_THAT(store->status(session)->read_only, HasSubstr("newer logwood"));
  const Draft draft = Draft::of({.type = "message"});
  EXPECT_EQ(store->append(session, draft).error().code, ErrorCode::unsupported);
  EXPECT_EQ(store->create().error().code, ErrorCode::unsupported);
  EXPECT_EQ(store->remove(session).error().code, ErrorCode::unsupported);
  EXPECT_EQ(store->migrate(session).error().code, ErrorCode::unsupported);
  EXPECT_EQ(store->open_by_key({.key = "none"}).error().code, ErrorCode::unsupported);
  EXPECT_EQ(store->open_by_key({.key = "k"})->header.id, session);
}

TEST_F(StoreFolder, AnUnknownRequirementOpensForReadingOnly) {
  fill();
  for (const char* names : {R"(["telepathy"])", R"(["telepathy","telekinesis"])"}) {
    write(path() + "/logwood.json",
          std::string(R"({"format":"logwood","version":1,"requires":)") + names + "}");
    auto store = Store::open(path());
    ASSERT_TRUE(store);
    EXPECT_THAT(store->read_only(), HasSubstr("requires \"telepathy\","));
  }
}

TEST_F(StoreFolder, AStoreFileThatSaysSomethingElseIsDamage) {
  fill();
  for (const char* text :
       {"", "{", "[]", R"({"format":"other","version":1})", R"({"format":"logwood"})",
        R"({"format":"logwood","version":"1"})", R"({"format":"logwood","version":-1})",
        R"({"format":"logwood","version":1.5})"}) {
    write(path() + "/logwood.json", text);
    auto store = Store::open(path(), creating());
    ASSERT_FALSE(store) << text;
    EXPECT_EQ(store.error().code, ErrorCode::damaged) << text;
    EXPECT_THAT(store.error().message, HasSubstr("logwood.json")) << text;
  }
}

TEST_F(StoreFolder, ARemovedSessionLiesInTheTrash) {
  const SessionId session = fill();
  auto store = Store::open(path());
  ASSERT_TRUE(store);
  const std::string before = read(path() + "/sessions/s.jsonl");

  ASSERT_TRUE(store->remove(session));

  std::vector<std::filesystem::path> trash;
  for (const auto& found : std::filesystem::directory_iterator(path() + "/trash"))
    trash.push_back(found.path());
  ASSERT_EQ(trash.size(), 1U);
  EXPECT_THAT(trash[0].filename().string(), HasSubstr("s.20"));
  EXPECT_EQ(read(trash[0]), before);
  EXPECT_FALSE(std::filesystem::exists(path() + "/index/s"));
}

TEST_F(StoreFolder, SessionsRemovedInTheSameMillisecondDoNotCollide) {
  StoreOptions options = creating();
  options.now = [] { return std::chrono::system_clock::time_point(); };
  auto store = Store::open(path(), options);
  ASSERT_TRUE(store);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
    ASSERT_TRUE(store->remove({"s"}));
  }
  const auto trash = std::filesystem::directory_iterator(path() + "/trash");
  EXPECT_EQ(std::distance(begin(trash), end(trash)), 3);
}

TEST(StoreTrash, KeepsASessionInPlaceWhenAHundredOfItsNameAndTimeLieThere) {
  StoredDisk stored;  // where time stands still
  auto store = *stored.open();
  const SessionId session{"s"};
  for (int i = 0; i <= 100; ++i) {
    ASSERT_TRUE(store->create({.id = session}));
    ASSERT_TRUE(store->remove(session)) << i;
  }
  ASSERT_TRUE(store->create({.id = session}));
  EXPECT_EQ(store->remove(session).error().code, ErrorCode::already_exists);
  EXPECT_TRUE(store->status(session));
}

TEST_F(StoreFolder, ListsWhatCannotBeReadBesideWhatCan) {
  fill();
  write(path() + "/sessions/bad.jsonl", "not json at all\n");
  write(path() + "/sessions/notes.txt", "not a session");
  write(path() + "/sessions/s2.jsonl", read(path() + "/sessions/s.jsonl"));
  for (const char* name : {"bad", "s2"}) {
    std::filesystem::permissions(
        path() + "/sessions/" + name + ".jsonl",
        std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  auto store = Store::open(path());
  ASSERT_TRUE(store);

  auto page = store->list();

  ASSERT_TRUE(page);
  ASSERT_EQ(page->sessions.size(), 1U);
  EXPECT_EQ(page->sessions[0].id.text, "s");
  ASSERT_EQ(page->unreadable.size(), 2U);
  EXPECT_EQ(page->unreadable[0].id.text, "s2");
  EXPECT_THAT(page->unreadable[0].error.message, HasSubstr("holds session s under another name"));
  EXPECT_EQ(page->unreadable[1].id.text, "bad");
  EXPECT_EQ(page->unreadable[1].error.code, ErrorCode::damaged);
}

TEST_F(StoreFolder, DoesNotFollowLinksOutOfTheStore) {
  fill();
  write(folder_ / "outside.jsonl", "secret\n");
  std::filesystem::create_symlink(folder_ / "outside.jsonl", path() + "/sessions/link.jsonl");
  std::filesystem::create_hard_link(path() + "/sessions/s.jsonl", path() + "/sessions/twin.jsonl");
  auto store = Store::open(path());
  ASSERT_TRUE(store);
  const Draft draft = Draft::of({.type = "message"});
  for (const char* name : {"link", "twin"}) {
    EXPECT_EQ(store->load({name}).error().code, ErrorCode::permission_denied) << name;
    EXPECT_EQ(store->append({name}, draft).error().code, ErrorCode::permission_denied) << name;
  }
  EXPECT_EQ(read(folder_ / "outside.jsonl"), "secret\n");
}

TEST_F(StoreFolder, RefusesAFolderThatOthersCanWrite) {
  fill();
  std::filesystem::permissions(path(), std::filesystem::perms::all);
  auto store = Store::open(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::permission_denied);
}

}  // namespace
}  // namespace logwood
