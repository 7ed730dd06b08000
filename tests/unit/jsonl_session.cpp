// What a session file in a folder does that a session in memory cannot: torn ends,
// damage, lost indexes, older versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Draft message(const std::string& id) {
  return Draft::of({.type = "message", .payload = R"({"text":")" + id + "\"}", .id = EntryId{id}});
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

class JsonlSession : public ::testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_TRUE(store_->create({.id = session_}));
    for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(store_->append(session_, message(id)));
  }

  void open() {
    auto opened = Store::open(folder_ / "store", {.create = StoreOptions::Create::if_missing});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
  }

  std::string file() const { return folder_ / "store/sessions/s.jsonl"; }
  std::string index() const { return folder_ / "store/index/s"; }

  void append_bytes(const std::string& bytes) {
    EXPECT_TRUE(store_->close());
    std::ofstream(file(), std::ios::binary | std::ios::app) << bytes;
    open();
  }

  std::vector<std::string> ids() {
    auto page = store_->load(session_);
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> found;
    for (const Entry& entry : page->entries) {
      if (entry.type != "session_header")
        found.push_back(entry.id.text + (entry.flagged ? "!" : ""));
    }
    return found;
  }

  std::vector<ProblemKind> problems() {
    std::vector<ProblemKind> kinds;
    auto page = store_->load(session_);
    EXPECT_TRUE(page) << page.error().message;
    for (const Problem& problem : page->problems) kinds.push_back(problem.kind);
    return kinds;
  }

  TemporaryFolder folder_;
  SessionId session_{"s"};
  std::unique_ptr<Store> store_;
};

TEST_F(JsonlSession, ATornEndIsReportedAndTheNextAppendMovesItToQuarantine) {
  append_bytes(R"({"id":"d","paren)");
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::torn));
  EXPECT_TRUE(store_->verify(session_)->is_sound());

  ASSERT_TRUE(store_->append(session_, message("d")));

  EXPECT_THAT(ids(), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(problems(), IsEmpty());
  std::vector<std::filesystem::path> kept;
  for (const auto& found : std::filesystem::directory_iterator(folder_ / "store/quarantine")) {
    kept.push_back(found.path());
  }
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_EQ(read_file(kept[0]), R"({"id":"d","paren)");
}

TEST_F(JsonlSession, ADamagedLineIsReportedAndEverythingElseStays) {
  std::string bytes = read_file(file());
  bytes[bytes.find("\"text\":\"b\"") + 8] = 'x';
  append_bytes("");
  write_file(file(), bytes);
  std::filesystem::remove(index());
  open();

  EXPECT_THAT(ids(), ElementsAre("a", "c"));
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::damaged, ProblemKind::missing));
  EXPECT_FALSE(store_->verify(session_)->is_sound());
  EXPECT_EQ(store_->find(session_, {"b"}).error().code, ErrorCode::not_found);
  ASSERT_TRUE(store_->append(session_, message("d")));
  EXPECT_THAT(ids(), ElementsAre("a", "c", "d"));
}

TEST_F(JsonlSession, ADamagedLineIsNotedEvenWhenAnIndexKnowsIt) {
  ASSERT_TRUE(store_->close(session_));
  ASSERT_TRUE(std::filesystem::exists(index()));
  std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
  const std::string before = read_file(file());
  bytes.seekp(static_cast<std::streamoff>(before.find("\"text\":\"b\"") + 8));
  bytes << 'x';
  bytes.close();
  open();
  EXPECT_EQ(store_->find(session_, {"b"}).error().code, ErrorCode::not_found);
  EXPECT_THAT(ids(), ElementsAre("a", "c"));
  EXPECT_THAT(store_->load_last(session_, 10)->entries, SizeIs(3));
}

TEST_F(JsonlSession, AForeignLineStaysWhereItIs) {
  append_bytes("{\"note\":\"by hand\"}\n");
  ASSERT_TRUE(store_->append(session_, message("d")));
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::foreign));
  EXPECT_THAT(read_file(file()), HasSubstr("by hand"));
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

TEST_F(JsonlSession, ALostFinalLineBreakLosesNothing) {
  append_bytes("");
  std::string bytes = read_file(file());
  bytes.pop_back();
  std::filesystem::resize_file(file(), bytes.size());
  open();
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(store_->load_last(session_, 1)->entries.at(0).id.text, "c");
  ASSERT_TRUE(store_->append(session_, message("d")));
  ASSERT_TRUE(store_->append(session_, message("e")));
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(JsonlSession, TheIndexMayBeLostOrWrong) {
  ASSERT_TRUE(store_->close(session_));
  const std::string good = read_file(index());
  std::string flipped = good;
  flipped[flipped.size() - 3] ^= 1;
  for (const std::string& bytes :
       {std::string(), std::string("x"), good.substr(0, good.size() - 40),
        std::string(good.size(), '\0'), flipped}) {
    write_file(index(), bytes);
    open();
    EXPECT_EQ(store_->find(session_, {"b"})->id.text, "b");
    auto again = store_->append(session_, message("b"));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->replayed);
    EXPECT_THAT(ids(), ElementsAre("a", "b", "c"));
  }
}

TEST_F(JsonlSession, AnIndexOfALongSessionIsExtendedNotRewritten) {
  for (int i = 0; i < 2100; ++i) {
    ASSERT_TRUE(store_->append(session_, message("e" + std::to_string(i)),
                               {.durability = Durability::buffered}));
  }
  ASSERT_TRUE(store_->close(session_));
  const auto size = std::filesystem::file_size(index());
  open();
  ASSERT_TRUE(store_->append(session_, message("last")));
  ASSERT_TRUE(store_->close(session_));
  EXPECT_EQ(std::filesystem::file_size(index()), size + 32);
  open();
  EXPECT_EQ(store_->find(session_, {"e77"})->id.text, "e77");
  EXPECT_TRUE(store_->load_last(session_, 3)->anchored);
}

TEST_F(JsonlSession, ARenamedFileIsReadAndNotWritten) {
  append_bytes("");
  std::filesystem::rename(file(), folder_ / "store/sessions/t.jsonl");
  open();
  auto page = store_->load({"t"});
  ASSERT_TRUE(page);
  EXPECT_THAT(page->entries, SizeIs(4));
  ASSERT_THAT(page->problems, SizeIs(1));
  EXPECT_EQ(page->problems[0].kind, ProblemKind::renamed);
  auto appended = store_->append({"t"}, message("d"));
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::unsupported);
  EXPECT_THAT(appended.error().message, HasSubstr("rename it back"));
}

TEST_F(JsonlSession, AFileThatWasReplacedIsNoticed) {
  const std::string older = read_file(file());
  ASSERT_TRUE(store_->append(session_, message("d")));
  write_file(file() + ".copy", older);
  std::filesystem::rename(file() + ".copy", file());
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(store_->append(session_, message("e")));
  EXPECT_THAT(ids(), ElementsAre("a", "b", "c", "e"));
}

TEST_F(JsonlSession, TwoStoresOnOneFolderSeeEachOther) {
  auto other = Store::open(folder_ / "store");
  ASSERT_TRUE(other);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(store_->append(session_, message("x" + std::to_string(i))));
    auto stale =
        other->append(session_, message("no"), {.expected_tail = ExpectedTail{EntryId{"c"}}});
    ASSERT_FALSE(stale);
    EXPECT_EQ(stale.error().actual_tail, "x" + std::to_string(i));
    auto same = other->append(session_, message("x" + std::to_string(i)));
    ASSERT_TRUE(same);
    EXPECT_TRUE(same->replayed);
  }
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

const std::string version_0 =
    "{\"id\":\"old\",\"parentId\":null,\"timestamp\":\"2026-01-31T08:00:00.000Z\",\"type\":"
    "\"session_header\","
    "\"payload\":{\"version\":0,\"key\":\"k\",\"cwd\":\"/w\"}}\n"
    "{\"id\":\"m1\",\"parentId\":null,\"timestamp\":\"2026-01-31T08:00:01.000Z\",\"type\":"
    "\"message\",\"payload\":{\"n\":1.0}}\n"
    "{\"id\":\"m2\",\"parentId\":\"m1\",\"type\":\"message\",\"payload\":{},\"x\":[ 1 ] }\r\n"
    "not json\n"
    "{\"id\":\"m1\",\"parentId\":null,\"type\":\"message\",\"payload\":{\"again\":true}}\n";

TEST_F(JsonlSession, AVersion0SessionIsReadOnlyUntilMigrated) {
  const std::string path = folder_ / "store/sessions/old.jsonl";
  write_file(path, version_0);
  const SessionId old{"old"};

  auto before = store_->load(old);
  ASSERT_TRUE(before);
  EXPECT_THAT(before->entries, SizeIs(4));
  auto refused = store_->append(old, message("d"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("migrate it first"));
  EXPECT_EQ(store_->status(old)->header.key, "k");
  EXPECT_EQ(store_->status(old)->tail, EntryId{"m1"});
  EXPECT_EQ(store_->find(old, {"m2"})->parent_id, EntryId{"m1"});
  EXPECT_THAT(store_->load_last(old, 1)->entries, SizeIs(1));
  EXPECT_FALSE(store_->verify(old)->is_sound());

  auto migrated = store_->migrate(old);

  ASSERT_TRUE(migrated) << migrated.error().message;
  EXPECT_EQ(migrated->from_version, 0U);
  EXPECT_EQ(migrated->to_version, 1U);
  EXPECT_EQ(migrated->entries, 3U);
  auto after = store_->load(old);
  ASSERT_TRUE(after);
  ASSERT_THAT(after->entries, SizeIs(3));
  EXPECT_EQ(after->entries[1].payload(), R"({"n":1.0})");
  EXPECT_THAT(after->entries[2].text, HasSubstr(R"("x":[ 1 ] })"));
  EXPECT_EQ(store_->status(old)->header.key, "k");
  EXPECT_EQ(store_->status(old)->header.version, 1U);
  ASSERT_TRUE(store_->append(old, message("d")));
  // The line that was no JSON and the second m1 are kept, outside the session.
  EXPECT_THAT(read_file(path), HasSubstr("not json\n"));
  EXPECT_THAT(read_file(path), HasSubstr("\"again\":true}}\n"));
}

TEST_F(JsonlSession, AMigrationThatDidNotFinishIsNamed) {
  write_file(folder_ / "store/sessions/old.jsonl", version_0);
  write_file(folder_ / "store/sessions/old.jsonl.new", "half");
  auto refused = store_->append({"old"}, message("d"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("earlier migration did not finish"));
  EXPECT_TRUE(store_->migrate({"old"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "store/sessions/old.jsonl.new"));
}

TEST_F(JsonlSession, PagesGoOnAfterTheFileWasReplaced) {
  auto reader = store_->read(session_, 2);
  ASSERT_TRUE(reader);
  EXPECT_THAT(reader->next()->entries, SizeIs(2));
  write_file(file() + ".copy", read_file(file()));
  std::filesystem::rename(file() + ".copy", file());
  auto page = reader->next();
  ASSERT_TRUE(page);
  ASSERT_THAT(page->entries, SizeIs(2));
  EXPECT_EQ(page->entries[0].id.text, "b");
}

}  // namespace
}  // namespace logwood
