// What somebody else does to the files of a store between two calls of ours: nothing of
// theirs is overwritten, and nothing of ours is acknowledged that is not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using io::Operation;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const SessionId session{"s"};
const std::string file = "sessions/s.jsonl";
const std::string new_file = "sessions/s.jsonl.new";
const std::string store_text = "{\"format\":\"logwood\",\"version\":1,\"requires\":[]}\n";

Draft message(const std::string& id) { return Draft::of({.type = "message", .id = EntryId{id}}); }

class Meanwhile : public ::testing::Test {
 protected:
  Meanwhile() : store_(*stored_.open()) {}

  Result<AppendResult> append(const std::string& id, Durability durability = Durability::synced) {
    const Draft draft = message(id);
    return store_->append(session, {&draft, 1}, {.durability = durability});
  }

  std::string content(const std::string& name = file) {
    return stored_.disk().content(name).value_or("(missing)");
  }

  std::vector<std::string> names() { return stored_.disk().file_names(); }

  StoredDisk stored_;
  std::unique_ptr<storage::StorageBackend> store_;
};

TEST_F(Meanwhile, ASessionOfTheSameNameIsCreated) {
  stored_.before(Operation::rename, new_file, [&] { stored_.disk().put(file, "theirs"); });

  const auto created = store_->create({.id = session});

  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, ErrorCode::already_exists);
  EXPECT_EQ(content(), "theirs");
  EXPECT_THAT(names(), Not(Contains(new_file)));
}

TEST_F(Meanwhile, AHalfMadeSessionIsFinishedByItsMaker) {
  stored_.disk().put(new_file, "half");
  stored_.before(Operation::status, new_file,
                 [&] { (void)stored_.somebody().rename(new_file, file, io::Replace::never); });
  EXPECT_EQ(store_->create({.id = session}).error().code, ErrorCode::busy);
  EXPECT_EQ(content(), "half") << "it is theirs now";
}

TEST_F(Meanwhile, AHalfMadeSessionIsBegunAgainBySomebodyElse) {
  stored_.disk().put(new_file, "half");
  stored_.before(Operation::status, new_file, [&] { stored_.replace(new_file, "other half"); });
  EXPECT_EQ(store_->create({.id = session}).error().code, ErrorCode::busy);
  EXPECT_EQ(content(new_file), "other half");
}

TEST_F(Meanwhile, ASessionIsRemovedWhileItsKeyIsLookedFor) {
  ASSERT_TRUE(store_->create({.id = session, .key = "k"}));
  stored_.disk().put("sessions/damaged.jsonl", "not a session\n");
  stored_.before(Operation::open, file, [&] { (void)stored_.somebody().remove(file); });

  const auto opened = store_->open_by_key({.key = "k"});

  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE(opened->created);
}

TEST_F(Meanwhile, ASessionIsRemovedWhileWeRemoveIt) {
  ASSERT_TRUE(store_->create({.id = session}));
  stored_.before(Operation::rename, file, [&] { (void)stored_.somebody().remove(file); });
  const auto removed = store_->remove(session);
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code, ErrorCode::not_found);
  EXPECT_THAT(removed.error().message, HasSubstr("there is no session s"));
}

TEST_F(Meanwhile, AFileIsReplacedWhileItIsAppendedTo) {
  ASSERT_TRUE(store_->create({.id = session}));
  ASSERT_TRUE(append("a"));
  const std::string before = content();
  // Looked at first to find the file, then to see that it is still the one.
  stored_.before(Operation::status, file, [&] { stored_.replace(file, before); }, 2);

  const auto appended = append("b");

  ASSERT_FALSE(appended) << "nobody who reads would find it";
  EXPECT_EQ(appended.error().code, ErrorCode::durability_unknown);
  EXPECT_THAT(content(), Not(HasSubstr("\"b\"")));
  const auto again = append("b");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->replayed);
  EXPECT_THAT(content(), HasSubstr("\"b\""));
}

TEST_F(Meanwhile, AFileIsReplacedByOneWithoutWhatWasBuffered) {
  ASSERT_TRUE(store_->create({.id = session}));
  const std::string before = content();
  ASSERT_TRUE(append("a", Durability::buffered));
  stored_.replace(file, before);

  const auto flushed = store_->flush(session);

  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code, ErrorCode::durability_unknown);
  EXPECT_THAT(flushed.error().message, HasSubstr("append it again"));
  EXPECT_TRUE(store_->flush(session)) << "told once";
  EXPECT_TRUE(append("a"));
}

TEST_F(Meanwhile, AFileIsReplacedByACopyWithAllThatWasBuffered) {
  ASSERT_TRUE(store_->create({.id = session}));
  ASSERT_TRUE(append("a", Durability::buffered));
  stored_.replace(file, content());
  EXPECT_TRUE(store_->flush(session));
}

// The name is that of an unfinished copy too, which would mean that a sync says nothing.
TEST_F(Meanwhile, AFileOfTheSameNameIsMadeBySomebodyWhoHoldsItsLock) {
  ASSERT_TRUE(store_->create({.id = session}));
  const auto theirs = stored_.somebody().create(new_file);
  ASSERT_TRUE(theirs && (*theirs)->lock(io::LockKind::exclusive, 0ms));
  const io::FileIdentity before = stored_.somebody().status(file)->identity;

  ASSERT_TRUE(append("a"));

  EXPECT_EQ(stored_.somebody().status(file)->identity, before) << "no copy was needed";
  EXPECT_EQ(content(new_file), "") << "and theirs was left alone";
}

TEST_F(Meanwhile, AFileOfTheSameNameIsTakenAwayAgain) {
  ASSERT_TRUE(store_->create({.id = session}));
  stored_.disk().put(new_file, "half");
  stored_.before(Operation::open, new_file, [&] { (void)stored_.somebody().remove(new_file); });
  ASSERT_TRUE(append("a"));
  EXPECT_THAT(content(), HasSubstr("\"a\""));
}

TEST_F(Meanwhile, ASessionIsReplacedWhileItIsMigrated) {
  ASSERT_TRUE(store_->create({.id = session}));
  const std::string before = content();
  stored_.before(Operation::status, file, [&] { stored_.replace(file, before); });
  EXPECT_EQ(store_->migrate(session).error().code, ErrorCode::busy);
  EXPECT_TRUE(store_->migrate(session));
}

class MeanwhileInANewFolder : public ::testing::Test {
 protected:
  StoredDisk stored_;
};

TEST_F(MeanwhileInANewFolder, AStoreIsMadeAndWeUseIt) {
  stored_.before(Operation::rename, "logwood.json.new",
                 [&] { stored_.disk().put("logwood.json", store_text); });
  ASSERT_TRUE(stored_.open());
  EXPECT_EQ(stored_.disk().content("logwood.json"), store_text);
  EXPECT_THAT(stored_.disk().file_names(), Not(Contains("logwood.json.new")));
}

TEST_F(MeanwhileInANewFolder, AStoreIsMadeAndWhatWeMadeCannotBeRemoved) {
  stored_.before(Operation::rename, "logwood.json.new", [&] {
    stored_.disk().put("logwood.json", store_text);
    stored_.disk().faults().plan({.operation = Operation::remove});
  });
  EXPECT_EQ(stored_.open().error().code, ErrorCode::unavailable);
  EXPECT_TRUE(stored_.open());
}

TEST_F(MeanwhileInANewFolder, AStoreIsStillBeingMade) {
  auto theirs = stored_.somebody().create("logwood.json.new");
  ASSERT_TRUE(theirs && (*theirs)->lock(io::LockKind::exclusive, 0ms));
  EXPECT_EQ(stored_.open().error().code, ErrorCode::busy);
}

TEST_F(MeanwhileInANewFolder, AStoreIsFinishedByWhoBeganToMakeIt) {
  auto theirs = stored_.somebody().create("logwood.json.new");
  ASSERT_TRUE(theirs && (*theirs)->lock(io::LockKind::exclusive, 0ms));
  // Opened first to use it, then to wait for whoever holds it.
  stored_.before(
      Operation::open, "logwood.json.new",
      [&] {
        ASSERT_TRUE((*theirs)->append(store_text));
        ASSERT_TRUE(
            stored_.somebody().rename("logwood.json.new", "logwood.json", io::Replace::never));
        theirs->reset();
      },
      2);
  const auto opened = stored_.open();
  EXPECT_TRUE(opened) << opened.error().message;
}

}  // namespace
}  // namespace logwood
