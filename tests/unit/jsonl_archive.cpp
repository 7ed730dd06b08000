// Archiving, bringing back and restoring while calls fail, power goes or somebody else is at work:
// at no moment is the session lost, and the next attempt succeeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "storage/jsonl/archive.hpp"
#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using io::Operation;
using storage::StorageBackend;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const SessionId session{"s"};
const std::string file = "sessions/s.jsonl";
const std::string archive = "archive/s.jsonl.zst";

Result<> append(StorageBackend& store, const std::string& id, const std::string& text = "text",
                Durability durability = Durability::synced) {
  const Draft draft = Draft::of({.type = "message",
                                 .payload = R"({"role":"user","content":")" + text + "\"}",
                                 .id = EntryId{id}});
  LOGWOOD_CHECK(store.append(session, {&draft, 1}, {.durability = durability}));
  return {};
}

// A session with a long string, so that there is a blob.
void make_session(StorageBackend& store) {
  ASSERT_TRUE(store.create({.id = session}));
  ASSERT_TRUE(append(store, "a"));
  ASSERT_TRUE(append(store, "b", std::string(70'000, 'x')));
}

// Why the session is not whole; empty when it is.
std::string whats_wrong(StorageBackend& store) {
  const auto report = store.verify(session);
  if (!report) return report.error().message;
  if (!report->is_sound() || report->problem_count > 0) return "not sound";
  if (report->blobs != 1) return "a blob is missing";
  for (const char* id : {"a", "b"}) {
    if (const auto found = store.find(session, {id}); !found) return found.error().message;
  }
  return "";
}

class Archive : public ::testing::Test {
 protected:
  void SetUp() override { make_session(*store_); }

  std::vector<std::string> names() { return stored_.disk().file_names(); }

  StoredDisk stored_;
  std::unique_ptr<StorageBackend> store_ = *stored_.open();
};

TEST_F(Archive, TakesThePlaceOfTheSessionFile) {
  const std::string before = *stored_.disk().content(file);
  ASSERT_TRUE(store_->archive(session));
  EXPECT_THAT(names(), Contains(archive));
  EXPECT_THAT(names(), Not(Contains(file)));
  EXPECT_THAT(names(), Not(Contains(archive + ".new")));
  ASSERT_TRUE(store_->unarchive(session));
  EXPECT_EQ(stored_.disk().content(file), before);
  EXPECT_THAT(names(), Not(Contains(archive)));
  EXPECT_THAT(names(), Not(Contains(file + ".new")));
}

TEST_F(Archive, KeepsWhateverTheFileHolds) {
  const std::string odd = *stored_.disk().content(file) + "{\"foreign\":1}\n\ntorn";
  stored_.disk().put(file, odd);
  ASSERT_TRUE(store_->archive(session));
  EXPECT_EQ(store_->read(session, {}, 100)->page.entries.size(), 3U);
  ASSERT_TRUE(store_->unarchive(session));
  EXPECT_EQ(stored_.disk().content(file), odd);
}

TEST_F(Archive, OfSeveralFramesIsReadInPlace) {
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(append(*store_, "n" + std::to_string(i), std::string(60'000, 'y')));
  }
  const auto link = store_->verify(session)->link;
  ASSERT_TRUE(store_->archive(session));
  auto reader = *stored_.open();
  EXPECT_EQ(reader->verify(session)->link, link);
  EXPECT_TRUE(reader->find(session, {"n30"}));
  EXPECT_EQ(reader->read_last(session, 1, Along::append_order)->entries[0].id, EntryId{"n59"});
}

TEST_F(Archive, ThatIsDamagedIsToldAndNeverEmpty) {
  ASSERT_TRUE(store_->archive(session));
  const std::string sound = *stored_.disk().content(archive);
  for (const std::string& bytes :
       {std::string(), sound.substr(0, sound.size() / 2), std::string(sound.size(), 'x')}) {
    stored_.disk().put(archive, bytes);
    auto store = *stored_.open();
    for (const ErrorCode code :
         {store->status(session).error().code, store->read(session, {}, 10).error().code,
          store->verify(session).error().code, store->unarchive(session).error().code,
          store->find(session, {"a"}).error().code}) {
      EXPECT_EQ(code, ErrorCode::damaged);
    }
    const auto page = store->list({});
    EXPECT_TRUE(page->sessions.empty());
    ASSERT_EQ(page->unreadable.size(), 1U);
    EXPECT_THAT(page->unreadable[0].error.message, HasSubstr("backup"));
    EXPECT_EQ(store->create({.id = session}).error().code, ErrorCode::already_exists);
    EXPECT_EQ(stored_.disk().content(archive), bytes) << "it is left as it is";
  }
}

// Each step of each move, with each call failing in turn; the power going after it; and the same
// move again.
struct Move {
  const char* name;
  std::function<void(StorageBackend&)> before;
  std::function<Result<>(StorageBackend&)> go;
};

const std::vector<Move> moves = {
    {"archive", [](StorageBackend&) {},
     [](StorageBackend& store) -> Result<> {
       LOGWOOD_CHECK(store.archive(session));
       return {};
     }},
    {"unarchive", [](StorageBackend& store) { ASSERT_TRUE(store.archive(session)); },
     [](StorageBackend& store) -> Result<> {
       LOGWOOD_CHECK(store.unarchive(session));
       return {};
     }},
    {"restore", [](StorageBackend& store) { ASSERT_TRUE(store.remove(session)); },
     [](StorageBackend& store) { return store.restore(session); }},
    {"restore an archive",
     [](StorageBackend& store) {
       ASSERT_TRUE(store.archive(session));
       ASSERT_TRUE(store.remove(session));
     },
     [](StorageBackend& store) { return store.restore(session); }},
};

// There, or in the trash and to be restored.
std::string whats_wrong_or_in_trash(StorageBackend& store) {
  if (const auto status = store.status(session);
      !status && status.error().code == ErrorCode::not_found) {
    if (const auto restored = store.restore(session); !restored) return restored.error().message;
  }
  return whats_wrong(store);
}

TEST(ArchiveMoves, LoseNothingWhateverCallFails) {
  for (const Move& move : moves) {
    std::uint64_t failed = 0;
    for (std::uint64_t call = 1; call <= 200; ++call) {
      StoredDisk stored;
      auto store = *stored.open();
      make_session(*store);
      move.before(*store);
      stored.disk().faults().plan({.at_call = call});
      const auto moved = move.go(*store);
      stored.disk().faults().clear();
      failed += moved ? 0 : 1;
      for (const bool power_cut : {false, true}) {
        StoredDisk copy;
        copy.disk() = power_cut ? stored.disk().without_unsynced() : stored.disk();
        auto again = *copy.open();
        EXPECT_EQ(whats_wrong_or_in_trash(*again), "") << move.name << ", call " << call;
      }
      const auto again = move.go(*store);
      EXPECT_TRUE(again || again.error().code == ErrorCode::already_exists)
          << move.name << ", call " << call << ": " << again.error().message;
      EXPECT_EQ(whats_wrong(*store), "") << move.name << ", call " << call;
    }
    EXPECT_GT(failed, 10U) << move.name;
    EXPECT_LT(failed, 200U) << move.name << ": more calls than were tried";
  }
}

TEST(ArchiveMoves, LoseNothingWheneverThePowerGoes) {
  for (const Move& move : moves) {
    StoredDisk stored;
    auto store = *stored.open();
    make_session(*store);
    move.before(*store);
    std::size_t moments = 0;
    stored.disk().on_change([&](std::string_view operation, std::string_view name) {
      ++moments;
      for (const bool power_cut : {false, true}) {
        StoredDisk copy;
        copy.disk() = power_cut ? stored.disk().without_unsynced() : stored.disk();
        auto again = *copy.open();
        EXPECT_EQ(whats_wrong_or_in_trash(*again), "")
            << move.name << ", " << operation << " " << name;
        EXPECT_TRUE(again->unarchive(session));
        EXPECT_TRUE(append(*again, "later"));
      }
    });
    ASSERT_TRUE(move.go(*store)) << move.name;
    stored.disk().on_change({});
    EXPECT_GT(moments, 5U) << move.name;
  }
}

TEST_F(Archive, BesideTheSessionFileIsALeftover) {
  ASSERT_TRUE(store_->archive(session));
  const std::string left = *stored_.disk().content(archive);
  ASSERT_TRUE(store_->unarchive(session));
  ASSERT_TRUE(append(*store_, "c"));
  stored_.disk().put(archive, left);
  stored_.disk().put(archive + ".new", "half");

  EXPECT_FALSE(store_->status(session)->archived) << "the session file counts";
  EXPECT_TRUE(store_->find(session, {"c"}));
  EXPECT_EQ(store_->list({})->sessions.size(), 1U) << "it is one session";
  const auto leftovers = *store_->leftovers();
  ASSERT_EQ(leftovers.size(), 2U);
  for (const storage::Leftover& leftover : leftovers) {
    EXPECT_EQ(leftover.kind, CopyKind::archive);
    EXPECT_EQ(leftover.session, session);
  }
  const std::vector<EntryId> wanted = {{"a"}};
  for (const storage::Leftover& leftover : leftovers) {
    EXPECT_THAT(*store_->held_by(leftover, wanted), Contains(EntryId{"a"}));
  }

  ASSERT_TRUE(store_->erase(session, wanted, ""));
  EXPECT_TRUE(store_->leftovers()->empty()) << "nothing else would remove the erased bytes";
  EXPECT_THAT(names(), Not(Contains(archive)));
}

TEST_F(Archive, LeftOverIsRemovedOnItsOwn) {
  ASSERT_TRUE(store_->archive(session));
  const std::string left = *stored_.disk().content(archive);
  ASSERT_TRUE(store_->unarchive(session));
  stored_.disk().put(archive, left);
  stored_.disk().put("archive/t.jsonl.zst.new", "half");
  const std::vector<EntryId> wanted = {{"a"}};
  const std::vector<storage::Leftover> leftovers = *store_->leftovers();
  for (const storage::Leftover& leftover : leftovers) {
    ASSERT_TRUE(store_->erase_in(leftover, wanted, ""));
  }
  EXPECT_TRUE(store_->leftovers()->empty());
  EXPECT_EQ(whats_wrong(*store_), "");
}

TEST_F(Archive, LeftOverDoesNotBecomeTheSessionWhenThatIsRemoved) {
  ASSERT_TRUE(store_->archive(session));
  const std::string left = *stored_.disk().content(archive);
  ASSERT_TRUE(store_->unarchive(session));
  stored_.disk().put(archive, left);
  ASSERT_TRUE(store_->remove(session));
  EXPECT_EQ(store_->status(session).error().code, ErrorCode::not_found);
  EXPECT_THAT(names(), Not(Contains(archive)));
}

TEST_F(Archive, IsMadeAgainOverOneThatWasLeftOver) {
  stored_.disk().put(archive, "left over");
  ASSERT_TRUE(store_->archive(session));
  EXPECT_EQ(whats_wrong(*store_), "");
  EXPECT_TRUE(store_->status(session)->archived);
}

TEST_F(Archive, IsMadeBySomebodyElseWhileWeBuffer) {
  ASSERT_TRUE(append(*store_, "c", "text", Durability::buffered));
  auto other = *stored_.open();
  ASSERT_TRUE(other->archive(session));
  EXPECT_TRUE(store_->flush(session)) << "they synced it";
  EXPECT_EQ(append(*store_, "d").error().code, ErrorCode::unsupported);
  EXPECT_TRUE(store_->find(session, {"c"}));
  ASSERT_TRUE(other->unarchive(session));
  EXPECT_TRUE(append(*store_, "d"));
}

TEST_F(Archive, HasNotWhatWasBufferedInAFileThatWasReplaced) {
  const std::string before = *stored_.disk().content(file);
  ASSERT_TRUE(append(*store_, "c", "text", Durability::buffered));
  stored_.replace(file, before);
  auto other = *stored_.open();
  ASSERT_TRUE(other->archive(session));
  EXPECT_EQ(store_->flush(session).error().code, ErrorCode::durability_unknown);
  EXPECT_TRUE(store_->flush(session)) << "told once";
}

TEST_F(Archive, IsBroughtBackBySomebodyElseBetweenTwoLooks) {
  ASSERT_TRUE(store_->archive(session));
  auto other = *stored_.open();
  stored_.before(Operation::open, archive, [&] { ASSERT_TRUE(other->unarchive(session)); });
  EXPECT_EQ(whats_wrong(*store_), "");
  EXPECT_FALSE(store_->status(session)->archived);
}

TEST_F(Archive, IsBroughtBackBySomebodyElseWhileWeWouldAppend) {
  ASSERT_TRUE(store_->archive(session));
  auto other = *stored_.open();
  stored_.before(Operation::status, file, [&] { ASSERT_TRUE(other->unarchive(session)); });
  EXPECT_TRUE(append(*store_, "c"));
}

TEST_F(Archive, OfASessionThatIsBeingWrittenIsBusy) {
  auto theirs = stored_.somebody().open(file, io::Access::write);
  ASSERT_TRUE(theirs && (*theirs)->lock(io::LockKind::exclusive, 0ms));
  EXPECT_EQ(store_->archive(session).error().code, ErrorCode::busy);
  EXPECT_EQ(store_->unarchive(session).error().code, ErrorCode::busy);
}

TEST_F(Archive, ThatCannotBeSyncedLeavesTheSession) {
  stored_.disk().faults().plan({.operation = Operation::sync, .sticky = true});
  EXPECT_FALSE(store_->archive(session));
  stored_.disk().faults().clear();
  EXPECT_EQ(whats_wrong(*store_), "");
  EXPECT_FALSE(store_->status(session)->archived);
}

TEST_F(Archive, ThatWouldNotFitOnTheDiskLeavesTheSession) {
  stored_.disk().faults().plan({.operation = Operation::append, .short_bytes = 0});
  const auto archived = store_->archive(session);
  ASSERT_FALSE(archived);
  EXPECT_THAT(names(), Not(Contains(archive + ".new")));
  EXPECT_EQ(whats_wrong(*store_), "");
}

// Nothing of an erased entry is left anywhere, whenever the power goes, once it was acknowledged.
TEST_F(Archive, IsErasedInWithoutATrace) {
  ASSERT_TRUE(append(*store_, "c", "the secret"));
  ASSERT_TRUE(store_->archive(session));
  const std::vector<EntryId> wanted = {{"c"}};
  stored_.disk().on_change([&](std::string_view operation, std::string_view name) {
    StoredDisk copy;
    copy.disk() = stored_.disk().without_unsynced();
    auto again = *copy.open();
    EXPECT_EQ(whats_wrong(*again), "") << operation << " " << name;
    ASSERT_TRUE(again->erase(session, wanted, "")) << operation << " " << name;
    ASSERT_TRUE(again->unarchive(session));
    for (const std::string& left : copy.disk().file_names()) {
      EXPECT_THAT(*copy.disk().content(left), Not(HasSubstr("the secret"))) << left;
      EXPECT_THAT(left, Not(HasSubstr(".zst"))) << operation << " " << name;
    }
  });
  ASSERT_TRUE(store_->erase(session, wanted, ""));
  stored_.disk().on_change({});
  EXPECT_TRUE(store_->status(session)->archived);
  EXPECT_TRUE(store_->find(session, {"c"})->erased);
}

class Trash : public Archive {};

TEST_F(Trash, GivesBlobsBackToAFolderThatIsThereAlready) {
  ASSERT_TRUE(store_->remove(session));
  stored_.disk().put("blobs/s/odd", "not ours");
  ASSERT_TRUE(store_->restore(session));
  EXPECT_EQ(whats_wrong(*store_), "");
}

TEST_F(Trash, OfWhichTheBlobsWereRestoredAndNotTheSessionIsErased) {
  ASSERT_TRUE(store_->remove(session));
  stored_.disk().faults().plan({.operation = Operation::rename, .at_call = 2});
  ASSERT_FALSE(store_->restore(session));
  stored_.disk().faults().clear();
  ASSERT_THAT(names(), Contains(HasSubstr("blobs/s/")));

  const std::vector<EntryId> wanted = {{"b"}};
  const std::vector<storage::Leftover> leftovers = *store_->leftovers();
  for (const storage::Leftover& leftover : leftovers) {
    ASSERT_TRUE(store_->erase_in(leftover, wanted, ""));
  }
  for (const std::string& name : names()) EXPECT_THAT(name, Not(HasSubstr("blobs/"))) << name;
  ASSERT_TRUE(store_->restore(session));
  EXPECT_TRUE(store_->find(session, {"b"})->erased);
}

TEST_F(Trash, ThatWasNotLeftAltogetherKeepsItsBlobsWhenWhatWasUnfinishedIsRemoved) {
  ASSERT_TRUE(store_->remove(session));
  stored_.disk().faults().plan({.operation = Operation::rename, .at_call = 2});
  ASSERT_FALSE(store_->restore(session));
  stored_.disk().faults().clear();
  stored_.disk().put(file + ".new", "");  // as of somebody who was killed
  const std::vector<EntryId> wanted = {{"other"}};
  const std::vector<storage::Leftover> leftovers = *store_->leftovers();
  for (const storage::Leftover& leftover : leftovers) {
    if (leftover.kind != CopyKind::unfinished) continue;
    ASSERT_TRUE(store_->erase_in(leftover, wanted, ""));
  }
  ASSERT_TRUE(store_->restore(session));
  EXPECT_EQ(whats_wrong(*store_), "");
}

TEST_F(Trash, IsNotEmptiedIntoASessionThatIsBeingMade) {
  ASSERT_TRUE(store_->remove(session));
  auto theirs = stored_.somebody().create(file + ".new");
  ASSERT_TRUE(theirs && (*theirs)->lock(io::LockKind::exclusive, 0ms));
  EXPECT_EQ(store_->restore(session).error().code, ErrorCode::busy);
}

TEST_F(Trash, TellsTheOnesOfOneMillisecondApart) {
  for (int i = 0; i < 11; ++i) {
    if (i > 0) make_session(*store_);
    ASSERT_TRUE(append(*store_, "n" + std::to_string(i)));
    ASSERT_TRUE(store_->remove(session));
  }
  ASSERT_TRUE(store_->restore(session));
  EXPECT_TRUE(store_->find(session, {"n10"})) << "…-11 comes after …-2";
}

}  // namespace
}  // namespace logwood
