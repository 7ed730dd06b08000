// What everything above io relies on, asked of real files and of the simulated disk:
// a crash test on the one proves something about the other only as far as they agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "io/file_system.hpp"
#include "io/real_files.hpp"
#include "support/faulty_files.hpp"
#include "support/simulated_disk.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

struct Kind {
  std::string name;
  std::function<std::unique_ptr<FileSystem>(const std::string& path)> make;
};

std::unique_ptr<FileSystem> real_files(const std::string& path) {
  return *open_folder(path, {.create = true});
}

std::unique_ptr<FileSystem> simulated_files(const std::string&) {
  return SimulatedDisk().start_process();
}

std::unique_ptr<FileSystem> wrapped_files(const std::string& path) {
  return with_faults(real_files(path), std::make_shared<FaultPlan>());
}

class FileSystemBehaviour : public ::testing::TestWithParam<Kind> {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = GetParam().make(folder_ / "store");

  std::string text_of(const std::string& name) {
    auto file = files_->open(name, Access::read);
    return file ? text_of(**file) : "(missing)";
  }

  static std::string text_of(const File& file) {
    std::string text(file.status()->size_bytes, '?');
    EXPECT_EQ(*file.read_at(0, text), text.size());
    return text;
  }

  void write(const std::string& name, std::string_view text) {
    auto file = files_->create(name);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_EQ(*(*file)->append(text), text.size());
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, FileSystemBehaviour,
                         ::testing::Values(Kind{"real", real_files},
                                           Kind{"simulated", simulated_files},
                                           Kind{"wrapped", wrapped_files}),
                         [](const auto& suite) { return suite.param.name; });

template <class T>
ErrorCode code(const Result<T>& result) {
  return result ? ErrorCode::internal : result.error().code;
}

TEST_P(FileSystemBehaviour, StartsEmpty) { EXPECT_THAT(*files_->list(""), IsEmpty()); }

TEST_P(FileSystemBehaviour, KeepsWhatWasAppended) {
  write("a", "one ");
  auto again = *files_->open("a", Access::write);
  EXPECT_EQ(*again->append("two"), 3U);

  EXPECT_EQ(text_of("a"), "one two");
}

TEST_P(FileSystemBehaviour, AppendsAtTheEndThatOthersMoved) {
  write("a", "1");
  auto one = *files_->open("a", Access::write);
  auto other = *files_->open("a", Access::write);

  ASSERT_TRUE(one->append("2"));
  ASSERT_TRUE(other->append("3"));
  ASSERT_TRUE(one->append("4"));
  EXPECT_EQ(text_of("a"), "1234");

  ASSERT_TRUE(other->truncate(1));
  ASSERT_TRUE(one->append("5"));
  EXPECT_EQ(text_of("a"), "15");
}

TEST_P(FileSystemBehaviour, AppendsNothingWhenGivenNothing) {
  write("a", "");
  EXPECT_EQ(text_of("a"), "");
}

TEST_P(FileSystemBehaviour, ReadsFewerBytesOnlyAtTheEnd) {
  write("a", "0123456789");
  auto file = *files_->open("a", Access::read);
  std::array<char, 4> into{};

  EXPECT_EQ(*file->read_at(3, into), 4U);
  EXPECT_EQ(std::string_view(into.data(), into.size()), "3456");
  EXPECT_EQ(*file->read_at(8, into), 2U);
  EXPECT_EQ(*file->read_at(10, into), 0U);
  EXPECT_EQ(*file->read_at(1000, into), 0U);
  EXPECT_EQ(*file->read_at(0, std::span<char>()), 0U);
}

TEST_P(FileSystemBehaviour, WritesOverADerivedFileAnywhere) {
  write("a", "0123456789");
  auto file = *files_->open("a", Access::rewrite);

  ASSERT_TRUE(file->write_at(2, "ab"));
  ASSERT_TRUE(file->write_at(12, "end"));
  ASSERT_TRUE(file->write_at(0, ""));

  using std::string_literals::operator""s;
  EXPECT_EQ(text_of("a"), "01ab456789\0\0end"s);
}

TEST_P(FileSystemBehaviour, TruncatesAndFillsWithZeros) {
  write("a", "0123456789");
  auto file = *files_->open("a", Access::write);

  ASSERT_TRUE(file->truncate(3));
  EXPECT_EQ(text_of(*file), "012");
  ASSERT_TRUE(file->truncate(5));

  using std::string_literals::operator""s;
  EXPECT_EQ(text_of(*file), "012\0\0"s);
}

TEST_P(FileSystemBehaviour, RefusesWhatAFileWasNotOpenedFor) {
  write("a", "x");
  auto reader = *files_->open("a", Access::read);
  auto writer = *files_->open("a", Access::write);
  auto rewriter = *files_->open("a", Access::rewrite);

  EXPECT_EQ(reader->append("x").error().code, ErrorCode::internal);
  EXPECT_EQ(reader->write_at(0, "x").error().code, ErrorCode::internal);
  EXPECT_EQ(reader->truncate(0).error().code, ErrorCode::internal);
  EXPECT_EQ(reader->lock(LockKind::exclusive, 0ms).error().code, ErrorCode::internal);
  EXPECT_EQ(writer->write_at(0, "x").error().code, ErrorCode::internal);
  EXPECT_EQ(rewriter->append("x").error().code, ErrorCode::internal);
  EXPECT_EQ(text_of("a"), "x");
}

TEST_P(FileSystemBehaviour, SyncsFilesAndFolders) {
  ASSERT_TRUE(files_->make_folder("sessions"));
  write("sessions/a", "x");

  EXPECT_TRUE((*files_->open("sessions/a", Access::write))->sync());
  EXPECT_TRUE((*files_->open("sessions/a", Access::read))->sync());
  EXPECT_TRUE(files_->sync_folder("sessions"));
  EXPECT_TRUE(files_->sync_folder(""));
  EXPECT_EQ(code(files_->sync_folder("missing")), ErrorCode::not_found);
}

TEST_P(FileSystemBehaviour, DoesNotOpenWhatIsMissing) {
  EXPECT_EQ(code(files_->open("a", Access::write)), ErrorCode::not_found);
  EXPECT_EQ(code(files_->open("sessions/a", Access::read)), ErrorCode::not_found);
  EXPECT_EQ(code(files_->create("sessions/a")), ErrorCode::not_found);
  EXPECT_EQ(code(files_->status("a")), ErrorCode::not_found);
  EXPECT_EQ(code(files_->remove("a")), ErrorCode::not_found);
  EXPECT_EQ(code(files_->remove("sessions/a")), ErrorCode::not_found);
  EXPECT_EQ(code(files_->rename("a", "b", Replace::existing)), ErrorCode::not_found);
  EXPECT_EQ(code(files_->list("sessions")), ErrorCode::not_found);
  EXPECT_EQ(code(files_->make_folder("a/b")), ErrorCode::not_found);
}

TEST_P(FileSystemBehaviour, CreatesAFileOnlyOnce) {
  write("a", "first");
  EXPECT_EQ(code(files_->create("a")), ErrorCode::already_exists);
  EXPECT_EQ(text_of("a"), "first");
}

TEST_P(FileSystemBehaviour, KeepsFoldersAndFilesApart) {
  ASSERT_TRUE(files_->make_folder("folder"));
  write("file", "x");

  for (const Access access : {Access::read, Access::write, Access::rewrite}) {
    EXPECT_EQ(code(files_->open("folder", access)), ErrorCode::permission_denied);
  }
  EXPECT_EQ(code(files_->create("folder")), ErrorCode::already_exists);
  EXPECT_EQ(code(files_->remove("folder")), ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->rename("file", "folder", Replace::existing)),
            ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->list("file")), ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->make_folder("file")), ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->sync_folder("file")), ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->open("file/x", Access::read)), ErrorCode::permission_denied);
  EXPECT_EQ(code(files_->status("file/x")), ErrorCode::permission_denied);
  EXPECT_EQ(text_of("file"), "x");
}

TEST_P(FileSystemBehaviour, MakesAFolderOnceAndThenLeavesIt) {
  ASSERT_TRUE(files_->make_folder("a"));
  ASSERT_TRUE(files_->make_folder("a/b"));
  write("a/b/c", "x");

  EXPECT_TRUE(files_->make_folder("a"));
  EXPECT_TRUE(files_->make_folder("a/b"));
  EXPECT_EQ(text_of("a/b/c"), "x");
}

TEST_P(FileSystemBehaviour, ListsNamesOfOneFolderOnly) {
  ASSERT_TRUE(files_->make_folder("a"));
  ASSERT_TRUE(files_->make_folder("a/inner"));
  write("a/x", "");
  write("a/inner/y", "");
  write("z", "");

  EXPECT_THAT(*files_->list(""), UnorderedElementsAre("a", "z"));
  EXPECT_THAT(*files_->list("a"), UnorderedElementsAre("inner", "x"));
  EXPECT_THAT(*files_->list("a/inner"), UnorderedElementsAre("y"));
}

TEST_P(FileSystemBehaviour, RenamesWithoutReplacing) {
  write("a", "a");
  write("b", "b");

  EXPECT_EQ(code(files_->rename("a", "b", Replace::never)), ErrorCode::already_exists);
  EXPECT_EQ(code(files_->rename("a", "a", Replace::never)), ErrorCode::already_exists);
  EXPECT_TRUE(files_->rename("a", "c", Replace::never));

  EXPECT_THAT(*files_->list(""), UnorderedElementsAre("b", "c"));
  EXPECT_EQ(text_of("c"), "a");
}

TEST_P(FileSystemBehaviour, RenamesOverAnExistingFileThatStaysReadableToWhoHasIt) {
  ASSERT_TRUE(files_->make_folder("sessions"));
  write("sessions/a", "old");
  write("sessions/a.new", "new");
  auto old = *files_->open("sessions/a", Access::write);
  const FileIdentity identity = files_->status("sessions/a.new")->identity;

  ASSERT_TRUE(files_->rename("sessions/a.new", "sessions/a", Replace::existing));
  EXPECT_TRUE(files_->rename("sessions/a", "sessions/a", Replace::existing));

  EXPECT_EQ(text_of("sessions/a"), "new");
  EXPECT_EQ(text_of(*old), "old");
  EXPECT_EQ(files_->status("sessions/a")->identity, identity);
  EXPECT_NE(old->status()->identity, identity);
  EXPECT_EQ(code(files_->status("sessions/a.new")), ErrorCode::not_found);
}

TEST_P(FileSystemBehaviour, RenamesAFolderWithWhatIsInIt) {
  ASSERT_TRUE(files_->make_folder("a"));
  ASSERT_TRUE(files_->make_folder("trash"));
  write("a/file", "x");
  ASSERT_TRUE(files_->rename("a", "trash/b", Replace::never));
  EXPECT_EQ(text_of("trash/b/file"), "x");
  EXPECT_EQ(code(files_->open("a/file", Access::read)), ErrorCode::not_found);
  ASSERT_TRUE(files_->make_folder("a"));
  EXPECT_EQ(code(files_->rename("a", "trash/b", Replace::never)), ErrorCode::already_exists);
}

TEST_P(FileSystemBehaviour, RenamesFromOneFolderToAnother) {
  ASSERT_TRUE(files_->make_folder("sessions"));
  ASSERT_TRUE(files_->make_folder("trash"));
  write("sessions/a", "x");

  ASSERT_TRUE(files_->rename("sessions/a", "trash/a", Replace::never));
  EXPECT_EQ(code(files_->rename("trash/a", "missing/a", Replace::never)), ErrorCode::not_found);

  EXPECT_THAT(*files_->list("sessions"), IsEmpty());
  EXPECT_EQ(text_of("trash/a"), "x");
}

TEST_P(FileSystemBehaviour, RemovesAName) {
  write("a", "x");
  auto open_before = *files_->open("a", Access::write);

  ASSERT_TRUE(files_->remove("a"));

  EXPECT_THAT(*files_->list(""), IsEmpty());
  EXPECT_EQ(text_of(*open_before), "x");
  EXPECT_TRUE(open_before->append("y"));
}

TEST_P(FileSystemBehaviour, TellsTheSameStatusByNameAndByFile) {
  ASSERT_TRUE(files_->make_folder("sessions"));
  write("sessions/a", "12345");
  write("sessions/b", "");
  auto file = *files_->open("sessions/a", Access::write);

  const FileStatus by_name = *files_->status("sessions/a");
  const FileStatus by_file = *file->status();

  EXPECT_EQ(by_name.identity, by_file.identity);
  EXPECT_EQ(by_name.size_bytes, 5U);
  EXPECT_EQ(by_file.size_bytes, 5U);
  EXPECT_NE(by_name.identity, files_->status("sessions/b")->identity);
  EXPECT_TRUE(files_->status("sessions"));
}

TEST_P(FileSystemBehaviour, RefusesNamesThatLeaveTheFolder) {
  ASSERT_TRUE(files_->make_folder("sessions"));
  write("x", "x");
  const std::string with_nul("x\0y", 3);
  for (const std::string& name :
       {std::string("../x"), std::string("/etc/passwd"), std::string("sessions/../x"),
        std::string("sessions/./x"), std::string("."), std::string(".."),
        std::string("sessions//x"), std::string("x/"), with_nul}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(code(files_->open(name, Access::read)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->create(name)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->status(name)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->rename(name, "y", Replace::never)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->rename("x", name, Replace::never)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->remove(name)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->make_folder(name)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->sync_folder(name)), ErrorCode::invalid_argument);
    EXPECT_EQ(code(files_->list(name)), ErrorCode::invalid_argument);
  }
  EXPECT_EQ(code(files_->open("", Access::read)), ErrorCode::invalid_argument);
  EXPECT_THAT(*files_->list(""), UnorderedElementsAre("sessions", "x"));
}

TEST_P(FileSystemBehaviour, LocksOneFileOutForAnother) {
  write("a", "");
  auto one = *files_->open("a", Access::write);
  auto other = *files_->open("a", Access::write);

  ASSERT_TRUE(one->lock(LockKind::exclusive, 0ms));
  EXPECT_EQ(code(other->lock(LockKind::exclusive, 20ms)), ErrorCode::busy);
  EXPECT_EQ(code(other->lock(LockKind::shared, 20ms)), ErrorCode::busy);
  one->unlock();

  EXPECT_TRUE(other->lock(LockKind::exclusive, 0ms));
}

TEST_P(FileSystemBehaviour, LetsReadersShareALock) {
  write("a", "");
  auto one = *files_->open("a", Access::read);
  auto other = *files_->open("a", Access::read);
  auto writer = *files_->open("a", Access::write);

  ASSERT_TRUE(one->lock(LockKind::shared, 0ms));
  ASSERT_TRUE(other->lock(LockKind::shared, 0ms));
  EXPECT_EQ(code(writer->lock(LockKind::exclusive, 20ms)), ErrorCode::busy);
  one->unlock();
  EXPECT_EQ(code(writer->lock(LockKind::exclusive, 20ms)), ErrorCode::busy);
  other->unlock();

  EXPECT_TRUE(writer->lock(LockKind::exclusive, 0ms));
}

TEST_P(FileSystemBehaviour, ReleasesTheLockWhenTheFileIsClosed) {
  write("a", "");
  auto one = *files_->open("a", Access::write);
  auto other = *files_->open("a", Access::write);
  ASSERT_TRUE(one->lock(LockKind::exclusive, 0ms));

  one.reset();

  EXPECT_TRUE(other->lock(LockKind::exclusive, 0ms));
}

TEST_P(FileSystemBehaviour, LocksAFileNotItsName) {
  write("a", "");
  auto old = *files_->open("a", Access::write);
  ASSERT_TRUE(old->lock(LockKind::exclusive, 0ms));
  ASSERT_TRUE(files_->rename("a", "b", Replace::never));
  write("a", "");

  EXPECT_TRUE((*files_->open("a", Access::write))->lock(LockKind::exclusive, 0ms));
  EXPECT_EQ(code((*files_->open("b", Access::write))->lock(LockKind::exclusive, 0ms)),
            ErrorCode::busy);
}

TEST_P(FileSystemBehaviour, RefusesToLockTwiceThroughOneFile) {
  write("a", "");
  auto file = *files_->open("a", Access::write);
  ASSERT_TRUE(file->lock(LockKind::exclusive, 0ms));

  EXPECT_EQ(file->lock(LockKind::exclusive, 0ms).error().code, ErrorCode::internal);
  file->unlock();
  file->unlock();

  EXPECT_TRUE(file->lock(LockKind::shared, 0ms));
}

}  // namespace
}  // namespace logwood::io
