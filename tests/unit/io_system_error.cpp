#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "io/remote_kind.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

using ::testing::HasSubstr;

TEST(SystemError, TellsWhatTheCallerCanDo) {
  EXPECT_EQ(code_of(ENOENT), ErrorCode::not_found);
  EXPECT_EQ(code_of(EEXIST), ErrorCode::already_exists);
  for (const int denied : {EACCES, EPERM, EROFS, ELOOP, EISDIR, ENOTDIR, ENXIO}) {
    EXPECT_EQ(code_of(denied), ErrorCode::permission_denied) << denied;
  }
  for (const int full : {ENOSPC, EDQUOT, EFBIG}) {
    EXPECT_EQ(code_of(full), ErrorCode::no_space) << full;
  }
  EXPECT_EQ(code_of(EAGAIN), ErrorCode::busy);
  EXPECT_EQ(code_of(ENAMETOOLONG), ErrorCode::invalid_argument);
  for (const int missing : {ENOSYS, EOPNOTSUPP}) {
    EXPECT_EQ(code_of(missing), ErrorCode::unsupported) << missing;
  }
  for (const int other : {EIO, EMFILE, ENFILE, ENOMEM, ESTALE, ENOLCK, EBADF, EINVAL, EINTR, 0}) {
    EXPECT_EQ(code_of(other), ErrorCode::unavailable) << other;
  }
}

TEST(SystemError, NamesTheAttemptTheFileAndTheReason) {
  const Error error = system_error(ENOENT, "open", "sessions/a.jsonl");

  EXPECT_EQ(error.code, ErrorCode::not_found);
  EXPECT_EQ(error.message, "cannot open sessions/a.jsonl: No such file or directory");
}

TEST(SystemError, SaysWhatToDoWhereThatIsNotObvious) {
  EXPECT_THAT(system_error(EMFILE, "open", "a").message, HasSubstr("ulimit -n"));
  EXPECT_THAT(system_error(EFBIG, "append to", "a").message, HasSubstr("ulimit -f"));
  EXPECT_THAT(system_error(ELOOP, "open", "a").message, HasSubstr("symbolic link"));
  for (const int number :
       {EACCES, EPERM, EROFS, EISDIR, ENOTDIR, ENXIO, ENOSPC, EDQUOT, EIO, ENFILE, ESTALE}) {
    EXPECT_THAT(system_error(number, "open", "a").message, HasSubstr("; ")) << number;
  }
}

TEST(RemoteKind, KnowsFileSystemsWithWeakerPromises) {
  EXPECT_EQ(remote_kind(0x6969), "NFS");
  EXPECT_EQ(remote_kind(0xff534d42), "CIFS");
  EXPECT_EQ(remote_kind(0x65735546), "FUSE");
  EXPECT_EQ(remote_kind(0x01021997), "9p");
}

TEST(RemoteKind, LeavesLocalDisksAlone) {
  constexpr std::uint32_t ext4 = 0xef53;
  constexpr std::uint32_t tmpfs = 0x01021994;
  constexpr std::uint32_t xfs = 0x58465342;
  constexpr std::uint32_t btrfs = 0x9123683e;
  constexpr std::uint32_t overlay = 0x794c7630;
  for (const std::uint32_t local : {ext4, tmpfs, xfs, btrfs, overlay}) {
    EXPECT_EQ(remote_kind(local), std::nullopt) << local;
  }
}

}  // namespace
}  // namespace logwood::io
