// Copies and new files, where the first attempt does not go well.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "io/append_all.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "support/simulated_disk.hpp"

namespace logwood::storage::jsonl {
namespace {

class FileCopy : public ::testing::Test {
 protected:
  io::SimulatedDisk disk_;
  std::unique_ptr<io::FileSystem> files_ = disk_.start_process();
};

TEST_F(FileCopy, OfAFileThatBecameShorterIsNotTakenForWhole) {
  disk_.put("a", "0123456789");
  const auto source = *files_->open("a", io::Access::read);
  const auto target = *files_->create("b");
  EXPECT_EQ(copy_bytes(*source, 0, 11, *target).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(copy_bytes(*source, 2, 5, *target));
  EXPECT_EQ(disk_.content("b"), "0123456789234");
}

TEST_F(FileCopy, GoesOnAfterAShortWriteAndGivesUpOnAFullDisk) {
  const auto target = *files_->create("b");
  disk_.faults().plan({.operation = io::Operation::append, .short_bytes = 3});
  EXPECT_TRUE(io::append_all(*target, "0123456789"));
  EXPECT_EQ(disk_.content("b"), "0123456789");
  disk_.faults().plan({.operation = io::Operation::append, .short_bytes = 0});
  EXPECT_EQ(io::append_all(*target, "x").error().code, ErrorCode::no_space);
}

TEST_F(FileCopy, TakesTheFirstNameThatIsFreeAndDoesNotLookForEver) {
  disk_.put("kept/0", "x");
  EXPECT_TRUE(create_numbered(*files_, "kept",
                              [](int attempt) { return "kept/" + std::to_string(attempt); }));
  EXPECT_EQ(disk_.content("kept/1"), "");
  const auto none = create_numbered(*files_, "kept", [](int) { return std::string("kept/0"); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::already_exists);
  EXPECT_EQ(disk_.content("kept/0"), "x");
}

}  // namespace
}  // namespace logwood::storage::jsonl
