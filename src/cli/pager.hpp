#pragma once

#include <sys/types.h>

#include <string>

#include "logwood/result.hpp"

namespace logwood::cli {

/// A program that shows, page by page, what is written to it.
class Pager {
 public:
  /// Runs a command of the shell.
  static Result<Pager> start(const std::string& command);

  Pager(Pager&& other) noexcept;
  Pager& operator=(Pager&&) = delete;
  ~Pager();

  /// Where to write.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Says that this was all, and waits until the person has left it. It fails where there is no
  /// such program.
  Result<> finish();

 private:
  Pager(pid_t process, int descriptor, std::string command);

  pid_t process_;
  int descriptor_;
  std::string command_;
};

/// Whether a program of this name can be found; `path` is the variable PATH.
[[nodiscard]] bool is_program(const std::string& name, const std::string& path);

}  // namespace logwood::cli
