// Sessions that somebody else has changed, where what one way of reading finds must
// not depend on what another way, or an index, has found before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/crc32c.hpp"
#include "logwood/store.hpp"
#include "storage/jsonl/index_file.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;

Draft message(const std::string& id) {
  return Draft::of({.type = "message", .payload = R"({"text":")" + id + "\"}", .id = EntryId{id}});
}

std::vector<std::string> spelled(const std::vector<Entry>& entries) {
  std::vector<std::string> found;
  for (const Entry& entry : entries) {
    if (entry.type == "session_header") continue;
    found.push_back(entry.id.text + (entry.flagged ? "!" : ""));
  }
  return found;
}

class IrregularSession : public ::testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_TRUE(store_->create({.id = session_}));
  }

  void open() {
    auto opened = Store::open(folder_ / "store", {.create = StoreOptions::Create::if_missing});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
  }

  // Closes the store, so that an index is left, and changes a file before it is opened again.
  template <class Change>
  void change(const std::string& name, const Change& change) {
    ASSERT_TRUE(store_->close());
    const std::string path = folder_ / ("store/" + name);
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    change(bytes);
    // In place: the inode stays, so the index still describes the file.
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << bytes;
    std::filesystem::resize_file(path, bytes.size());
    open();
  }

  template <class Change>
  void change_session(const Change& how) {
    change("sessions/s.jsonl", how);
  }

  std::vector<std::string> loaded() { return spelled(store_->load(session_)->entries); }

  TemporaryFolder folder_;
  SessionId session_{"s"};
  std::unique_ptr<Store> store_;
};

TEST_F(IrregularSession, ReportsForeignLinesAlsoWhenItIsReadAgainUnderTheLock) {
  change_session([](std::string& bytes) { bytes += "{\"note\":1}\n\n"; });
  ASSERT_TRUE(store_->append(session_, message("a")));
  change_session([](std::string& bytes) { bytes += "half a li"; });

  const auto page = store_->load(session_);
  const auto report = store_->verify(session_);

  ASSERT_TRUE(page && report);
  std::vector<ProblemKind> kinds;
  for (const Problem& problem : page->problems) kinds.push_back(problem.kind);
  EXPECT_THAT(kinds, ElementsAre(ProblemKind::foreign, ProblemKind::blank, ProblemKind::torn));
  EXPECT_EQ(report->problems, page->problems);
  EXPECT_EQ(report->problem_count, 3U);
}

TEST_F(IrregularSession, ReturnsTheSoundLinesOfADamagedBatchThatAnIndexStillCounts) {
  const Draft batch[] = {message("a"), message("b"), message("c")};
  ASSERT_TRUE(store_->append(session_, batch));
  ASSERT_TRUE(store_->append(session_, message("d")));
  change_session([](std::string& bytes) { bytes[bytes.find("\"b\"") + 1] = 'x'; });

  EXPECT_THAT(loaded(), ElementsAre("a!", "c!", "d"));
  EXPECT_EQ(store_->verify(session_)->flagged, 2U);

  std::filesystem::remove(folder_ / "store/index/s");
  open();
  EXPECT_THAT(loaded(), ElementsAre("a!", "c!", "d"));
}

TEST_F(IrregularSession, LeavesNoIndexThatVouchesForADivergedCopy) {
  ASSERT_TRUE(store_->append(session_, message("a")));
  std::string common;
  change_session([&](std::string& bytes) { common = bytes; });
  for (const char* id : {"b", "c"}) ASSERT_TRUE(store_->append(session_, message(id)));
  std::string one;
  change_session([&](std::string& bytes) {
    one = bytes;
    bytes = common;
  });
  // The other copy goes on differently; then its new lines are put behind those of the first.
  for (const char* id : {"x", "y", "w"}) ASSERT_TRUE(store_->append(session_, message(id)));
  change_session([&](std::string& bytes) { bytes = one + bytes.substr(common.size()); });
  ASSERT_TRUE(store_->append(session_, message("z")));  // by a writer, which would leave an index
  ASSERT_TRUE(store_->close());
  open();

  EXPECT_THAT(loaded(), ElementsAre("a", "b", "c", "w", "z"));
  const auto last = store_->load_last(session_, 3);
  ASSERT_TRUE(last);
  EXPECT_TRUE(!last->anchored ||
              spelled(last->entries) == (std::vector<std::string>{"z", "w", "c"}));
}

TEST_F(IrregularSession, IsNotSoundHoweverManyHarmlessThingsAreReportedFirst) {
  change_session([](std::string& bytes) { bytes += std::string(10'001, '\n') + "not JSON\n"; });
  const auto report = store_->verify(session_);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem_count, 10'002U);
  EXPECT_FALSE(report->is_sound());
}

TEST_F(IrregularSession, SurvivesAnIndexThatCountsMoreRecordsThanItHas) {
  for (const char* id : {"a", "b"}) ASSERT_TRUE(store_->append(session_, message(id)));
  change("index/s", [](std::string& bytes) {
    storage::jsonl::IndexHeader header;
    constexpr std::size_t header_at = 8;  // behind the magic number
    std::memcpy(&header, bytes.data() + header_at, sizeof header);
    ASSERT_EQ(header.record_count, 3U);
    header.record_count = std::uint64_t{1} << 60U;
    header.last_seq = header.record_count;
    const std::uint64_t crc =
        Crc32c().add({reinterpret_cast<const char*>(&header), sizeof header}).value();
    std::memcpy(bytes.data() + header_at, &header, sizeof header);
    std::memcpy(bytes.data() + header_at + sizeof header, &crc, sizeof crc);
  });
  EXPECT_EQ(store_->find(session_, {"a"})->type, "message");
}

}  // namespace
}  // namespace logwood
