// Standard output: straight, or on a terminal through a pager once it is longer than the screen.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/pager.hpp"
#include "logwood/result.hpp"

namespace logwood::cli {

struct Screen {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

class Output {
 public:
  Output(int descriptor, bool on_terminal) : descriptor_(descriptor), on_terminal_(on_terminal) {}

  /// What is longer than this screen goes through the pager: a command of the shell.
  void page(std::string pager, Screen screen);

  void write(std::string_view text);

  /// Writes what was held back. A pager that was not begun by now never is: somebody watches, or
  /// is about to be asked.
  Result<> flush();

  /// The same when nothing follows; waits for the pager. The error of the first thing that could
  /// not be written, if any.
  Result<> finish();

  /// False once whoever read it has gone, which is no error: they have seen enough.
  [[nodiscard]] bool is_heard() const { return is_heard_; }

 private:
  void write_out();
  void write_to(int descriptor, std::string_view text);

  int descriptor_;
  bool on_terminal_;
  std::string pager_command_;  // empty: none is wanted
  Screen screen_;
  std::optional<Pager> pager_;
  std::string held_;
  std::size_t held_rows_ = 0;
  bool is_heard_ = true;
  Result<> failure_;
};

/// Rows that a text takes on a terminal, colours not counted.
[[nodiscard]] std::size_t rows_of(std::string_view text, std::size_t columns);

}  // namespace logwood::cli
