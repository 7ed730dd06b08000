#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

class VerifyProgress : public ::testing::Test {
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

  TemporaryFolder folder_;
  std::optional<Store> store_;
  const SessionId session_{"s"};
};

TEST_F(VerifyProgress, IsToldInBytesOfTheSession) {
  std::vector<std::uint64_t> told;
  std::uint64_t size = 0;
  const auto report = store_->verify(session_, [&](std::uint64_t done, std::uint64_t total) {
    told.push_back(done);
    size = total;
    return true;
  });
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(size, report->size_bytes);
  EXPECT_GE(told.size(), 5U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LE(told.back(), size);
}

TEST_F(VerifyProgress, StopsIt) {
  const auto report = store_->verify(session_, [](std::uint64_t, std::uint64_t) { return false; });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(store_->verify(session_)) << "and it can be begun again";
}

}  // namespace
}  // namespace logwood
