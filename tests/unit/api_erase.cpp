#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "api/erase.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::api {
namespace {

class EraseWithReceipt : public ::testing::Test {
 protected:
  void SetUp() override {
    StoreOptions options;
    options.new_id = [this] {
      meanwhile_();
      return new_entry_id();
    };
    auto store = Store::in_memory(options);
    ASSERT_TRUE(store);
    store_.emplace(*std::move(store));
    ASSERT_TRUE(store_->create({.id = SessionId{"s"}}));
    ASSERT_TRUE(store_->append(
        SessionId{"s"}, Draft::of({.type = "message", .payload = "{}", .id = EntryId{"e"}})));
  }

  Result<Erased> erase(const std::optional<std::string>& path) {
    return erase_with_receipt(*store_, SessionId{"s"}, {EntryId{"e"}}, {}, folder_.path(), path);
  }

  bool is_erased() { return store_->find(SessionId{"s"}, EntryId{"e"})->erased; }

  TemporaryFolder folder_;
  std::optional<Store> store_;
  std::function<void()> meanwhile_ = [] {};  // while the store erases
};

TEST_F(EraseWithReceipt, KeepsWhatHoldsAgainstTheSession) {
  const auto erased = erase("r.json");
  ASSERT_TRUE(erased) << erased.error().message;
  EXPECT_TRUE(erased->kept);
  EXPECT_EQ(erased->file, "r.json");
  std::ifstream file(folder_.path() + "/r.json");
  EXPECT_TRUE(store_->check_receipt({std::istreambuf_iterator<char>(file), {}}));
}

TEST_F(EraseWithReceipt, ErasesNothingWithoutAPlace) {
  std::ofstream(folder_.path() + "/taken") << "theirs";
  EXPECT_EQ(erase("taken").error().code, ErrorCode::already_exists);
  EXPECT_EQ(erase(".").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(erase("").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(erase("none/r.json").error().code, ErrorCode::not_found);
  EXPECT_FALSE(is_erased());
}

TEST_F(EraseWithReceipt, SaysWhenThePlaceIsGoneAfterwards) {
  meanwhile_ = [&] { std::ofstream(folder_.path() + "/r.json") << "theirs"; };
  const auto erased = erase("r.json");
  ASSERT_TRUE(erased) << erased.error().message;
  EXPECT_FALSE(erased->kept);
  EXPECT_EQ(erased->erasure.entries.size(), 1U);
  EXPECT_TRUE(is_erased());
}

TEST_F(EraseWithReceipt, LeavesNoFileWhereNothingWasErased) {
  ASSERT_TRUE(erase(std::nullopt));
  const auto again = erase("again.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->file, "");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/again.json"));
}

}  // namespace
}  // namespace logwood::api
