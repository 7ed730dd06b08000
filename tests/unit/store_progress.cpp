#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

class StoreProgress : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened =
        Store::open(folder_.path() + "/store", {.create = StoreOptions::Create::if_missing});
    ASSERT_TRUE(opened) << opened.error().message;
    store_.emplace(*std::move(opened));
    ASSERT_TRUE(store_->create({.id = session_}));
    const std::string text(50'000, 'x');
    const std::vector<Draft> drafts(
        20, Draft::of({.type = "message", .payload = R"({"content":")" + text + "\"}"}));
    ASSERT_TRUE(store_->append(session_, drafts));
  }

  // Keeps what it is told, and stops nothing.
  Progress listening() {
    return [this](std::uint64_t done, std::uint64_t total) {
      told_.push_back(done);
      total_ = total;
      return true;
    };
  }

  void expect_told_in_order() {
    EXPECT_GE(told_.size(), 2U);
    EXPECT_TRUE(std::is_sorted(told_.begin(), told_.end()));
    EXPECT_LE(told_.back(), total_);
  }

  // Its file, to be imported.
  ByteSource file() const {
    std::ifstream stored(folder_.path() + "/store/sessions/s.jsonl");
    const std::string text{std::istreambuf_iterator<char>(stored), {}};
    return [text, at = std::size_t{0}](std::span<char> into) mutable -> Result<std::size_t> {
      const std::size_t size = std::min(into.size(), text.size() - at);
      std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, into.begin());
      at += size;
      return size;
    };
  }

  const Progress stopping_ = [](std::uint64_t, std::uint64_t) { return false; };
  std::vector<std::uint64_t> told_;
  std::uint64_t total_ = 0;
  TemporaryFolder folder_;
  std::optional<Store> store_;
  const SessionId session_{"s"};
};

TEST_F(StoreProgress, OfVerifyingIsInBytesOfTheSession) {
  const auto report = store_->verify(session_, listening());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(total_, report->size_bytes);
  EXPECT_GE(told_.size(), 5U);
  expect_told_in_order();
}

TEST_F(StoreProgress, StopsVerifying) {
  EXPECT_EQ(store_->verify(session_, stopping_).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(store_->verify(session_)) << "and it can be begun again";
}

TEST_F(StoreProgress, OfArchivingCountsWritingAndComparing) {
  const auto archived = store_->archive(session_, listening());
  ASSERT_TRUE(archived) << archived.error().message;
  EXPECT_EQ(total_, 2 * archived->session_bytes);
  EXPECT_EQ(told_.back(), total_);
  expect_told_in_order();
  told_.clear();
  ASSERT_TRUE(store_->unarchive(session_, listening()));
  EXPECT_EQ(told_.back(), total_);
  expect_told_in_order();
}

TEST_F(StoreProgress, StopsArchivingEitherWay) {
  EXPECT_EQ(store_->archive(session_, stopping_).error().code, ErrorCode::unavailable);
  EXPECT_FALSE(store_->status(session_)->archived);
  ASSERT_TRUE(store_->archive(session_));
  EXPECT_EQ(store_->unarchive(session_, stopping_).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(store_->status(session_)->archived);
  EXPECT_TRUE(store_->unarchive(session_)) << "and it can be begun again";
}

TEST_F(StoreProgress, OfImportingKnowsTheTotalOnceAllIsUnpacked) {
  const SessionId other{"other"};
  ASSERT_TRUE(store_->import_session(file(), {.id = other}, listening()));
  EXPECT_GT(total_, 3'000'000U);
  expect_told_in_order();
}

TEST_F(StoreProgress, StopsImporting) {
  const SessionId other{"other"};
  for (const std::size_t after : {0U, 10U, 30U}) {  // while it is unpacked, looked at, stored
    std::size_t count = 0;
    const auto stopped = store_->import_session(
        file(), {.id = other}, [&](std::uint64_t, std::uint64_t) { return count++ < after; });
    ASSERT_FALSE(stopped) << after;
    EXPECT_EQ(stopped.error().code, ErrorCode::unavailable);
    EXPECT_EQ(store_->status(other).error().code, ErrorCode::not_found);
  }
  EXPECT_TRUE(store_->import_session(file(), {.id = other}));
}

TEST_F(StoreProgress, OfExaminingCountsSessions) {
  ASSERT_TRUE(store_->create({.id = SessionId{"t"}}));
  ASSERT_TRUE(store_->examine([](const Finding&) {}, {}, listening()));
  EXPECT_EQ(total_, 2U);
  expect_told_in_order();
  EXPECT_EQ(store_->examine([](const Finding&) {}, {}, stopping_).error().code,
            ErrorCode::unavailable);
}

}  // namespace
}  // namespace logwood
