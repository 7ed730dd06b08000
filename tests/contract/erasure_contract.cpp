// Erasing: what is removed, what is left, and the receipt for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Erasing : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
    for (const char* id : {"a", "b", "c", "d"}) {
      ASSERT_TRUE(store_->append(session_, message(id, "the secret of " + std::string(id))));
    }
  }

  // Every byte that the store has on disk; nothing in memory.
  std::string stored_bytes() {
    std::string all;
    if (GetParam() == BackendKind::memory) return all;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path())) {
      if (!file.is_regular_file()) continue;
      std::ifstream stream(file.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(stream), {});
    }
    return all;
  }

  SessionId session_;
};

TEST_P(Erasing, RemovesTheBytesAndKeepsThePlace) {
  EXPECT_TRUE(store_->close(session_));  // leaves an index behind
  const auto erased = store_->erase(session_, {{"b"}, {"c"}}, "a password");
  ASSERT_TRUE(erased) << erased.error().message;
  ASSERT_EQ(erased->entries.size(), 2U);
  EXPECT_EQ(erased->entries[0].id, EntryId{"b"});
  reopen();
  EXPECT_THAT(stored_bytes(), Not(HasSubstr("secret of b")));
  EXPECT_THAT(stored_bytes(), Not(HasSubstr("secret of c")));

  const auto page = store_->load(session_);
  ASSERT_TRUE(page);
  EXPECT_THAT(page->problems, IsEmpty());
  EXPECT_THAT(ids(page->entries), ElementsAre("a", "b", "c", "d", erased->redaction_id.text));
  const Entry& b = page->entries[2];
  EXPECT_TRUE(b.erased);
  EXPECT_EQ(b.parent_id, EntryId{"a"});
  EXPECT_EQ(b.type, "message");
  EXPECT_EQ(b.timestamp.size(), 24U);
  EXPECT_EQ(b.payload(), "");
  EXPECT_TRUE(store_->find(session_, {"c"})->erased);

  const auto report = store_->verify(session_);
  EXPECT_TRUE(report->is_sound());
  EXPECT_EQ(report->problem_count, 0U);
  EXPECT_EQ(store_->status(session_)->tail, EntryId{"d"});

  // The tree and what comes after it stand as before.
  EXPECT_EQ(store_->tree(session_)->tree.depth(*store_->tree(session_)->tree.find("d")), 4U);
  EXPECT_TRUE(store_->append(session_, message("e", "later")));
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

TEST_P(Erasing, WhatIsErasedIsNotWrittenAgain) {
  ASSERT_TRUE(store_->erase(session_, {{"b"}}));
  const auto again = store_->append(session_, message("b", "the secret of b"));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->replayed);
  EXPECT_TRUE(store_->find(session_, {"b"})->erased);
}

TEST_P(Erasing, AnotherTimeErasesNothing) {
  ASSERT_TRUE(store_->erase(session_, {{"b"}, {"b"}}));
  const auto again = store_->erase(session_, {{"b"}});
  ASSERT_TRUE(again);
  EXPECT_THAT(again->entries, IsEmpty());
  EXPECT_EQ(store_->load(session_)->entries.size(), 6U);
}

TEST_P(Erasing, IsAllOrNothing) {
  EXPECT_EQ(code_of(store_->erase(session_, {{"a"}, {"nobody"}})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->erase(session_, {{"a"}, {session_.text}})),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->erase(session_, {})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->erase({"nobody"}, {{"a"}})), ErrorCode::not_found);
  EXPECT_FALSE(store_->find(session_, {"a"})->erased);
  const auto mark = store_->redact(session_, {{{"a"}}});
  EXPECT_EQ(code_of(store_->erase(session_, {mark->last_appended_entry_id})),
            ErrorCode::invalid_argument);
}

TEST_P(Erasing, TheContextLosesItAtOnce) {
  EXPECT_EQ(store_->context(session_)->messages.size(), 4U);
  ASSERT_TRUE(store_->erase(session_, {{"d"}}));
  const auto context = store_->context(session_);
  EXPECT_EQ(context->messages.size(), 3U);
  EXPECT_THAT(context->passed_over, ElementsAre(PassedOver{{"d"}, PassedOverReason::erased}));
}

TEST_P(Erasing, AForkOfItHasNothingToShow) {
  ASSERT_TRUE(store_->erase(session_, {{"b"}}));
  const auto fork = store_->fork(session_, {"d"});
  ASSERT_TRUE(fork) << fork.error().message;
  EXPECT_THAT(loaded(fork->id), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(store_->find(fork->id, {"b"})->payload(), "{}");
  EXPECT_TRUE(store_->verify(fork->id)->is_sound());
}

TEST_P(Erasing, AReceiptHoldsUntilSomethingElseIsThere) {
  const auto erased = store_->erase(session_, {{"b"}});
  ASSERT_TRUE(erased);
  const std::string receipt = to_json(*erased);
  ASSERT_TRUE(store_->append(session_, message("e", "later")));
  reopen();
  const auto checked = store_->check_receipt(receipt);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(*checked, *erased);

  std::string other = receipt;
  other.replace(other.find("\"id\":\"b\""), 8, "\"id\":\"a\"");
  EXPECT_THAT(store_->check_receipt(other).error().message, HasSubstr("entry a is not erased"));
  other = receipt;
  const std::size_t digest = other.find("\"digest\":\"") + 10;
  other[digest] = other[digest] == '0' ? '1' : '0';
  EXPECT_EQ(code_of(store_->check_receipt(other)), ErrorCode::damaged);
  EXPECT_EQ(code_of(store_->check_receipt("{}")), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->check_receipt("{")), ErrorCode::invalid_argument);
}

LOGWOOD_ON_EVERY_BACKEND(Erasing);

}  // namespace
}  // namespace logwood
