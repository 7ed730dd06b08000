#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "measure.hpp"

namespace logwood::bench {

/// Runs a program to its end and returns what it printed. Its failure is ours.
inline std::string output_of(const std::vector<std::string>& command) {
  std::array<int, 2> pipe_ends{};
  if (::pipe(pipe_ends.data()) != 0) give_up("no pipe");
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  const pid_t child = ::fork();
  if (child < 0) give_up("no process for " + command[0]);
  if (child == 0) {
    ::dup2(pipe_ends[1], STDOUT_FILENO);
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  ::close(pipe_ends[1]);
  std::string output;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(pipe_ends[0], buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) give_up(command[0] + " failed");
  return output;
}

/// This program itself, to be run again with other words.
inline std::string own_program() { return "/proc/self/exe"; }

}  // namespace logwood::bench
