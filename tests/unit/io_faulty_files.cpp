#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "io/real_files.hpp"
#include "support/faulty_files.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

using namespace std::chrono_literals;

class FaultyFiles : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::shared_ptr<FaultPlan> faults_ = std::make_shared<FaultPlan>();
  std::unique_ptr<FileSystem> files_ =
      with_faults(*open_folder(folder_.path(), {.create = true}), faults_);
  std::unique_ptr<FileSystem> sound_files_ = *open_folder(folder_.path(), {});

  std::string text_of(const std::string& name) {
    auto file = *sound_files_->open(name, Access::read);
    std::string text(file->status()->size_bytes, '?');
    EXPECT_TRUE(file->read_at(0, text));
    return text;
  }
};

TEST_F(FaultyFiles, FailsEachCallWithEachErrno) {
  ASSERT_TRUE(files_->make_folder("s"));
  auto file = *files_->create("s/a");
  auto derived = *files_->open("s/a", Access::rewrite);
  std::string text(1, '?');
  struct Attempt {
    Operation operation;
    std::function<ErrorCode()> body;
  };
  const auto code = [](const auto& result) {
    return result ? ErrorCode::internal : result.error().code;
  };
  const std::vector<Attempt> attempts{
      {Operation::open, [&] { return code(files_->open("s/a", Access::read)); }},
      {Operation::create, [&] { return code(files_->create("s/b")); }},
      {Operation::status, [&] { return code(files_->status("s/a")); }},
      {Operation::rename, [&] { return code(files_->rename("s/a", "s/c", Replace::never)); }},
      {Operation::remove, [&] { return code(files_->remove("s/a")); }},
      {Operation::make_folder, [&] { return code(files_->make_folder("t")); }},
      {Operation::sync_folder, [&] { return code(files_->sync_folder("s")); }},
      {Operation::list, [&] { return code(files_->list("s")); }},
      {Operation::read_at, [&] { return code(file->read_at(0, text)); }},
      {Operation::append, [&] { return code(file->append("x")); }},
      {Operation::write_at, [&] { return code(derived->write_at(0, "x")); }},
      {Operation::truncate, [&] { return code(file->truncate(7)); }},
      {Operation::sync, [&] { return code(file->sync()); }},
      {Operation::file_status, [&] { return code(file->status()); }},
      {Operation::lock, [&] { return code(file->lock(LockKind::exclusive, 0ms)); }},
  };
  std::set<std::string_view> names;
  for (const Attempt& attempt : attempts) {
    names.insert(name_of(attempt.operation));
    for (const auto& [number, expected] :
         {std::pair{EIO, ErrorCode::unavailable}, std::pair{ENOSPC, ErrorCode::no_space},
          std::pair{EACCES, ErrorCode::permission_denied}}) {
      faults_->plan({.operation = attempt.operation, .sticky = true, .error_number = number});
      EXPECT_EQ(attempt.body(), expected) << name_of(attempt.operation);
      EXPECT_EQ(attempt.body(), expected) << name_of(attempt.operation);
    }
  }
  faults_->clear();

  EXPECT_EQ(names.size(), operations);
  EXPECT_EQ(text_of("s/a"), "") << "nothing happened";
  EXPECT_THAT(*sound_files_->list("s"), ::testing::ElementsAre("a"));
}

TEST_F(FaultyFiles, DoesTheWorkFirstWhereTheFaultTakesEffect) {
  auto file = *files_->create("a");
  auto derived = *files_->open("a", Access::rewrite);

  faults_->plan({.takes_effect = true});
  EXPECT_FALSE(file->append("12"));
  faults_->plan({.takes_effect = true});
  EXPECT_FALSE(derived->write_at(2, "34"));
  faults_->plan({.takes_effect = true});
  EXPECT_FALSE(files_->rename("a", "b", Replace::never));

  EXPECT_EQ(text_of("b"), "1234");
}

TEST_F(FaultyFiles, MovesFewerBytesWherePlanned) {
  auto file = *files_->create("a");
  auto derived = *files_->open("a", Access::rewrite);
  std::string text(4, '?');

  faults_->plan({.short_bytes = 3});
  EXPECT_EQ(*file->append("12345"), 3U);
  faults_->plan({.short_bytes = 1});
  EXPECT_FALSE(derived->write_at(0, "ab"));
  faults_->plan({.short_bytes = 2});
  EXPECT_EQ(*file->read_at(0, text), 2U);
  faults_->plan({.short_bytes = 2});
  EXPECT_FALSE(file->sync());

  EXPECT_EQ(text_of("a"), "a23");
  EXPECT_EQ(text, "a2??");
}

TEST_F(FaultyFiles, CountsCalls) {
  auto file = *files_->create("a");
  ASSERT_TRUE(file->append("1"));
  ASSERT_TRUE(file->append("2"));
  file->unlock();

  EXPECT_EQ(faults_->calls(), 3U);
  EXPECT_EQ(faults_->calls(Operation::create), 1U);
  EXPECT_EQ(faults_->calls(Operation::append), 2U);
  EXPECT_EQ(faults_->calls(Operation::sync), 0U);
  EXPECT_EQ(faults_->faults(), 0U);
}

}  // namespace
}  // namespace logwood::io
