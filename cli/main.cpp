// The program: the world as it is, handed to run_program.
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace {

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

int main(int count, char** words) {
  logwood::cli::Surroundings around;
  around.variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::error_code gone;
  around.folder = std::filesystem::current_path(gone);
  around.out = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  around.err = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
  around.input = [] {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  };
  around.some_input = [](std::span<char> into) {
    return std::fread(into.data(), 1, into.size(), stdin);
  };
  around.line = [] {
    std::fflush(stdout);
    std::string line;
    std::getline(std::cin, line);
    return line;
  };
  around.on_terminal = ::isatty(STDOUT_FILENO) == 1;
  around.columns = terminal_columns();
  around.now = [] { return std::chrono::system_clock::now(); };
  return logwood::cli::run_program({words + 1, words + count}, around);
}
