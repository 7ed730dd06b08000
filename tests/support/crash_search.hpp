// Runs scenarios and, after every change that one of them makes to its disk, tries
// what a crash at that moment could leave: every survivor of a power cut, and every
// state in which the process was killed inside its last write.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/power_loss.hpp"
#include "support/scripted_machine.hpp"

namespace logwood {

/// A script in two parts, of which crashes are tried in the second. Its text says all
/// of it, so that it can be repeated:
///
///   session/64/400/0: A.append2 | A.buffer1 B.append1
///
/// stands for sectors of 64 bytes, at most 400 mixtures of them per file, and writes
/// that are cut at every byte; another number than 0 is how many places are tried.
struct CrashScenario {
  Beginning beginning = Beginning::session;
  std::size_t sector_bytes = 64;
  std::size_t most_mixtures = 400;
  std::string before = {};
  std::string crashed = {};
  std::size_t most_cuts = 0;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<CrashScenario> parse(std::string_view text);
};

/// One crash: after which change of the scenario, and which of the states it could
/// leave.
struct CrashState {
  std::uint64_t change = 0;
  char kind = 'p';  ///< p: power cut, k: killed process
  std::uint64_t number = 0;
};

struct Violation {
  std::string scenario;
  CrashState state;
  std::string operation;  ///< the change
  std::string what;
};

/// Numbers seen before. Safe for use by several threads.
class SeenNumbers {
 public:
  /// Whether it is new.
  bool insert(std::uint64_t number);
  [[nodiscard]] std::uint64_t size() const;

 private:
  struct Shard {
    mutable std::mutex mutex;
    std::vector<std::uint64_t> slots = std::vector<std::uint64_t>(1024);  // 0: free
    std::uint64_t used = 0;
  };
  std::array<Shard, 64> shards_;
};

class CrashSearch {
 public:
  /// How many states are looked at in a second way: one in so many.
  struct Sampling {
    std::uint64_t crash_in_recovery = 100;
    std::uint64_t recover_twice = 16;
    std::uint64_t index_spoiled = 8;
  };

  CrashSearch() = default;
  explicit CrashSearch(const Sampling& sampling) : sampling_(sampling) {}

  /// Tries every crash of the scenario. Safe for use by several threads, each with a
  /// scenario of its own.
  void run(const CrashScenario& scenario);

  /// Tries one crash, and prints what it left. True when every promise is kept.
  bool replay(const CrashScenario& scenario, const CrashState& state);

  /// Different disks (with different promises about them) that were tried.
  [[nodiscard]] std::uint64_t states() const { return seen_.size(); }
  [[nodiscard]] std::uint64_t crashes_in_recovery() const { return crashes_in_recovery_; }
  [[nodiscard]] std::uint64_t scenarios() const { return scenarios_; }
  [[nodiscard]] std::vector<Violation> violations() const;
  /// There are so many violations that more would say nothing new.
  [[nodiscard]] bool has_enough() const { return reported_ >= 10; }

 private:
  class Run;

  void report(Violation violation);

  Sampling sampling_;
  SeenNumbers seen_;
  std::atomic<std::uint64_t> crashes_in_recovery_ = 0;
  std::atomic<std::uint64_t> scenarios_ = 0;
  std::atomic<std::uint64_t> reported_ = 0;
  mutable std::mutex mutex_;
  std::vector<Violation> violations_;
};

}  // namespace logwood
