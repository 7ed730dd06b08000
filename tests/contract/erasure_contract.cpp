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
using ::testing::UnorderedElementsAre;

class Erasing : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
    for (const char* id : {"a", "b", "c", "d"}) {
      ASSERT_TRUE(store_->append(session_, message(id, "the secret of " + std::string(id))));
    }
  }

  // Every byte that the store has in files; nothing where it has none.
  std::string stored_bytes() {
    std::string all;
    if (!has_files()) return all;
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
  const auto erased = store_->erase(session_, {{"b"}, {"c"}}, {.reason = "a password"});
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
  other = receipt;
  const std::size_t line = other.find("\"line\":\"") + 8;
  other[line] = other[line] == '0' ? '1' : '0';
  EXPECT_THAT(store_->check_receipt(other).error().message, HasSubstr("other entries"));
  EXPECT_EQ(code_of(store_->check_receipt("{}")), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->check_receipt("{")), ErrorCode::invalid_argument);
}

TEST_P(Erasing, AReasonThatNobodyCouldReadIsRefused) {
  const std::string long_reason(17U << 20U, 'r');
  EXPECT_EQ(code_of(store_->erase(session_, {{"b"}}, {.reason = long_reason})),
            ErrorCode::invalid_argument);
  EXPECT_FALSE(store_->find(session_, {"b"})->erased);
  EXPECT_TRUE(store_->append(session_, message("e", "later")));
  EXPECT_TRUE(store_->erase(session_, {{"b"}}, {.reason = "short"}));
}

TEST_P(Erasing, ListsCopiesAndErasesThemWhenAsked) {
  const auto fork = store_->fork(session_, {"c"});
  const auto fork_of_fork = store_->fork(fork->id, {"b"});
  const auto beside = store_->fork(session_, {"a"});
  const SessionId stranger = make_session();
  ASSERT_TRUE(store_->append(stranger, message("b", "another b")));

  // Wherever one begins, the others are found.
  const auto listed = store_->erase(fork->id, {{"b"}});
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_THAT(listed->elsewhere, IsEmpty());
  EXPECT_THAT(listed->copies,
              UnorderedElementsAre(Copy{CopyKind::session, session_.text, false},
                                   Copy{CopyKind::session, fork_of_fork->id.text, false}));
  EXPECT_FALSE(store_->find(session_, {"b"})->erased);

  EXPECT_TRUE(store_->context(fork_of_fork->id));  // which is kept
  const auto everywhere =
      store_->erase(fork->id, {{"a"}, {"b"}}, {.reason = "gone", .everywhere = true});
  ASSERT_TRUE(everywhere) << everywhere.error().message;
  EXPECT_THAT(everywhere->copies,
              UnorderedElementsAre(Copy{CopyKind::session, session_.text, true},
                                   Copy{CopyKind::session, beside->id.text, true},
                                   Copy{CopyKind::session, fork_of_fork->id.text, true}));
  EXPECT_EQ(everywhere->elsewhere.size(), 3U);
  for (const SessionId& id : {session_, fork->id, fork_of_fork->id}) {
    EXPECT_TRUE(store_->find(id, {"b"})->erased);
    EXPECT_TRUE(store_->verify(id)->is_sound());
  }
  EXPECT_THAT(store_->context(fork_of_fork->id)->messages, IsEmpty());
  EXPECT_FALSE(store_->find(stranger, {"b"})->erased);
  EXPECT_THAT(stored_bytes(), Not(HasSubstr("secret of b")));

  const std::string receipt = to_json(*everywhere);
  const auto checked = store_->check_receipt(receipt);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(*checked, *everywhere);
  std::string other = receipt;
  const std::size_t link = other.rfind("\"digest\":\"") + 10;
  other[link] = other[link] == '0' ? '1' : '0';
  EXPECT_EQ(code_of(store_->check_receipt(other)), ErrorCode::damaged);
}

TEST_P(Erasing, EverywhereIsNowhereWhenOneEntryIsNotThere) {
  const auto fork = store_->fork(session_, {"c"});
  const EraseOptions everywhere{.reason = "", .everywhere = true};
  EXPECT_EQ(code_of(store_->erase(session_, {{"a"}, {"nobody"}}, everywhere)),
            ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->erase(session_, {{"a"}, {session_.text}}, everywhere)),
            ErrorCode::invalid_argument);
  EXPECT_FALSE(store_->find(fork->id, {"a"})->erased);
}

TEST_P(Erasing, ASessionThatCannotBeReadIsListed) {
  if (!has_files()) GTEST_SKIP() << "everything can be read without files";
  std::ofstream(folder_.path() + "/store/sessions/odd.jsonl") << "nothing of ours\n";
  const auto erased = store_->erase(session_, {{"a"}}, {.everywhere = true});
  ASSERT_TRUE(erased) << erased.error().message;
  EXPECT_THAT(erased->copies, ElementsAre(Copy{CopyKind::session, "odd", false}));
}

TEST_P(Erasing, AForkThatWasMadeAfterwardsIsNoCopy) {
  ASSERT_TRUE(store_->erase(session_, {{"b"}}));
  ASSERT_TRUE(store_->fork(session_, {"d"}));
  EXPECT_THAT(store_->erase(session_, {{"b"}})->copies, IsEmpty());
}

TEST_P(Erasing, ReachesTheTrashTheQuarantineAndWhatWasNeverFinished) {
  if (!has_files()) GTEST_SKIP() << "there are no files";
  const std::string long_secret = "the secret of e" + std::string(70'000, 'e');
  ASSERT_TRUE(store_->append(session_, message("e", long_secret)));
  const auto fork = store_->fork(session_, {"e"});
  ASSERT_TRUE(store_->remove(fork->id));
  // Torn bytes, as a power cut leaves them; a fork and a removal that somebody died over.
  const std::string store = folder_.path() + "/store/";
  const std::string file = store + "sessions/" + session_.text + ".jsonl";
  ASSERT_TRUE(store_->close(session_));
  std::ofstream(file, std::ios::app) << R"({"id":"f","type":"message","payload":"the secret of e)";
  ASSERT_TRUE(store_->append(session_, message("f", "heals the file")));
  std::filesystem::copy_file(file, store + "sessions/killed.jsonl.new");
  std::filesystem::copy(store + "blobs/" + session_.text, store + "blobs/lost");

  const auto listed = store_->erase(session_, {{"a"}});
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->copies.size(), 4U);
  EXPECT_EQ(listed->copies[0].kind, CopyKind::trash);
  EXPECT_EQ(listed->copies[1].kind, CopyKind::quarantine);
  EXPECT_EQ(listed->copies[2], (Copy{CopyKind::unfinished, "sessions/killed.jsonl.new", false}));
  EXPECT_EQ(listed->copies[3], (Copy{CopyKind::unfinished, "blobs/lost", false}));
  EXPECT_THAT(stored_bytes(), HasSubstr("secret of e"));

  const auto everywhere = store_->erase(session_, {{"e"}}, {.everywhere = true});
  ASSERT_TRUE(everywhere) << everywhere.error().message;
  EXPECT_EQ(everywhere->copies.size(), 4U);
  EXPECT_EQ(everywhere->elsewhere.size(), 1U);
  EXPECT_THAT(stored_bytes(), Not(HasSubstr("secret of e")));
  EXPECT_THAT(stored_bytes(), Not(HasSubstr(std::string(1000, 'e'))));
  EXPECT_TRUE(store_->check_receipt(to_json(*everywhere)));

  // What is in the trash is still a sound session.
  std::filesystem::rename(store + everywhere->copies[0].name,
                          store + "sessions/" + fork->id.text + ".jsonl");
  EXPECT_TRUE(store_->verify(fork->id)->is_sound());
  EXPECT_TRUE(store_->find(fork->id, {"e"})->erased);
  EXPECT_TRUE(store_->check_receipt(to_json(*everywhere)));
}

LOGWOOD_ON_EVERY_BACKEND(Erasing);

}  // namespace
}  // namespace logwood
