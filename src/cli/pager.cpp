#include "cli/pager.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace logwood::cli {
namespace {

Error cannot_start(const std::string& command, std::string_view why) {
  return {ErrorCode::unsupported,
          fmt::format("cannot start the pager {}: {}; LOGWOOD_PAGER, \"pager\" in config.json or "
                      "PAGER names it",
                      command, why)};
}

// As git does: less shows colours, leaves at once when all fits, and leaves the text on the
// screen, unless the person has told it otherwise.
std::vector<char*> environment_of_pager() {
  static char less[] = "LESS=FRX";
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  if (std::getenv("LESS") == nullptr) variables.push_back(less);
  variables.push_back(nullptr);
  return variables;
}

// The signals that this program treats in its own way are the pager's again.
int spawn_shell(pid_t& process, const std::string& command, int input) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t signals;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  ::sigaddset(&signals, SIGINT);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  std::string words[] = {"sh", "-c", command};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  const int failed = ::posix_spawn(&process, "/bin/sh", &files, &attributes, arguments,
                                   environment_of_pager().data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

Pager::Pager(pid_t process, int descriptor, std::string command)
    : process_(process), descriptor_(descriptor), command_(std::move(command)) {}

Pager::Pager(Pager&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      command_(std::move(other.command_)) {}

Pager::~Pager() { (void)finish(); }

Result<Pager> Pager::start(const std::string& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return cannot_start(command, std::strerror(errno));
  pid_t process = -1;
  const int failed = spawn_shell(process, command, ends[0]);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    return cannot_start(command, std::strerror(failed));
  }
  return Pager(process, ends[1], command);
}

Result<> Pager::finish() {
  if (process_ < 0) return {};
  ::close(std::exchange(descriptor_, -1));
  const pid_t process = std::exchange(process_, -1);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  // What a shell answers for a program that is not there, or is none.
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126)) {
    return cannot_start(command_, "there is no such program");
  }
  return {};
}

bool is_program(const std::string& name, const std::string& path) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string candidate = fmt::format("{}/{}", path.substr(at, end - at), name);
    if (end > at && ::access(candidate.c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace logwood::cli
