// What only real files can show: links, modes, owners, limits of the system.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/descriptor.hpp"
#include "io/open_beneath.hpp"
#include "io/real_files.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RealFiles : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string root_ = folder_ / "store";
  std::unique_ptr<FileSystem> files_ = *open_folder(root_, {.create = true});

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  static void put(const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  static unsigned mode_of(const std::string& path) {
    struct stat found{};
    EXPECT_EQ(::lstat(path.c_str(), &found), 0) << path;
    return found.st_mode & 07777U;
  }

  // Every way to open a file refuses it and says why.
  void expect_refused(const std::string& name, std::string_view reason) {
    for (const Access access : {Access::read, Access::write, Access::rewrite}) {
      const auto opened = files_->open(name, access);
      ASSERT_FALSE(opened) << name;
      EXPECT_EQ(opened.error().code, ErrorCode::permission_denied) << opened.error().message;
      EXPECT_THAT(opened.error().message, HasSubstr(name));
      EXPECT_THAT(opened.error().message, HasSubstr(reason));
    }
  }
};

class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

TEST_F(RealFiles, DoesNotFollowASymbolicLinkToAFile) {
  put(folder_ / "outside", "secret");
  fs::create_symlink("../outside", path("link"));
  fs::create_symlink("nowhere", path("dangling"));

  expect_refused("link", "symbolic link");
  expect_refused("dangling", "symbolic link");
  EXPECT_FALSE(files_->status("link")->is_file);
  EXPECT_EQ(files_->create("link").error().code, ErrorCode::already_exists);
  EXPECT_EQ(files_->create("dangling").error().code, ErrorCode::already_exists);
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(RealFiles, DoesNotFollowASymbolicLinkToAFolder) {
  fs::create_directory(folder_ / "outside");
  put(folder_ / "outside/a", "secret");
  fs::create_directory(path("real"));
  put(path("real/a"), "ours");
  fs::create_directory_symlink("../outside", path("sessions"));
  fs::create_directory_symlink("real", path("inside"));

  expect_refused("sessions/a", "symbolic link");
  expect_refused("inside/a", "symbolic link");
  for (const std::string name : {"sessions", "inside"}) {
    EXPECT_EQ(files_->create(name + "/b").error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->remove(name + "/a").error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->list(name).error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->sync_folder(name).error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->make_folder(name).error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->make_folder(name + "/b").error().code, ErrorCode::permission_denied);
    EXPECT_EQ(files_->rename("real/a", name + "/b", Replace::never).error().code,
              ErrorCode::permission_denied);
    EXPECT_EQ(files_->rename(name + "/a", "b", Replace::never).error().code,
              ErrorCode::permission_denied);
  }
  EXPECT_FALSE(fs::exists(folder_ / "outside/b"));
  EXPECT_TRUE(fs::exists(folder_ / "outside/a"));
}

TEST_F(RealFiles, RemovesASymbolicLinkAndNotWhatItPointsTo) {
  put(folder_ / "outside", "secret");
  fs::create_symlink("../outside", path("link"));

  ASSERT_TRUE(files_->remove("link"));

  EXPECT_TRUE(fs::exists(folder_ / "outside"));
}

TEST_F(RealFiles, RefusesAFileThatHasASecondName) {
  put(folder_ / "other", "x");
  fs::create_hard_link(folder_ / "other", path("a"));

  expect_refused("a", "2 hard links");
  EXPECT_TRUE(files_->status("a"));
}

TEST_F(RealFiles, RefusesPipesAndSocketsWithoutWaitingForTheirOtherEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            0);

  expect_refused("pipe", "not a regular file");
  expect_refused("socket", "socket");
  EXPECT_FALSE(files_->status("pipe")->is_file);
}

TEST_F(RealFiles, RefusesAFolderInPlaceOfAFile) {
  fs::create_directory(path("a"));

  const auto opened = files_->open("a", Access::read);

  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("a is not a regular file"));
}

TEST_F(RealFiles, RefusesFilesOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  put(path("a"), "x");
  ASSERT_EQ(::chown(path("a").c_str(), 12345, 12345), 0);

  expect_refused("a", "belongs to user 12345");
}

TEST_F(RealFiles, MakesFilesAndFoldersForThisUserOnlyWhateverTheUmask) {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0177U, 0777U}) {
    const Umask umask(mask);
    const std::string name = "m" + std::to_string(mask);

    ASSERT_TRUE(files_->make_folder(name)) << mask;
    auto file = files_->create(name + "/file");
    ASSERT_TRUE(file) << mask << file.error().message;
    ASSERT_TRUE((*file)->append("x"));
    ASSERT_TRUE(open_folder(path(name) + "/inner/store", {.create = true}));

    EXPECT_EQ(mode_of(path(name)), 0700U);
    EXPECT_EQ(mode_of(path(name + "/file")), 0600U);
    EXPECT_EQ(mode_of(path(name) + "/inner"), 0700U);
    EXPECT_EQ(mode_of(path(name) + "/inner/store"), 0700U);
    EXPECT_TRUE(files_->open(name + "/file", Access::write));
  }
}

TEST_F(RealFiles, DoesNotHandItsDescriptorsToProgramsItStarts) {
  auto file = files_->create("a");

  int open_descriptors = 0;
  for (const auto& found : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = fs::read_symlink(found.path(), gone).string();
    if (gone || !target.starts_with(root_)) continue;
    ++open_descriptors;
    const int flags = ::fcntl(std::stoi(found.path().filename().string()), F_GETFD);
    EXPECT_TRUE((flags & FD_CLOEXEC) != 0) << target;
  }
  EXPECT_EQ(open_descriptors, 2);
}

TEST_F(RealFiles, WritesABatchShortAtTheFileSizeLimitAndThenNothing) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto file = *files_->create("a");
  auto derived = *files_->open("a", Access::rewrite);
  const rlimit limit{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);

  const auto written = file->append(std::string(150, 'x'));
  const auto more = file->append("y");
  const auto over = derived->write_at(90, std::string(20, 'z'));
  const auto grown = derived->truncate(200);

  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(*written, 100U);
  EXPECT_EQ(more.error().code, ErrorCode::no_space);
  EXPECT_EQ(over.error().code, ErrorCode::no_space);
  EXPECT_EQ(grown.error().code, ErrorCode::no_space);
  EXPECT_EQ(file->status()->size_bytes, 100U);
}

TEST_F(RealFiles, RefusesABatchThatOneWriteCannotMove) {
  auto file = *files_->create("a");
  // Never read: the size alone is refused.
  const std::string_view huge("x", 0x7ffff000);

  EXPECT_EQ(file->append(huge).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(file->status()->size_bytes, 0U);
}

TEST_F(RealFiles, RefusesOffsetsBeyondAllFiles) {
  auto file = *files_->create("a");
  char byte = 0;

  EXPECT_FALSE(file->read_at(~std::uint64_t{0} - 1, std::span(&byte, 1)));
  EXPECT_FALSE(file->truncate(~std::uint64_t{0}));
}

TEST_F(RealFiles, SaysThatTheLimitOfOpenFilesIsReached) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_TRUE(files_->create("a"));
  const rlimit limit{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);

  const auto opened = files_->open("a", Access::read);
  const auto listed = files_->list("");
  const auto again = open_folder(root_, {});

  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::unavailable);
  EXPECT_THAT(opened.error().message, HasSubstr("ulimit -n"));
  EXPECT_EQ(listed.error().code, ErrorCode::unavailable);
  EXPECT_EQ(again.error().code, ErrorCode::unavailable);
}

TEST_F(RealFiles, RefusesNamesThatAreTooLong) {
  EXPECT_EQ(files_->create(std::string(300, 'x')).error().code, ErrorCode::invalid_argument);
}

TEST_F(RealFiles, RefusesAnInnerFolderThatOthersCanWriteTo) {
  fs::create_directory(path("sessions"));
  ASSERT_EQ(::chmod(path("sessions").c_str(), 0770), 0);

  const auto made = files_->make_folder("sessions");

  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::permission_denied);
  EXPECT_THAT(made.error().message, HasSubstr("chmod go-w"));
}

TEST_F(RealFiles, StaysWithItsFolderWhenThatIsMoved) {
  ASSERT_TRUE(files_->create("a"));
  fs::rename(root_, folder_ / "moved");

  EXPECT_TRUE(files_->open("a", Access::read));
  EXPECT_FALSE(open_folder(root_, {}));
}

// The kernel before openat2, and sandboxes that do not let it through.
TEST_F(RealFiles, OpensPartByPartWithTheSameRefusals) {
  fs::create_directories(path("a/b"));
  put(path("a/b/c"), "x");
  fs::create_symlink("c", path("a/b/link"));
  fs::create_directory_symlink("b", path("a/folder_link"));
  const Descriptor root(::open(root_.c_str(), O_RDONLY | O_DIRECTORY));
  const auto outcome = [&](const std::string& name, int flags) {
    return open_part_by_part(root.number(), name, flags, 0).is_open() ? 0 : errno;
  };

  EXPECT_EQ(outcome("a/b/c", O_RDONLY), 0);
  EXPECT_EQ(outcome("a/b", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(outcome("a/b/link", O_RDONLY), ELOOP);
  EXPECT_EQ(outcome("a/folder_link/c", O_RDONLY), ELOOP);
  EXPECT_EQ(outcome("a/folder_link", O_PATH | O_DIRECTORY), ELOOP);
  EXPECT_EQ(outcome("a/b/c/d", O_RDONLY), ENOTDIR);
  EXPECT_EQ(outcome("a/x/c", O_RDONLY), ENOENT);
  EXPECT_EQ(outcome("a/x", O_RDONLY), ENOENT);
  EXPECT_EQ(outcome("a/b/new", O_RDWR | O_CREAT | O_EXCL), 0);
  EXPECT_EQ(outcome("a/b/new", O_RDWR | O_CREAT | O_EXCL), EEXIST);
}

class RealRoot : public ::testing::Test {
 protected:
  TemporaryFolder folder_;

  static Error refusal(const std::string& path, OpenFolder options = {}) {
    auto opened = open_folder(path, options);
    EXPECT_FALSE(opened) << path;
    return opened ? Error{ErrorCode::internal, ""} : std::move(opened).error();
  }
};

TEST_F(RealRoot, IsCreatedOnlyWhenAskedTo) {
  EXPECT_EQ(refusal(folder_ / "store").code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(folder_ / "store"));

  EXPECT_TRUE(open_folder(folder_ / "a/b/store", {.create = true}));
  EXPECT_TRUE(open_folder(folder_ / "a/b/store", {}));
  EXPECT_TRUE(open_folder(folder_ / "a/b/store", {.create = true}));
  EXPECT_TRUE(open_folder(folder_ / "a/b/other//", {.create = true}));
}

TEST_F(RealRoot, MayBeGivenRelativeToTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());

  EXPECT_TRUE(open_folder("store", {.create = true}));
  EXPECT_TRUE(open_folder("s", {.create = true}));
  EXPECT_TRUE(open_folder("./inner/store/", {.create = true}));
  EXPECT_TRUE(open_folder(".", {}));

  fs::current_path(before);
  EXPECT_TRUE(fs::is_directory(folder_ / "inner/store"));
}

TEST_F(RealRoot, IsRefusedWithoutAPath) {
  EXPECT_EQ(refusal("").code, ErrorCode::invalid_argument);
  EXPECT_EQ(refusal(std::string("a\0b", 3), {.create = true}).code, ErrorCode::invalid_argument);
}

TEST_F(RealRoot, IsRefusedWhenItIsAFile) {
  std::ofstream(folder_ / "file") << "x";

  EXPECT_EQ(refusal(folder_ / "file").code, ErrorCode::permission_denied);
  EXPECT_EQ(refusal(folder_ / "file/store", {.create = true}).code, ErrorCode::permission_denied);
}

TEST_F(RealRoot, IsRefusedWhenOtherUsersCanWriteToIt) {
  for (const mode_t mode : {0770U, 0702U, 0777U}) {
    ASSERT_EQ(::chmod(folder_.path().c_str(), mode), 0);
    const Error error = refusal(folder_.path());
    EXPECT_EQ(error.code, ErrorCode::permission_denied);
    EXPECT_THAT(error.message, HasSubstr("chmod go-w"));
  }
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  EXPECT_TRUE(open_folder(folder_.path(), {}));
}

TEST_F(RealRoot, IsRefusedWhenItBelongsToAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give folders away";
  ASSERT_EQ(::chown(folder_.path().c_str(), 12345, 12345), 0);

  const Error error = refusal(folder_.path());

  EXPECT_EQ(error.code, ErrorCode::permission_denied);
  EXPECT_THAT(error.message, HasSubstr("belongs to user 12345"));
}

TEST_F(RealRoot, MayBeReachedThroughASymbolicLinkOfTheUser) {
  fs::create_directory(folder_ / "store");
  ASSERT_EQ(::chmod((folder_ / "store").c_str(), 0700), 0);
  fs::create_directory_symlink("store", folder_ / "link");

  EXPECT_TRUE(open_folder(folder_ / "link", {}));
}

}  // namespace
}  // namespace logwood::io
