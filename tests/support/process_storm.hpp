// What the processes of tests/programs/kill_storm share, and what they do: writers
// append to the sessions of one store, readers check what they see of it. Each runs
// until it is killed; it returns only when something is wrong, which it has told then.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "logwood/ids.hpp"
#include "logwood/report.hpp"
#include "support/process_ledger.hpp"
#include "support/process_lock_times.hpp"
#include "support/process_shared_memory.hpp"

namespace logwood {

using StormRandom = std::mt19937_64;

inline std::uint64_t any_of(StormRandom& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}
inline bool one_in(StormRandom& random, std::uint64_t odds) { return any_of(random, 1, odds) == 1; }

inline constexpr std::uint32_t storm_writers = 4;
inline constexpr std::uint32_t storm_readers = 2;
inline constexpr std::uint32_t storm_sessions = 3;

/// What a reader has seen of a session: it lives longer than the reader.
struct StormSeen {
  static constexpr std::uint32_t batches_max = storm_writers * Ledger::batches_max;
  std::atomic<std::uint32_t> count;
  BatchKey batches[batches_max];
};

/// The forks that a writer has made, or began to.
struct StormForks {
  static constexpr std::uint32_t forks_max = 64;
  std::atomic<std::uint32_t> begun;
  std::atomic<bool> made[forks_max];

  [[nodiscard]] static SessionId id(std::uint32_t writer, std::uint32_t number) {
    return {"fork-" + std::to_string(writer) + "-" + std::to_string(number)};
  }
};

/// What all processes share.
struct Storm {
  std::string folder;
  std::array<SessionId, storm_sessions> sessions;
  Ledger ledger{storm_writers};
  LockTimes lock_times;
  SharedMemory<StormSeen> seen{storm_readers * storm_sessions};
  SharedMemory<std::atomic<std::uint64_t>> looks;  // of readers
  SharedMemory<std::atomic<bool>> holds_lock{storm_writers};
  SharedMemory<std::atomic<bool>> failed;
  SharedMemory<StormForks> forks{storm_writers};
  SharedMemory<std::atomic<std::uint64_t>> head_moves;

  [[nodiscard]] StormSeen& seen_by(std::uint32_t reader, std::uint32_t session) const {
    return seen[reader * storm_sessions + session];
  }

  /// Tells what is wrong, once: one failure is often seen by several.
  int fail(const std::string& who, const std::string& what) const;
};

int run_storm_writer(Storm& storm, std::uint32_t number, std::uint64_t seed);
int run_storm_reader(const Storm& storm, std::uint32_t number, std::uint64_t seed);

/// What is wrong with a fork that somebody made, or died over.
[[nodiscard]] std::optional<std::string> check_fork(const Storm& storm, class Store& store,
                                                    const SessionId& id);

/// The first of the problems that means a loss, if one does.
[[nodiscard]] std::optional<std::string> loss_among(const std::vector<Problem>& problems);

}  // namespace logwood
