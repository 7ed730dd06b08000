// Archiving, removing and bringing back: what stays readable, what is refused, what comes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Keeping : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session("k");
    for (const char* id : {"a", "b", "c"}) {
      ASSERT_TRUE(store_->append(session_, message(id, "the text of " + std::string(id))));
    }
  }

  // A string that lies beside the session, as a blob.
  void append_long_string(const std::string& id) {
    ASSERT_TRUE(store_->append(session_, message(id, std::string(100'000, 'x'))));
  }

  SessionId session_;
};

TEST_P(Keeping, AnArchivedSessionReadsAsBefore) {
  append_long_string("d");
  const std::vector<std::string> before = loaded(session_);
  const auto report_before = store_->verify(session_);

  const auto archived = store_->archive(session_);

  ASSERT_TRUE(archived) << archived.error().message;
  EXPECT_TRUE(archived->changed);
  EXPECT_GT(archived->session_bytes, 0U);
  EXPECT_GT(archived->archive_bytes, 0U);
  reopen();
  EXPECT_EQ(loaded(session_), before);
  EXPECT_EQ(store_->find(session_, {"b"})->id, EntryId{"b"});
  EXPECT_GT(store_->find(session_, {"d"})->text.size(), 100'000U);
  EXPECT_EQ(store_->load_last(session_, 1)->entries[0].id, EntryId{"d"});
  EXPECT_EQ(store_->tree(session_)->tree.size(), 4U);
  EXPECT_EQ(store_->context(session_)->messages.size(), 4U);
  EXPECT_EQ(store_->status(session_)->tail, EntryId{"d"});
  const auto report = store_->verify(session_);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_sound());
  EXPECT_EQ(report->link, report_before->link);
  ASSERT_EQ(store_->list()->sessions.size(), 1U);
  EXPECT_EQ(store_->list()->sessions[0].id, session_);
  EXPECT_FALSE(store_->open_by_key({.key = "k"})->created);
  EXPECT_EQ(store_->resume(session_)->head, EntryId{"d"});
}

TEST_P(Keeping, AnArchivedSessionIsNotWrittenTo) {
  ASSERT_TRUE(store_->archive(session_));
  const auto status = store_->status(session_);
  EXPECT_TRUE(status->archived);
  EXPECT_THAT(status->read_only, HasSubstr("logwood archive --undo " + session_.text));

  const auto appended = store_->append(session_, message("x", "later"));
  EXPECT_EQ(code_of(appended), ErrorCode::unsupported);
  EXPECT_EQ(appended.error().message, status->read_only);
  EXPECT_EQ(code_of(store_->redact(session_, {{EntryId{"a"}}})), ErrorCode::unsupported);
  EXPECT_EQ(code_of(store_->set_label(session_, "here", EntryId{"a"})), ErrorCode::unsupported);
  EXPECT_EQ(code_of(store_->move_head(session_, EntryId{"a"})), ErrorCode::unsupported);
  const auto migrated = store_->migrate(session_);
  EXPECT_EQ(code_of(migrated), ErrorCode::unsupported);
  EXPECT_EQ(migrated.error().message, status->read_only);
  EXPECT_EQ(code_of(store_->create({.id = session_})), ErrorCode::already_exists);
  EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c"));
}

TEST_P(Keeping, AnArchivedSessionIsBroughtBack) {
  ASSERT_TRUE(store_->archive(session_));
  const auto undone = store_->unarchive(session_);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_TRUE(undone->changed);
  reopen();
  EXPECT_FALSE(store_->status(session_)->archived);
  EXPECT_EQ(store_->status(session_)->read_only, "");
  EXPECT_TRUE(store_->append(session_, message("d", "later")));
  EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c", "d"));
}

TEST_P(Keeping, ArchivingAndBringingBackCanBeRepeated) {
  EXPECT_FALSE(store_->unarchive(session_)->changed);
  const auto archived = store_->archive(session_);
  ASSERT_TRUE(archived);
  const auto again = store_->archive(session_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->changed);
  EXPECT_EQ(again->session_bytes, archived->session_bytes);
  EXPECT_EQ(again->archive_bytes, archived->archive_bytes);
  EXPECT_TRUE(store_->unarchive(session_)->changed);
  EXPECT_FALSE(store_->unarchive(session_)->changed);
  EXPECT_EQ(code_of(store_->archive({"nobody"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->unarchive({"nobody"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->archive({"../nobody"})), ErrorCode::invalid_argument);
}

TEST_P(Keeping, WhatWasBufferedGoesIntoTheArchive) {
  ASSERT_TRUE(
      store_->append(session_, message("d", "later"), {.durability = Durability::buffered}));
  ASSERT_TRUE(store_->archive(session_));
  EXPECT_TRUE(store_->flush(session_));
  EXPECT_TRUE(store_->close(session_));
  EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c", "d"));
}

TEST_P(Keeping, AReaderGoesOnWhereItWasThroughArchivingAndBack) {
  auto reader = store_->read(session_, 2);
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("a"));  // and the header
  ASSERT_TRUE(store_->archive(session_));
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("b", "c"));
  ASSERT_TRUE(store_->unarchive(session_));
  ASSERT_TRUE(store_->append(session_, message("d", "later")));
  EXPECT_THAT(ids(reader->next()->entries), ElementsAre("d"));
}

TEST_P(Keeping, AnArchivedSessionIsForked) {
  append_long_string("d");
  ASSERT_TRUE(store_->archive(session_));
  const auto fork = store_->fork(session_, {"d"});
  ASSERT_TRUE(fork) << fork.error().message;
  EXPECT_THAT(loaded(fork->id), ElementsAre("a", "b", "c", "d"));
  EXPECT_FALSE(store_->status(fork->id)->archived);
}

TEST_P(Keeping, ErasingInAnArchivedSessionLeavesItArchived) {
  append_long_string("d");
  ASSERT_TRUE(store_->archive(session_));

  const auto erased = store_->erase(session_, {{"b"}, {"d"}});

  ASSERT_TRUE(erased) << erased.error().message;
  EXPECT_EQ(erased->entries.size(), 2U);
  EXPECT_THAT(erased->copies, IsEmpty());
  reopen();
  EXPECT_TRUE(store_->status(session_)->archived);
  EXPECT_TRUE(store_->find(session_, {"b"})->erased);
  EXPECT_TRUE(store_->verify(session_)->is_sound());
  EXPECT_TRUE(store_->check_receipt(to_json(*erased)));
  ASSERT_TRUE(store_->unarchive(session_));
  EXPECT_TRUE(store_->find(session_, {"d"})->erased);
}

TEST_P(Keeping, ErasingEverywhereReachesArchivedForksAndRemovedArchives) {
  const auto archived_fork = store_->fork(session_, {"c"});
  const auto removed_fork = store_->fork(session_, {"c"});
  for (const auto& fork : {archived_fork, removed_fork}) ASSERT_TRUE(store_->archive(fork->id));
  ASSERT_TRUE(store_->remove(removed_fork->id));

  const auto erased = store_->erase(session_, {{"b"}}, {.everywhere = true});

  ASSERT_TRUE(erased) << erased.error().message;
  ASSERT_EQ(erased->copies.size(), 2U);
  for (const Copy& copy : erased->copies) EXPECT_TRUE(copy.erased) << copy.name;
  EXPECT_TRUE(store_->find(archived_fork->id, {"b"})->erased);
  EXPECT_TRUE(store_->status(archived_fork->id)->archived);
  ASSERT_TRUE(store_->restore(removed_fork->id));
  EXPECT_TRUE(store_->find(removed_fork->id, {"b"})->erased);
  EXPECT_TRUE(store_->status(removed_fork->id)->archived);
  EXPECT_TRUE(store_->verify(removed_fork->id)->is_sound());
}

TEST_P(Keeping, ARemovedSessionIsRestoredWithItsLongStrings) {
  append_long_string("d");
  for (const bool archived : {false, true}) {
    if (archived) {
      ASSERT_TRUE(store_->archive(session_));
    }
    ASSERT_TRUE(store_->remove(session_));
    EXPECT_EQ(code_of(store_->status(session_)), ErrorCode::not_found);
    EXPECT_THAT(*store_->removed(), ElementsAre(session_));
    reopen();

    const auto restored = store_->restore(session_);

    ASSERT_TRUE(restored) << restored.error().message;
    reopen();
    EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c", "d"));
    EXPECT_GT(store_->find(session_, {"d"})->text.size(), 100'000U);
    EXPECT_EQ(store_->status(session_)->archived, archived);
    EXPECT_TRUE(store_->verify(session_)->is_sound());
    EXPECT_THAT(*store_->removed(), IsEmpty());
  }
}

TEST_P(Keeping, OfSeveralThatWereRemovedTheLastOneIsRestored) {
  for (const char* text : {"first", "second", "third"}) {
    ASSERT_TRUE(store_->create({.id = SessionId{"twice"}}));
    ASSERT_TRUE(store_->append({"twice"}, message(text, text)));
    if (text == std::string("second")) {
      ASSERT_TRUE(store_->archive({"twice"}));
    }
    ASSERT_TRUE(store_->remove({"twice"}));
  }
  ASSERT_TRUE(store_->restore({"twice"}));
  EXPECT_THAT(loaded({"twice"}), ElementsAre("third"));
  const auto again = store_->restore({"twice"});
  EXPECT_EQ(code_of(again), ErrorCode::already_exists);
  EXPECT_THAT(loaded({"twice"}), ElementsAre("third"));
}

TEST_P(Keeping, OnlyWhatWasRemovedIsRestored) {
  EXPECT_EQ(code_of(store_->restore({"nobody"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->restore(session_)), ErrorCode::already_exists);
  EXPECT_EQ(code_of(store_->restore({"../x"})), ErrorCode::invalid_argument);
  ASSERT_TRUE(store_->archive(session_));
  EXPECT_EQ(code_of(store_->restore(session_)), ErrorCode::already_exists);
  EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c"));
}

LOGWOOD_ON_EVERY_BACKEND(Keeping);

}  // namespace
}  // namespace logwood
