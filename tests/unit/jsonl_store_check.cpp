// What a look at the folder of a store finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/stored_disk.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using storage::Inventory;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Draft long_message(const std::string& id) {
  return Draft::of({.type = "message",
                    .payload = R"({"content":")" + std::string(70'000, 'x') + "\"}",
                    .id = EntryId{id}});
}

const std::string blob_name(64, 'a');

TEST(StoreCheck, OfAStoreInOrderFindsOnlyItsParts) {
  StoredDisk stored;
  auto store = *stored.open();
  ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
  const Draft draft = long_message("a");
  ASSERT_TRUE(store->append({"s"}, {&draft, 1}, {}));
  const auto found = store->inventory();
  ASSERT_TRUE(found) << found.error().message;
  std::vector<std::string> parts;
  for (const Inventory::Part& part : found->parts) {
    parts.push_back(part.name);
    EXPECT_GT(part.files, 0U) << part.name;
    if (part.name == "blobs") {
      EXPECT_EQ(part.size_bytes, 70'000U);
    }
  }
  EXPECT_THAT(parts, ElementsAre("blobs", "logwood.json", "sessions"));
  EXPECT_THAT(found->open_to_others, IsEmpty());
  EXPECT_THAT(found->odd, IsEmpty());
  EXPECT_THAT(found->orphans, IsEmpty());
  EXPECT_THAT(found->unfinished, IsEmpty());
}

TEST(StoreCheck, FindsBlobsThatNobodyNamesAndFilesThatNobodyFinished) {
  StoredDisk stored;
  auto store = *stored.open();
  ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
  const Draft draft = long_message("a");
  ASSERT_TRUE(store->append({"s"}, {&draft, 1}, {}));
  stored.disk().put("blobs/s/" + blob_name, "no line names it");
  stored.disk().put("blobs/gone/" + blob_name, "no session is there");
  stored.disk().put("blobs/gone/odd", "not ours");
  stored.disk().put("sessions/killed.jsonl.new", "half");
  stored.disk().put("catalog.db", "12");
  stored.disk().put("catalog.db-wal", "345");

  const auto found = store->inventory();
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->orphans.size(), 2U);
  EXPECT_EQ(found->orphans[0].folder, "blobs/gone");
  EXPECT_EQ(found->orphans[0].blobs, 1U);
  EXPECT_FALSE(found->orphans[0].has_session);
  EXPECT_EQ(found->orphans[1].folder, "blobs/s");
  EXPECT_TRUE(found->orphans[1].has_session);
  EXPECT_THAT(found->unfinished, ElementsAre("sessions/killed.jsonl.new"));
  std::uint64_t catalog_bytes = 0;
  for (const Inventory::Part& part : found->parts) {
    if (part.name == "catalog.db") catalog_bytes += part.size_bytes;
  }
  EXPECT_EQ(catalog_bytes, 5U);
}

TEST(StoreCheck, TellsOfACallThatFails) {
  for (std::uint64_t call = 1; call <= 40; ++call) {
    StoredDisk stored;
    auto store = *stored.open();
    ASSERT_TRUE(store->create({.id = SessionId{"s"}}));
    const Draft draft = long_message("a");
    ASSERT_TRUE(store->append({"s"}, {&draft, 1}, {}));
    stored.disk().faults().plan({.at_call = call});
    (void)store->inventory();
    stored.disk().faults().clear();
    EXPECT_TRUE(store->inventory()) << call;
  }
}

class ExaminedFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Store::open(path_, {.create = StoreOptions::Create::if_missing});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
    ASSERT_TRUE(store_->create({.id = SessionId{"s"}}));
    ASSERT_TRUE(store_->append({"s"}, Draft::of({.type = "message", .id = EntryId{"a"}})));
    ASSERT_TRUE(store_->append({"s"}, Draft::of({.type = "message", .id = EntryId{"b"}})));
    ASSERT_TRUE(store_->append({"s"}, Draft::of({.type = "message", .id = EntryId{"c"}})));
  }

  std::vector<Finding> examined(bool repair = false) {
    std::vector<Finding> found;
    const auto done = store_->examine(
        [&](const Finding& finding) {
          if (finding.kind != Finding::Kind::store && finding.kind != Finding::Kind::disk_use)
            found.push_back(finding);
        },
        {.repair = repair});
    EXPECT_TRUE(done) << done.error().message;
    return found;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/store";
  std::unique_ptr<Store> store_;
};

TEST_F(ExaminedFolder, ThatOthersCanReadIsToldAndNarrowed) {
  ASSERT_EQ(::chmod(path_.c_str(), 0755), 0);
  ASSERT_EQ(::chmod((path_ + "/sessions/s.jsonl").c_str(), 0644), 0);
  const auto found = examined();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Finding::Kind::permissions);
  EXPECT_EQ(found[0].name, ".");
  EXPECT_EQ(found[1].name, "sessions/s.jsonl");
  EXPECT_EQ(found[1].done, "");

  EXPECT_EQ(examined(/*repair=*/true).size(), 2U);
  EXPECT_THAT(examined(), IsEmpty());
  struct stat status{};
  ASSERT_EQ(::stat((path_ + "/sessions/s.jsonl").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & ALLPERMS, 0600U);
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & ALLPERMS, 0700U);
}

TEST_F(ExaminedFolder, WithALinkInItSaysSoAndLeavesItAlone) {
  std::filesystem::create_symlink("/etc/passwd", path_ + "/sessions/link");
  const auto found = examined(/*repair=*/true);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Finding::Kind::odd_file);
  EXPECT_EQ(found[0].name, "sessions/link");
}

TEST_F(ExaminedFolder, WithADamagedSessionGetsItsSoundEntriesInANewOne) {
  ASSERT_TRUE(store_->close(SessionId{"s"}));
  const std::string file = path_ + "/sessions/s.jsonl";
  std::FILE* const bytes = std::fopen(file.c_str(), "r+b");
  ASSERT_NE(bytes, nullptr);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), bytes));
  ASSERT_EQ(std::fseek(bytes, static_cast<long>(text.find("\"b\"") + 1), SEEK_SET), 0);
  std::fputc('X', bytes);
  std::fclose(bytes);
  text[text.find("\"b\"") + 1] = 'X';

  const auto found = examined();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Finding::Kind::damage);
  EXPECT_EQ(found[0].name, "s");
  ASSERT_FALSE(found[0].problems.empty());
  EXPECT_EQ(found[0].problems[0].line, 3U);

  EXPECT_EQ(examined(/*repair=*/true)[0].done, "2 sound entries in session s-repaired");
  EXPECT_EQ(examined(/*repair=*/true)[0].done, "2 sound entries in session s-repaired, as before");
  EXPECT_TRUE(store_->verify({"s-repaired"})->is_sound());
  const auto page = store_->load({"s-repaired"});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->entries.size(), 3U);
  EXPECT_EQ(store_->status({"s-repaired"})->header.origin->session_id, "s");
  // The old file has every byte that it had.
  std::FILE* const after = std::fopen(file.c_str(), "rb");
  std::string now(4096, '\0');
  now.resize(std::fread(now.data(), 1, now.size(), after));
  std::fclose(after);
  EXPECT_EQ(now, text);
}

}  // namespace
}  // namespace logwood
