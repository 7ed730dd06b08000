// The program: the world as it is, handed to run_program.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/standard_input.hpp"

namespace {

using namespace logwood::cli;

// A descriptor that is closed at the start would be given to the next file that is opened, and a
// session would be printed to. What takes its place fails as the closed one would.
void keep_standard_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != number) std::abort();  // they are numbered from the lowest that is free
  }
}

Screen screen_of_terminal() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  Screen screen;
  if (size.ws_row > 0) screen.rows = size.ws_row;
  if (size.ws_col > 0) screen.columns = size.ws_col;
  return screen;
}

void write_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;  // there is nobody left to tell
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Only what fails comes back.
logwood::Result<> become(const std::vector<std::string>& words, const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) {
    return logwood::Error{logwood::ErrorCode::not_found,
                          "cannot go to " + folder + ": " + std::strerror(errno)};
  }
  (void)std::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return logwood::Error{logwood::ErrorCode::not_found,
                        words[0] + " cannot be started: " + std::strerror(errno)};
}

}  // namespace

int main(int count, char** words) {
  keep_standard_descriptors();
  // Whoever leaves before the end has seen enough; a write tells it.
  (void)std::signal(SIGPIPE, SIG_IGN);
  heed_interrupts();

  const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
  const Screen screen = screen_of_terminal();
  Output output(STDOUT_FILENO, on_terminal);
  StandardInput input(STDIN_FILENO);

  Surroundings around;
  around.variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::error_code gone;
  around.folder = std::filesystem::current_path(gone);
  around.out = [&](std::string_view text) { output.write(text); };
  around.err = write_error;
  around.page = [&](const std::string& command) { output.page(command, screen); };
  around.flush = [&] { return output.flush(); };
  around.finish = [&] { return output.finish(); };
  around.input = [&](std::size_t size_max) { return input.all(size_max); };
  around.line = [&](std::size_t size_max) { return input.line(size_max); };
  around.some_input = [&](std::span<char> into) { return input.some(into); };
  around.on_terminal = on_terminal;
  around.errors_on_terminal = ::isatty(STDERR_FILENO) == 1;
  around.can_ask = on_terminal && ::isatty(STDIN_FILENO) == 1;
  around.columns = screen.columns;
  around.now = [] { return std::chrono::system_clock::now(); };
  around.become = [&](const std::vector<std::string>& program,
                      const std::string& folder) -> logwood::Result<> {
    LOGWOOD_CHECK(output.finish());
    return become(program, folder);
  };
  around.is_interrupted = was_interrupted;
  around.is_heard = [&] { return output.is_heard(); };
  return run_program({words + 1, words + count}, around);
}
