#include "support/process_child.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace logwood {
namespace {

std::optional<int> returned_by(int status) {
  return WIFEXITED(status) ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace

ChildProcess::ChildProcess(const std::function<int()>& work) {
  std::fflush(nullptr);  // else what is buffered would be printed by both
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) std::abort();
  if (id_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it ended before the line above
  const int result = work();
  std::fflush(nullptr);
  ::_exit(result);  // the parent's objects are not ours to destroy
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), returned_(other.returned_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(returned_, other.returned_);
  return *this;
}

ChildProcess::~ChildProcess() { kill(); }

void ChildProcess::kill() {
  if (id_ > 0) ::kill(id_, SIGKILL);
  (void)wait();
}

bool ChildProcess::is_running() {
  if (id_ < 0) return false;
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) != id_) return true;
  id_ = -1;
  returned_ = returned_by(status);
  return false;
}

std::optional<int> ChildProcess::wait() {
  while (id_ > 0) {
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended != id_) std::abort();
    id_ = -1;
    returned_ = returned_by(status);
  }
  return returned_;
}

}  // namespace logwood
