// Every answer that the system may give to a call of ours, on real files. The kernel
// is asked to hand certain calls of one thread to the test, which answers for it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "io/descriptor.hpp"
#include "io/fair_lock.hpp"
#include "io/real_files.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// What the test answers for the kernel: an errno, or, with 0, a value.
struct Answer {
  int error_number = 0;
  long value = 0;
};
using Calls = std::vector<long>;
using Answers = std::function<std::optional<Answer>(const seccomp_data& call)>;

// The memory of a thread that waits for the kernel, which is to say for the test. Its
// stopping orders the two, in a way that a thread sanitizer does not know about.
#define NOT_A_RACE __attribute__((no_sanitize("thread")))

template <class T>
NOT_A_RACE T value_at(std::uint64_t address) {
  T value{};
  const auto* from = reinterpret_cast<const volatile char*>(address);  // NOLINT
  auto* into = reinterpret_cast<volatile char*>(&value);
  for (std::size_t index = 0; index < sizeof value; ++index) into[index] = from[index];
  return value;
}

// Hands `calls` of the calling thread to whoever reads from the descriptor.
Descriptor hand_over(const Calls& calls) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const long call : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()),
                          .filter = program.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return Descriptor(static_cast<int>(
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter)));
}

// Answers until the thread that handed its calls over has ended.
void answer_calls(int listener, const Answers& answers) {
  pollfd waiting{.fd = listener, .events = POLLIN, .revents = 0};
  while (::poll(&waiting, 1, -1) > 0 && (waiting.revents & POLLIN) != 0) {
    seccomp_notif asked{};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
    seccomp_notif_resp response{};
    response.id = asked.id;
    if (const std::optional<Answer> answer = answers(asked.data)) {
      response.error = -answer->error_number;
      response.val = answer->value;
    } else {
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
}

// Runs `body` with `calls` answered by the test, where that wants to. False where
// this system does not allow it.
bool with_answers(const Calls& calls, const Answers& answers, const std::function<void()>& body) {
  std::atomic<int> listener = -2;
  std::thread user([&] {
    Descriptor handed_over = hand_over(calls);
    const bool is_open = handed_over.is_open();
    listener = is_open ? handed_over.release() : -1;
    listener.notify_one();
    if (is_open) body();
  });
  listener.wait(-2);
  const Descriptor answered(listener);
  if (answered.is_open()) answer_calls(answered.number(), answers);
  user.join();
  return answered.is_open();
}

// Each of these calls fails once, with `error_number`, and then works.
Answers fail_once(int error_number) {
  return [error_number, done = false](const seccomp_data&) mutable -> std::optional<Answer> {
    if (std::exchange(done, true)) return std::nullopt;
    return Answer{.error_number = error_number};
  };
}

Answers fail_always(int error_number) {
  return [error_number](const seccomp_data&) { return Answer{.error_number = error_number}; };
}

#define SKIP_UNLESS(possible) \
  if (!(possible)) GTEST_SKIP() << "this system does not let a process answer its own calls"

// fstat is one or the other, by the version of the C library.
const Calls stat_calls{SYS_fstat, SYS_newfstatat, SYS_statx};

class SystemCalls : public ::testing::Test {
 protected:
  SystemCalls() {
    EXPECT_TRUE(files_->make_folder("sessions"));
    EXPECT_TRUE((*files_->create("sessions/a"))->append("0123456789"));
  }

  TemporaryFolder folder_;
  std::string root_ = folder_ / "store";
  std::unique_ptr<FileSystem> files_ = *open_folder(root_, {.create = true});
};

TEST_F(SystemCalls, AreAskedAgainWhenASignalCameFirst) {
  auto file = *files_->open("sessions/a", Access::write);
  auto derived = *files_->open("sessions/a", Access::rewrite);
  std::string text(10, '?');

  SKIP_UNLESS(with_answers({SYS_pread64}, fail_once(EINTR),
                           [&] { EXPECT_EQ(*file->read_at(0, text), 10U); }));
  with_answers({SYS_write}, fail_once(EINTR), [&] { EXPECT_EQ(*file->append("x"), 1U); });
  with_answers({SYS_pwrite64}, fail_once(EINTR), [&] { EXPECT_TRUE(derived->write_at(0, "y")); });
  with_answers({SYS_ftruncate}, fail_once(EINTR), [&] { EXPECT_TRUE(file->truncate(11)); });
  with_answers({SYS_fcntl}, fail_once(EINTR),
               [&] { EXPECT_TRUE(file->lock(LockKind::exclusive, 0ms)); });

  EXPECT_EQ(text, "0123456789");
  EXPECT_EQ(file->status()->size_bytes, 11U);
}

TEST_F(SystemCalls, ThatSyncAreNeverAskedAgain) {
  auto file = *files_->open("sessions/a", Access::write);
  for (const int error_number : {EINTR, EIO, ENOSPC, EDQUOT}) {
    int asked = 0;
    SKIP_UNLESS(with_answers(
        {SYS_fdatasync},
        [&](const seccomp_data&) {
          ++asked;
          return Answer{.error_number = error_number};
        },
        [&] { EXPECT_FALSE(file->sync()); }));
    EXPECT_EQ(asked, 1);
  }
}

TEST_F(SystemCalls, ThatReadOrWriteShortAreContinued) {
  auto derived = *files_->open("sessions/a", Access::rewrite);
  std::string text(10, '?');
  // Three bytes a call, done by the test in the name of the kernel.
  const auto three_bytes = [&](const seccomp_data& call) -> std::optional<Answer> {
    const auto descriptor = static_cast<int>(call.args[0]);
    const auto size = std::min<std::size_t>(3, call.args[2]);
    const auto offset = static_cast<off_t>(call.args[3]);
    return Answer{.value = ::syscall(call.nr, descriptor, call.args[1], size, offset)};
  };

  SKIP_UNLESS(with_answers({SYS_pwrite64}, three_bytes,
                           [&] { EXPECT_TRUE(derived->write_at(1, "abcdefgh")); }));
  with_answers({SYS_pread64}, three_bytes, [&] { EXPECT_EQ(*derived->read_at(0, text), 10U); });

  EXPECT_EQ(text, "0abcdefgh9");
}

TEST_F(SystemCalls, ThatWriteNothingDoNotGoOnForEver) {
  auto derived = *files_->open("sessions/a", Access::rewrite);
  SKIP_UNLESS(with_answers(
      {SYS_pwrite64}, [](const seccomp_data&) { return Answer{.value = 0}; },
      [&] { EXPECT_EQ(derived->write_at(0, "x").error().code, ErrorCode::no_space); }));
}

TEST_F(SystemCalls, ThatFailBecomeTypedErrors) {
  auto file = *files_->open("sessions/a", Access::write);
  auto derived = *files_->open("sessions/a", Access::rewrite);
  std::string text(10, '?');
  const std::vector<std::pair<int, ErrorCode>> answers{
      {EIO, ErrorCode::unavailable},    {ENOSPC, ErrorCode::no_space},
      {EDQUOT, ErrorCode::no_space},    {EROFS, ErrorCode::permission_denied},
      {ENOMEM, ErrorCode::unavailable}, {ESTALE, ErrorCode::unavailable}};
  struct Attempt {
    Calls calls;
    std::function<ErrorCode()> body;
  };
  const auto code = [](const auto& result) {
    return result ? ErrorCode::internal : result.error().code;
  };
  const std::vector<Attempt> attempts{
      {{SYS_pread64}, [&] { return code(file->read_at(0, text)); }},
      {{SYS_write}, [&] { return code(file->append("x")); }},
      {{SYS_pwrite64}, [&] { return code(derived->write_at(0, "x")); }},
      {{SYS_ftruncate}, [&] { return code(file->truncate(0)); }},
      {{SYS_fdatasync}, [&] { return code(file->sync()); }},
      {stat_calls, [&] { return code(file->status()); }},
      {{SYS_fcntl}, [&] { return code(file->lock(LockKind::exclusive, 0ms)); }},
      {{SYS_fcntl}, [&] { return code(file->lock(LockKind::shared, 0ms)); }},
      {{SYS_openat2}, [&] { return code(files_->open("sessions/a", Access::read)); }},
      {stat_calls, [&] { return code(files_->open("sessions/a", Access::read)); }},
      {{SYS_openat2}, [&] { return code(files_->create("sessions/new")); }},
      {stat_calls, [&] { return code(files_->status("sessions/a")); }},
      {{SYS_openat2}, [&] { return code(files_->remove("sessions/a")); }},
      {{SYS_unlinkat}, [&] { return code(files_->remove("sessions/a")); }},
      {{SYS_renameat2},
       [&] { return code(files_->rename("sessions/a", "sessions/b", Replace::never)); }},
      {{SYS_openat}, [&] { return code(files_->make_folder("trash")); }},
      {{SYS_mkdirat}, [&] { return code(files_->make_folder("trash")); }},
      {stat_calls, [&] { return code(files_->make_folder("sessions")); }},
      {{SYS_fsync}, [&] { return code(files_->sync_folder("sessions")); }},
      {{SYS_openat2}, [&] { return code(files_->list("sessions")); }},
      {stat_calls, [&] { return code(files_->list("sessions")); }},  // in fdopendir
      {{SYS_getdents64}, [&] { return code(files_->list("sessions")); }},
      {{SYS_openat}, [&] { return code(files_->list("")); }},
      {stat_calls, [&] { return code(open_folder(root_, {})); }},
      {{SYS_fstatfs}, [&] { return code(open_folder(root_, {})); }},
  };
  for (std::size_t index = 0; index < attempts.size(); ++index) {
    for (const auto& [error_number, expected] : answers) {
      ErrorCode seen{};
      SKIP_UNLESS(with_answers(attempts[index].calls, fail_always(error_number),
                               [&] { seen = attempts[index].body(); }));
      EXPECT_EQ(seen, expected) << "attempt " << index << ", errno " << error_number;
    }
  }
  EXPECT_EQ(file->status()->size_bytes, 10U);
  EXPECT_TRUE(files_->status("sessions/a"));
}

TEST_F(SystemCalls, ThatSetAModeAreChecked) {
  const mode_t before = ::umask(0777);
  bool possible = with_answers({SYS_fchmod}, fail_always(EPERM), [&] {
    EXPECT_EQ(files_->create("b").error().code, ErrorCode::permission_denied);
  });
  ::umask(before);
  SKIP_UNLESS(possible);
#ifdef SYS_fchmodat2
  const Calls chmod_calls{SYS_fchmodat, SYS_fchmodat2};
#else
  const Calls chmod_calls{SYS_fchmodat};
#endif
  with_answers(chmod_calls, fail_always(EPERM), [&] {
    EXPECT_EQ(files_->make_folder("b1").error().code, ErrorCode::permission_denied);
  });
}

TEST_F(SystemCalls, ThatMakeTheRootAreChecked) {
  const std::string path = folder_ / "outer/new";
  const auto attempt = [&] { return open_folder(path, {.create = true}); };

  SKIP_UNLESS(with_answers({SYS_fsync}, fail_always(EIO),
                           [&] { EXPECT_EQ(attempt().error().code, ErrorCode::unavailable); }));
#ifdef SYS_mkdir
  with_answers({SYS_mkdir}, fail_always(EACCES),
               [&] { EXPECT_EQ(attempt().error().code, ErrorCode::permission_denied); });
  // Somebody else makes the folder in the same moment.
  with_answers({SYS_mkdir}, fail_always(EEXIST),
               [&] { EXPECT_EQ(attempt().error().code, ErrorCode::not_found); });
#endif
#ifdef SYS_chmod
  with_answers({SYS_chmod}, fail_always(EPERM), [&] {
    EXPECT_EQ(open_folder(folder_ / "moded", {.create = true}).error().code,
              ErrorCode::permission_denied);
  });
#endif
#ifdef SYS_mkdir
  // The folder around the new one can be written but not read, so that it cannot be synced.
  const auto not_around_it =
      [made = false](const seccomp_data& call) mutable -> std::optional<Answer> {
    if (call.nr == SYS_mkdir) made = true;
    if (call.nr == SYS_mkdir || !made) return std::nullopt;
    return Answer{.error_number = EACCES};
  };
  with_answers({SYS_mkdir, SYS_openat}, not_around_it, [&] {
    const auto opened = open_folder(folder_ / "unsynced", {.create = true});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::permission_denied);
  });
#endif
  EXPECT_TRUE(attempt());
}

TEST_F(SystemCalls, ThatAnOlderKernelLacksAreReplaced) {
  for (const int error_number : {ENOSYS, EPERM}) {
    SKIP_UNLESS(with_answers({SYS_openat2}, fail_always(error_number), [&] {
      EXPECT_TRUE(files_->open("sessions/a", Access::write));
      EXPECT_TRUE(files_->list("sessions"));
      EXPECT_EQ(files_->open("sessions/b", Access::write).error().code, ErrorCode::not_found);
      EXPECT_EQ(files_->create("sessions/a").error().code, ErrorCode::already_exists);
    }));
  }
}

// It stood where a folder was expected, and is gone when it is looked at.
TEST_F(SystemCalls, ThatLoseAFileBetweenThemLeadToNotFound) {
  const auto answers = [](const seccomp_data& call) {
    if (call.nr == SYS_openat2) return Answer{.error_number = ENOSYS};
    return Answer{.error_number = call.nr == SYS_openat ? ENOTDIR : ENOENT};
  };
  SKIP_UNLESS(with_answers({SYS_openat2, SYS_openat, SYS_newfstatat}, answers, [&] {
    EXPECT_EQ(files_->open("sessions/a", Access::read).error().code, ErrorCode::not_found);
  }));
}

TEST_F(SystemCalls, ThatTheFileSystemLacksAreUnsupported) {
  SKIP_UNLESS(with_answers({SYS_renameat2}, fail_always(EINVAL), [&] {
    const auto renamed = files_->rename("sessions/a", "sessions/b", Replace::never);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::unsupported);
    EXPECT_THAT(renamed.error().message, HasSubstr("without replacing"));
  }));
#ifdef SYS_renameat
  // How the C library renames when nothing special is asked.
  with_answers({SYS_renameat, SYS_renameat2}, fail_always(EINVAL), [&] {
    const auto renamed = files_->rename("sessions/a", "sessions/b", Replace::existing);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::unavailable);
  });
#endif
}

TEST_F(SystemCalls, ThatShowARemoteFileSystemLeadToRefusalUnlessAllowed) {
  const auto nfs = [](const seccomp_data& call) NOT_A_RACE {
    auto* found = reinterpret_cast<volatile struct statfs*>(call.args[1]);  // NOLINT
    found->f_type = 0x6969;
    return Answer{};
  };
  SKIP_UNLESS(with_answers({SYS_fstatfs}, nfs, [&] {
    const auto refused = open_folder(root_, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("lies on NFS"));
    EXPECT_TRUE(open_folder(root_, {.allow_remote = true}));
  }));
}

TEST_F(SystemCalls, ThatLockAnswerInEitherSpellingOfBusy) {
  auto holder = *files_->open("sessions/a", Access::write);
  ASSERT_TRUE(holder->lock(LockKind::exclusive, 0ms));
  auto waiter = *files_->open("sessions/a", Access::write);
  SKIP_UNLESS(with_answers({SYS_fcntl}, fail_always(EACCES), [&] {
    EXPECT_EQ(waiter->lock(LockKind::exclusive, 2ms).error().code, ErrorCode::busy);
  }));
}

TEST_F(SystemCalls, ThatRunOutOfLocksInTheLineEndTheWait) {
  auto holder = *files_->open("sessions/a", Access::write);
  ASSERT_TRUE(holder->lock(LockKind::exclusive, 0ms));
  auto waiter = *files_->open("sessions/a", Access::write);
  // Only for the lock itself, asked for from the first place of the line.
  const auto no_lock_left = [](const seccomp_data& call) -> std::optional<Answer> {
    if (call.args[1] != F_OFD_SETLK) return std::nullopt;
    const auto range = value_at<struct flock>(call.args[2]);
    if (range.l_len != 1 || range.l_type != F_WRLCK ||
        static_cast<std::uint64_t>(range.l_start) != FairLock::lock_byte) {
      return std::nullopt;
    }
    return Answer{.error_number = ENOLCK};
  };
  SKIP_UNLESS(with_answers({SYS_fcntl}, no_lock_left, [&] {
    EXPECT_EQ(waiter->lock(LockKind::exclusive, 5s).error().code, ErrorCode::unavailable);
  }));
}

}  // namespace
}  // namespace logwood::io
