// Long strings and attachments: kept beside the session, given back byte for byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LongStrings : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    session_ = make_session();
  }

  // The blobs of a session, by name.
  std::vector<std::filesystem::path> blobs(const SessionId& session) {
    std::vector<std::filesystem::path> found;
    const std::filesystem::path folder = folder_.path() + "/store/blobs/" + session.text;
    if (!std::filesystem::exists(folder)) return found;
    for (const auto& file : std::filesystem::directory_iterator(folder)) found.push_back(file);
    return found;
  }
  std::vector<std::filesystem::path> blobs() { return blobs(session_); }

  std::uintmax_t session_file_size() {
    return std::filesystem::file_size(folder_.path() + "/store/sessions/" + session_.text +
                                      ".jsonl");
  }

  SessionId session_;
};

TEST_P(LongStrings, AreGivenBackByteForByte) {
  // Escapes as the caller spells them, text around and between, names too, and meta.
  const std::string first = "\\u00e9\\n" + std::string(70'000, 'x') + "\\\\";
  const std::string second(65'537, 'y');
  const std::string text = R"({"type":"message","payload":{ "a":")" + first +
                           R"(", "b":["short",")" + second + R"("],"n":1e400 },"meta":{")" +
                           second + R"(":null}})";
  ASSERT_TRUE(store_->append(session_, Draft{text}));
  ASSERT_TRUE(store_->append(session_, message("after", "short")));
  for (int look = 0; look < 2; ++look) {
    const auto page = store_->load(session_);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_THAT(page->problems, IsEmpty());
    ASSERT_THAT(page->entries, SizeIs(3));
    const Entry& entry = page->entries[1];
    EXPECT_FALSE(entry.incomplete);
    EXPECT_TRUE(entry.text.ends_with(text.substr(1)));
    EXPECT_EQ(*store_->find(session_, entry.id), entry);
    EXPECT_EQ(store_->load_last(session_, 2)->entries[1], entry);
    EXPECT_EQ(store_->read(session_)->next()->entries[1], entry);
    reopen();
  }
  const auto report = store_->verify(session_);
  EXPECT_TRUE(report->is_sound());
  if (!has_files()) return;
  EXPECT_EQ(report->blobs, 3U);
  EXPECT_THAT(blobs(), SizeIs(2)) << "the same string is kept once";
  EXPECT_LT(session_file_size(), 2000U);
}

TEST_P(LongStrings, BeginAtOneByteMoreThan64KiB) {
  ASSERT_TRUE(store_->append(session_, message("a", std::string(65'536, 'a'))));
  EXPECT_THAT(blobs(), IsEmpty());
  ASSERT_TRUE(store_->append(session_, message("b", std::string(65'537, 'b'))));
  EXPECT_THAT(blobs(), SizeIs(has_files() ? 1 : 0));
}

TEST_P(LongStrings, AreTheSameWhenTheyAreAppendedAgain) {
  const std::vector<Draft> batch = {message("a", std::string(70'000, 'a')),
                                    message("b", std::string(70'000, 'b')), message("c", "c")};
  ASSERT_TRUE(store_->append(session_, batch));
  reopen();
  const auto again = store_->append(session_, batch);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(code_of(store_->append(session_, message("a", std::string(70'000, 'z')))),
            ErrorCode::id_conflict);
  EXPECT_EQ(code_of(store_->append(session_, message("a", "short"))), ErrorCode::id_conflict);
  EXPECT_EQ(code_of(store_->append(session_, message("c", std::string(70'000, 'c')))),
            ErrorCode::id_conflict);
  EXPECT_THAT(loaded(session_), ElementsAre("a", "b", "c"));
}

TEST_P(LongStrings, AreInContextsAndHiddenByRedactions) {
  const std::string text = "the secret " + std::string(70'000, 'a');
  ASSERT_TRUE(store_->append(session_, message("a", text)));
  EXPECT_THAT(store_->context(session_)->messages[0].payload, HasSubstr(text));
  ASSERT_TRUE(store_->redact(session_, {{{"a"}, "/payload/content", {{4, 80'000}}}}));
  EXPECT_EQ(store_->context(session_)->messages[0].payload,
            R"({"role":"user","content":"the [redacted]"})");
  EXPECT_EQ(store_->find(session_, {"a"})->payload(),
            R"({"role":"user","content":"the [redacted]"})");
}

TEST_P(LongStrings, GoAlongWithAFork) {
  const std::string text(70'000, 'a');
  ASSERT_TRUE(store_->append(session_, message("a", text)));
  const auto fork = store_->fork(session_, {"a"});
  ASSERT_TRUE(fork) << fork.error().message;
  ASSERT_TRUE(store_->erase(session_, {{"a"}}));
  EXPECT_THAT(store_->find(fork->id, {"a"})->text, HasSubstr(text));
  EXPECT_TRUE(store_->verify(fork->id)->is_sound());
  EXPECT_THAT(blobs(), IsEmpty());
  EXPECT_THAT(blobs(fork->id), SizeIs(has_files() ? 1 : 0));
}

TEST_P(LongStrings, AreErasedWithTheLastEntryThatHasThem) {
  const std::string shared(70'000, 's');
  ASSERT_TRUE(store_->append(session_, message("a", shared)));
  ASSERT_TRUE(store_->append(session_, message("b", shared)));
  ASSERT_TRUE(store_->erase(session_, {{"a"}}));
  EXPECT_THAT(store_->find(session_, {"b"})->text, HasSubstr(shared));
  EXPECT_TRUE(store_->verify(session_)->is_sound());
  ASSERT_TRUE(store_->erase(session_, {{"b"}}));
  EXPECT_THAT(blobs(), IsEmpty());
  EXPECT_TRUE(store_->verify(session_)->is_sound());
}

TEST_P(LongStrings, OfAnUnfinishedErasureGoWhenItIsRepeated) {
  if (!has_files()) GTEST_SKIP() << "nothing is left unfinished without files";
  ASSERT_TRUE(store_->append(session_, message("a", std::string(70'000, 'a'))));
  const auto blob = blobs().at(0);
  std::filesystem::copy_file(blob, blob.string() + "-kept");
  ASSERT_TRUE(store_->erase(session_, {{"a"}}));
  std::filesystem::rename(blob.string() + "-kept", blob);
  std::ofstream(blob.string() + ".new") << "half";
  ASSERT_TRUE(store_->erase(session_, {{"a"}}));
  EXPECT_THAT(blobs(), IsEmpty());
}

TEST_P(LongStrings, ThatAreMissingOrAlteredAreReportedWithTheirEntry) {
  if (!has_files()) GTEST_SKIP() << "no file can be missing";
  ASSERT_TRUE(store_->append(session_, message("before", "short")));
  ASSERT_TRUE(store_->append(session_, message("a", std::string(70'000, 'a'))));
  ASSERT_TRUE(store_->append(session_, message("after", "short")));
  const auto blob = blobs().at(0);
  const auto alter = [&](int how) {
    if (how == 0) std::filesystem::resize_file(blob, 69'999);
    if (how == 1) std::ofstream(blob, std::ios::binary) << std::string(69'999, 'a') + 'b';
    if (how == 2) std::filesystem::remove(blob);
  };
  for (int how = 0; how < 3; ++how) {
    alter(how);
    reopen();
    const auto page = store_->load(session_);
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_THAT(page->problems, SizeIs(1)) << how;
    EXPECT_EQ(page->problems[0].kind, ProblemKind::blob);
    EXPECT_EQ(page->problems[0].first_seq, 3U);
    EXPECT_THAT(ids(page->entries), ElementsAre("before", "a", "after"));
    EXPECT_TRUE(page->entries[2].incomplete);
    EXPECT_EQ(page->entries[2].payload(), R"({"role":"user","content":""})");
    EXPECT_TRUE(store_->find(session_, {"a"})->incomplete);
    EXPECT_FALSE(store_->verify(session_)->is_sound());
    const auto resumed = store_->resume(session_);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->context.messages.size(), 2U);
    EXPECT_THAT(resumed->report.passed_over,
                ElementsAre(PassedOver{{"a"}, PassedOverReason::incomplete}));
    EXPECT_THAT(resumed->report.problems, SizeIs(1));
    EXPECT_EQ(code_of(store_->fork(session_, {"after"})), ErrorCode::damaged);
  }
}

TEST_P(LongStrings, OfLinesWithoutTheirEndsAreNotErasedWithOthers) {
  if (!has_files()) GTEST_SKIP() << "there is no file to look at";
  for (const char id : {'a', 'b', 'c'}) {
    ASSERT_TRUE(store_->append(session_, message({id}, std::string(70'000, id))));
  }
  ASSERT_TRUE(store_->close(session_));
  const std::string path = folder_.path() + "/store/sessions/" + session_.text + ".jsonl";
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  bytes[bytes.find('\n', bytes.find("\"id\":\"a\""))] = ' ';
  std::ofstream(path, std::ios::binary) << bytes;
  reopen();
  ASSERT_TRUE(store_->erase(session_, {{"c"}}));
  EXPECT_FALSE(store_->find(session_, {"a"})->incomplete);
  EXPECT_FALSE(store_->find(session_, {"b"})->incomplete);
  EXPECT_THAT(blobs(), SizeIs(2));
}

TEST_P(LongStrings, AFolderOrALinkInTheirPlaceIsNoBlob) {
  if (!has_files()) GTEST_SKIP() << "there are no files";
  ASSERT_TRUE(store_->append(session_, message("a", std::string(70'000, 'a'))));
  ASSERT_TRUE(store_->append(session_, message("b", "short")));
  const auto blob = blobs().at(0);
  std::filesystem::rename(blob, folder_.path() + "/elsewhere");
  for (const bool is_link : {false, true}) {
    if (is_link) {
      std::filesystem::remove(blob);
      std::filesystem::create_symlink(folder_.path() + "/elsewhere", blob);
    } else {
      std::filesystem::create_directory(blob);
    }
    const auto page = store_->load(session_);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_THAT(page->problems, SizeIs(1));
    EXPECT_TRUE(page->entries[1].incomplete);
    EXPECT_THAT(ids(page->entries), ElementsAre("a", "b"));
    EXPECT_FALSE(store_->verify(session_)->is_sound());
  }
}

TEST_P(LongStrings, GoToTheTrashWithTheirSession) {
  ASSERT_TRUE(store_->append(session_, message("a", std::string(70'000, 'a'))));
  ASSERT_TRUE(store_->remove(session_));
  if (!has_files()) return;
  EXPECT_THAT(blobs(), IsEmpty());
  std::size_t kept = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(folder_.path() + "/store/trash")) {
    if (file.is_regular_file()) ++kept;
  }
  EXPECT_EQ(kept, 2U);
}

TEST_P(LongStrings, HoldAttachments) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 7 % 256);
  const auto reference = store_->attach(session_, {bytes, "plan.png", "image/png"});
  ASSERT_TRUE(reference) << reference.error().message;
  EXPECT_EQ(reference->size_bytes, 100'000U);
  ASSERT_TRUE(store_->append(session_, Draft::of({.type = "message",
                                                  .payload = R"({"role":"user","content":[)" +
                                                             reference->to_json() + "]}"})));
  reopen();
  EXPECT_EQ(*store_->attachment(session_, reference->entry_id),
            (Attachment{bytes, "plan.png", "image/png"}));
  const Context context = *store_->context(session_);
  EXPECT_THAT(context.messages, SizeIs(1)) << "the attachment is no message";
  EXPECT_THAT(context.passed_over, IsEmpty());
  EXPECT_THAT(context.messages[0].payload, HasSubstr(R"("name":"plan.png","mime":"image/png")"));

  const auto fork = store_->fork(session_, *store_->status(session_)->head);
  EXPECT_EQ(store_->attachment(fork->id, reference->entry_id)->bytes, bytes);
  ASSERT_TRUE(store_->erase(session_, {reference->entry_id}));
  EXPECT_EQ(code_of(store_->attachment(session_, reference->entry_id)), ErrorCode::not_found);
  EXPECT_EQ(store_->attachment(fork->id, reference->entry_id)->bytes, bytes);
  ASSERT_TRUE(store_->redact(fork->id, {{reference->entry_id}}));
  EXPECT_EQ(code_of(store_->attachment(fork->id, reference->entry_id)), ErrorCode::not_found);
}

TEST_P(LongStrings, RefuseAttachmentsThatCannotBeKept) {
  EXPECT_EQ(code_of(store_->attach(session_, {std::string(12'000'001, 'x'), "big", "text/plain"})),
            ErrorCode::invalid_argument);
  ASSERT_TRUE(store_->attach(session_, {std::string(12'000'000, 'x'), "big", "text/plain"}));
  ASSERT_TRUE(store_->attach(session_, {"", "empty", ""}));
  EXPECT_EQ(code_of(store_->attach(session_, {"x", "\xff", "text/plain"})),
            ErrorCode::invalid_argument);
  ASSERT_TRUE(store_->append(session_, message("m", "no attachment")));
  EXPECT_EQ(code_of(store_->attachment(session_, {"m"})), ErrorCode::not_found);
  ASSERT_TRUE(store_->append(
      session_,
      Draft::of({.type = "attachment",
                 .payload = R"({"name":"n","mime":"m","size":1,"sha256":"","data":"eA=="})",
                 .id = EntryId{"forged"}})));
  EXPECT_EQ(code_of(store_->attachment(session_, {"forged"})), ErrorCode::damaged);
}

LOGWOOD_ON_EVERY_BACKEND(LongStrings);

}  // namespace
}  // namespace logwood
