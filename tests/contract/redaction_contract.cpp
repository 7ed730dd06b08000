// Redactions hide in every view, and the bytes stay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Redacting : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
    for (const char* id : {"a", "b", "c", "d"}) {
      ASSERT_TRUE(store_->append(session_, message(id, "the secret of " + std::string(id))));
    }
    // All of b, and the words after "the " of c.
    ASSERT_TRUE(store_->redact(session_, {{{"b"}}, {{"c"}, "/payload/content", {{4, 99}}}}));
  }

  static void expect_hidden(const std::vector<Entry>& entries) {
    std::size_t redacted = 0;
    for (const Entry& entry : entries) {
      EXPECT_THAT(entry.text, Not(HasSubstr("secret of b")));
      EXPECT_THAT(entry.text, Not(HasSubstr("secret of c")));
      if (!entry.redacted) continue;
      ++redacted;
      if (entry.id == EntryId{"b"}) {
        EXPECT_EQ(entry.payload(), "{}");
        EXPECT_EQ(entry.meta(), R"({"redacted":true})");
        EXPECT_EQ(entry.parent_id, EntryId{"a"});
      } else {
        EXPECT_EQ(entry.payload(), R"({"role":"user","content":"the [redacted]"})");
      }
    }
    EXPECT_EQ(redacted, 2U);
  }

  SessionId session_;
};

TEST_P(Redacting, HidesWhereverEntriesAreRead) {
  for (const bool with_index : {false, true}) {
    if (with_index) {
      ASSERT_TRUE(store_->close(session_));  // leaves an index behind
    }
    reopen();
    expect_hidden(store_->load(session_)->entries);
    expect_hidden(store_->load_last(session_, 10)->entries);
    expect_hidden(store_->load_last(session_, 10, Along::path)->entries);
    std::vector<Entry> paged;
    auto reader = store_->read(session_, 2);
    while (reader->has_more()) {
      const auto page = reader->next();
      ASSERT_TRUE(page);
      paged.insert(paged.end(), page->entries.begin(), page->entries.end());
    }
    EXPECT_THAT(paged, SizeIs(6));
    expect_hidden(paged);
    expect_hidden({*store_->find(session_, {"b"}), *store_->find(session_, {"c"})});
    EXPECT_FALSE(store_->find(session_, {"a"})->redacted);
  }
}

TEST_P(Redacting, TheBytesStayForWhoAsksForThem) {
  EXPECT_THAT(store_->find(session_, {"b"}, View::stored)->text, HasSubstr("secret of b"));
  EXPECT_THAT(store_->load(session_, View::stored)->entries[2].text, HasSubstr("secret of b"));
  EXPECT_THAT(store_->load_last(session_, 5, Along::path, View::stored)->entries[2].text,
              HasSubstr("secret of b"));
  EXPECT_THAT(store_->read(session_, 9, View::stored)->next()->entries[2].text,
              HasSubstr("secret of b"));
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

TEST_P(Redacting, HidesFromTheNextCallOn) {
  EXPECT_FALSE(store_->find(session_, {"d"})->redacted);
  ASSERT_TRUE(store_->redact(session_, {{{"d"}}}));
  EXPECT_TRUE(store_->find(session_, {"d"})->redacted);
  EXPECT_TRUE(store_->find(session_, {"b"})->redacted);
  ASSERT_TRUE(store_->erase(session_, {{"d"}}));
  const auto erased = store_->find(session_, {"d"});
  EXPECT_TRUE(erased->erased);
  EXPECT_FALSE(erased->redacted);
}

TEST_P(Redacting, HidesInBranchesAndReplays) {
  ASSERT_TRUE(store_->redact(session_, {{{"d"}}}));
  const auto branches = store_->branches(session_);
  ASSERT_THAT(*branches, SizeIs(1));
  EXPECT_EQ((*branches)[0].preview, "the [redacted]");
  auto replay = store_->replay(session_);
  ASSERT_TRUE(replay);
  std::vector<Entry> seen;
  while (*replay->forward()) seen.push_back(*replay->current());
  EXPECT_EQ(ids(seen), (std::vector<std::string>{"a", "c"}));
  EXPECT_THAT(seen[1].text, HasSubstr("the [redacted]"));
}

TEST_P(Redacting, GoesAlongWithAFork) {
  const auto fork = store_->fork(session_, {"d"});
  ASSERT_TRUE(fork) << fork.error().message;
  expect_hidden(store_->load(fork->id)->entries);
  EXPECT_EQ(store_->status(fork->id)->head, EntryId{"d"});
  EXPECT_EQ(store_->context(fork->id)->messages.size(), 3U);
  // A path that has nothing hidden takes no redaction along.
  const auto clean = store_->fork(session_, {"a"});
  EXPECT_EQ(store_->load(clean->id)->entries.size(), 2U);
}

TEST_P(Redacting, HidesALabel) {
  const auto mark = store_->set_label(session_, "the name of a secret", EntryId{"a"});
  ASSERT_TRUE(mark);
  EXPECT_THAT(*store_->labels(session_), SizeIs(1));
  ASSERT_TRUE(store_->redact(session_, {{mark->last_appended_entry_id}}));
  EXPECT_THAT(*store_->labels(session_), IsEmpty());
}

TEST_P(Redacting, HidesARunIdToo) {
  ASSERT_TRUE(store_->append(
      session_, Draft::of({.type = "message", .id = EntryId{"r"}, .run_id = "a secret run"})));
  ASSERT_TRUE(store_->redact(session_, {{{"r"}, "/runId"}}));
  EXPECT_EQ(store_->find(session_, {"r"})->run_id, "[redacted]");
  EXPECT_EQ(store_->find(session_, {"r"}, View::stored)->run_id, "a secret run");
}

LOGWOOD_ON_EVERY_BACKEND(Redacting);

}  // namespace
}  // namespace logwood
