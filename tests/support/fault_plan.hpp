// Which call of a file system goes wrong, and how. Shared by the simulated disk and
// by the wrapper around any other (faulty_files): both ask it before every call.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "logwood/error.hpp"

namespace logwood::io {

/// Every call of FileSystem and File that can fail.
enum class Operation : std::uint8_t {
  open,
  create,
  status,
  rename,
  remove,
  make_folder,
  sync_folder,
  list,
  read_at,
  append,
  write_at,
  truncate,
  sync,
  file_status,
  lock,
};
inline constexpr std::size_t operations = 15;

[[nodiscard]] std::string_view name_of(Operation operation);

struct Fault {
  /// Which calls are counted; none: every call.
  std::optional<Operation> operation = std::nullopt;
  /// The call that goes wrong, counted from 1 since the fault was planned.
  std::uint64_t at_call = 1;
  /// Also every later call.
  bool sticky = false;
  /// What the system answers.
  int error_number = EIO;
  /// append and read_at move this many bytes and succeed; write_at moves this many
  /// and then fails. Calls that move no bytes fail as without it.
  std::optional<std::size_t> short_bytes = std::nullopt;
  /// The call does its work and fails all the same.
  bool takes_effect = false;
  /// The process is killed inside the call: after `short_bytes` of it or, without,
  /// before or after it as `takes_effect` says. On a simulated disk only.
  bool kills = false;
};

/// Counts calls and picks those that go wrong. Safe for use by several threads.
class FaultPlan {
 public:
  /// Replaces what was planned before.
  void plan(const Fault& fault);
  /// One more, counted like the first from now on.
  void plan_also(const Fault& fault);
  void clear();

  /// Counts one call; what goes wrong with it, if anything.
  std::optional<Fault> next(Operation operation);

  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] std::uint64_t calls(Operation operation) const;
  /// How many calls went wrong.
  [[nodiscard]] std::uint64_t faults() const;
  [[nodiscard]] std::uint64_t faults(Operation operation) const;

 private:
  struct Planned {
    Fault fault;
    std::uint64_t counted = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Planned> planned_;
  std::array<std::uint64_t, operations> faults_{};
  std::array<std::uint64_t, operations> calls_{};
};

/// The Error of a call that went wrong by plan.
[[nodiscard]] Error error_of(const Fault& fault, Operation operation, std::string_view name);

}  // namespace logwood::io
