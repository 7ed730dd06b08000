// Processes of a test's own: started by fork, ended by themselves or by SIGKILL.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

namespace logwood {

/// A process that runs one function and exits with what it returns. The kernel
/// kills it when its parent ends; the destructor kills it and waits for it.
///
/// The parent must have one thread at that time: only the one that forks goes on
/// in the child.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<int()>& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  /// Sends SIGKILL and waits until nothing of the process is left.
  void kill();

  [[nodiscard]] bool is_running();
  [[nodiscard]] pid_t id() const { return id_; }

  /// Waits for the end. What the function returned; nothing when a signal ended it.
  std::optional<int> wait();

 private:
  pid_t id_ = -1;  // -1: has been waited for
  std::optional<int> returned_;
};

}  // namespace logwood
