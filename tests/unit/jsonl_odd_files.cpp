// Files in a store that are no sessions, or sessions with lines no store has written:
// what is ours is read, the rest is reported, and nothing is made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "format/pieces.hpp"
#include "support/sealed_lines.hpp"
#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> found;
  for (const Entry& entry : entries) found.push_back(entry.id.text);
  return found;
}

std::vector<ProblemKind> kinds(const std::vector<Problem>& problems) {
  std::vector<ProblemKind> found;
  for (const Problem& problem : problems) found.push_back(problem.kind);
  return found;
}

class OddFiles : public ::testing::Test {
 protected:
  OddFiles() : store_(*stored_.open()) { lines_.batch({header_body("s")}); }

  void put(const std::string& bytes) { stored_.disk().put("sessions/s.jsonl", bytes); }

  StoredDisk stored_;
  std::unique_ptr<storage::StorageBackend> store_;
  SealedLines lines_{"s"};
  SessionId session_{"s"};
};

TEST_F(OddFiles, WithNamesThatAreNoIdsAreNoSessions) {
  put(lines_.bytes());
  stored_.disk().put("sessions/not an id.jsonl", lines_.bytes());
  stored_.disk().put("sessions/.jsonl", lines_.bytes());
  const auto page = store_->list({});
  ASSERT_TRUE(page);
  EXPECT_THAT(page->sessions, SizeIs(1));
  EXPECT_THAT(page->unreadable, IsEmpty());
}

TEST_F(OddFiles, WhoseLastLineIsNoEntryAreReadFromTheirStart) {
  lines_.batch({message_body("a")});
  lines_.batch({R"({"hello":"world")"});
  put(lines_.bytes());

  const auto last = store_->read_last(session_, 1, Along::append_order);
  const auto page = store_->read(session_, {}, 10);

  ASSERT_TRUE(last && page);
  EXPECT_THAT(ids(last->entries), ElementsAre("a"));
  EXPECT_THAT(ids(page->page.entries), ElementsAre("s", "a"));
  EXPECT_THAT(kinds(page->page.problems), ElementsAre(ProblemKind::not_an_entry));
}

TEST_F(OddFiles, WithAnEntryThatIsOneOnlyAtItsFrontSayWhatIsWrongWithIt) {
  lines_.batch({R"({"id":"a","parentId":null,"type":"message","payload":nonsense)"});
  put(lines_.bytes());
  const auto found = store_->find(session_, {"a"});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().code, ErrorCode::not_found);
  EXPECT_THAT(ids(store_->read(session_, {}, 10)->page.entries), ElementsAre("s"));
}

TEST_F(OddFiles, AreReadFromTheStartForAPositionThatIsNone) {
  lines_.batch({message_body("a")});
  put(lines_.bytes());
  storage::ReadPosition position;
  position.offset = 7;
  position.boundary_seq = 1;
  position.link = "no link";
  EXPECT_THAT(ids(store_->read(session_, position, 10)->page.entries), ElementsAre("s", "a"));
  position.link = std::string(32, 'A');
  EXPECT_THAT(ids(store_->read(session_, position, 10)->page.entries), ElementsAre("s", "a"));
}

// Only version 0 has headers without a seal.
TEST_F(OddFiles, WithAHeaderThatLostItsSealAreNoSessions) {
  for (const std::string& bytes :
       {header_body("s") + "}\n", std::string(R"({"id":"s","type":"session_header","payload":)"
                                              R"({"version":0}})")}) {
    put(bytes);
    const auto status = store_->status(session_);
    ASSERT_TRUE(status);
    EXPECT_THAT(status->read_only, HasSubstr("no session")) << bytes;
  }
}

TEST_F(OddFiles, ThatBeginWithALineTooLongToBeAHeaderKeepTheRest) {
  lines_.batch({message_body("a")});
  put(std::string(format::line_size_max + 10, ' ') + "\n" + lines_.bytes());
  const auto page = store_->read(session_, {}, 10);
  ASSERT_TRUE(page);
  EXPECT_THAT(ids(page->page.entries), ElementsAre("s", "a"));
  EXPECT_THAT(kinds(page->page.problems), ElementsAre(ProblemKind::damaged));
}

TEST_F(OddFiles, OfVersion0WithALineTooLongToBeAnEntryKeepTheRest) {
  put(R"({"id":"s","type":"session_header","payload":{"version":0}})"
      "\n" +
      std::string(format::line_size_max + 10, ' ') +
      "\n"
      R"({"id":"a","parentId":null,"type":"message"})"
      "\n");
  const auto page = store_->read(session_, {}, 10);
  ASSERT_TRUE(page);
  EXPECT_THAT(ids(page->page.entries), ElementsAre("s", "a"));
  EXPECT_THAT(kinds(page->page.problems), ElementsAre(ProblemKind::damaged));
}

TEST_F(OddFiles, AreNotLookedAtForASessionThatCannotBe) {
  EXPECT_EQ(store_->open_by_key({.id = SessionId{"not an id"}, .key = "k"}).error().code,
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace logwood
