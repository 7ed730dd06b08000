#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "io/outside_file.hpp"
#include "io/scratch_file.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WholeFile, IsThereWhenItIsWholeAndForItsOwnerOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  {
    auto file = WholeFile::create(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->write("a"));
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->write("b"));
    ASSERT_TRUE(file->finish());
  }
  EXPECT_EQ(content(path), "ab");
  struct stat found{};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & ALLPERMS, 0600U);
}

TEST(WholeFile, ThatIsNotFinishedLeavesNothing) {
  const TemporaryFolder folder;
  {
    auto file = WholeFile::create(folder.path() + "/out");
    ASSERT_TRUE(file->write("a"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(WholeFile, ReplacesNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  auto late = WholeFile::create(path);
  ASSERT_TRUE(late);
  std::ofstream(path) << "theirs";
  EXPECT_EQ(WholeFile::create(path).error().code, ErrorCode::already_exists);
  EXPECT_EQ(late->finish().error().code, ErrorCode::already_exists);
  EXPECT_EQ(content(path), "theirs");
  std::filesystem::create_symlink("nowhere", folder.path() + "/link");
  EXPECT_EQ(WholeFile::create(folder.path() + "/link").error().code, ErrorCode::already_exists);
}

TEST(WholeFile, NeedsAName) {
  EXPECT_EQ(WholeFile::create("").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(WholeFile::create("a/").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(WholeFile::create(std::string("a\0b", 3)).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(WholeFile::create("/nowhere/at/all").error().code, ErrorCode::not_found);
  EXPECT_EQ(WholeFile::create("/").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(WholeFile::create("/tmp").error().code, ErrorCode::invalid_argument) << "a folder";
}

TEST(ReadOutside, GivesTheBytesOfAFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/in") << "abc";
  auto source = read_outside(folder.path() + "/in");
  ASSERT_TRUE(source);
  std::string buffer(2, ' ');
  EXPECT_EQ(*(*source)(buffer), 2U);
  EXPECT_EQ(*(*source)(buffer), 1U);
  EXPECT_EQ(*(*source)(buffer), 0U);
  EXPECT_EQ(read_outside(folder.path() + "/none").error().code, ErrorCode::not_found);
  EXPECT_EQ(read_outside(folder.path()).error().code, ErrorCode::invalid_argument);
}

TEST(ScratchFile, HasNoNameAndCanBeReadBack) {
  auto file = scratch_file();
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE((*file)->append("abc"));
  std::string buffer(3, ' ');
  EXPECT_EQ(*(*file)->read_at(0, buffer), 3U);
  EXPECT_EQ(buffer, "abc");
}

}  // namespace
}  // namespace logwood::io
