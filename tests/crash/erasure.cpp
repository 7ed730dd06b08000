// Erasing from a session file that is not only what was appended to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Erasure : public ::testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_TRUE(store_->create({.id = session_}));
    for (const char* id : {"a", "b", "c"}) {
      ASSERT_TRUE(store_->append(
          session_, Draft::of({.type = "message",
                               .payload = R"({"text":"secret of )" + std::string(id) + "\"}",
                               .id = EntryId{id}})));
    }
    ASSERT_TRUE(store_->close());
  }

  void open() {
    auto opened = Store::open(folder_ / "store", {.create = StoreOptions::Create::if_missing});
    ASSERT_TRUE(opened);
    store_ = std::make_unique<Store>(*std::move(opened));
  }

  std::string bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
  std::string path() const { return folder_ / "store/sessions/s.jsonl"; }

  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::ifstream file(path(), std::ios::binary);
    for (std::string line; std::getline(file, line);) found.push_back(line);
    return found;
  }

  logwood::Erasure erase(const char* id) {
    open();
    auto erased = store_->erase(session_, {{id}});
    EXPECT_TRUE(erased) << erased.error().message;
    return *std::move(erased);
  }

  TemporaryFolder folder_;
  SessionId session_{"s"};
  std::unique_ptr<Store> store_;
};

TEST_F(Erasure, ChangesOnlyTheErasedLineAndAddsOne) {
  const std::vector<std::string> before = lines();
  erase("b");
  const std::vector<std::string> after = lines();
  ASSERT_EQ(after.size(), before.size() + 1);
  for (const std::size_t same : {0U, 1U, 3U}) EXPECT_EQ(after[same], before[same]);
  const auto link = [](const std::string& line) { return line.substr(line.size() - 43, 32); };
  EXPECT_EQ(link(after[2]), link(before[2]));
}

TEST_F(Erasure, ReachesEveryCopyOfTheLine) {
  const std::vector<std::string> before = lines();
  put(bytes() + before[2] + "\n" + before[2] + before[1] + "\n");  // the last two without a break
  const logwood::Erasure erased = erase("b");
  EXPECT_EQ(erased.entries.size(), 1U);
  EXPECT_THAT(bytes(), Not(HasSubstr("secret of b")));
  EXPECT_THAT(bytes(), HasSubstr(before[1] + "\n"));
  const auto report = store_->verify(session_);
  for (const Problem& problem : report->problems) {
    EXPECT_THAT(problem.kind, ::testing::AnyOf(ProblemKind::repeated, ProblemKind::line_end));
  }
}

TEST_F(Erasure, LeavesForeignAndDamagedLinesAlone) {
  std::vector<std::string> all = lines();
  std::string damaged = all[3];
  damaged[20] ^= 1;
  put(all[0] + "\n" + R"({"somebody":"else"})" + "\n" + all[1] + "\n\n" + all[2] + "\n" + damaged +
      "\n");
  erase("b");
  EXPECT_THAT(bytes(), Not(HasSubstr("secret of b")));
  EXPECT_THAT(bytes(), HasSubstr(R"({"somebody":"else"})"));
  EXPECT_THAT(bytes(), HasSubstr(damaged + "\n"));
  EXPECT_TRUE(store_->append(session_, Draft::of({.type = "message"})));
}

TEST_F(Erasure, BeginsOnALineOfItsOwnWhereTheLastBreakIsMissing) {
  std::string all = bytes();
  all.pop_back();
  put(all);
  erase("c");
  EXPECT_THAT(bytes(), Not(HasSubstr("secret of c")));
  EXPECT_TRUE(store_->verify(session_)->is_sound());
  EXPECT_EQ(store_->load(session_)->entries.size(), 5U);
}

TEST_F(Erasure, OfAReadOnlySessionIsRefused) {
  put(R"({"id":"s","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"session_header",)"
      R"("payload":{"version":0,"requires":[]}})"
      "\n"
      R"({"id":"a","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"message","payload":{}})"
      "\n");
  open();
  const auto erased = store_->erase(session_, {{"a"}});
  ASSERT_FALSE(erased);
  EXPECT_EQ(erased.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace logwood
