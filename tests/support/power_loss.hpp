// Every disk that a power cut could leave, and every disk that a killed process could.
//
// What was synced is there. Of what was not, the combinations below are tried; each
// has been seen on some file system, or is allowed to any:
//
//   names     any number of the latest changes lost; or one alone lost, with what
//             rests on it, while later ones survived
//   bytes     the changes of a file in order, the last one cut at any byte; any of
//             them lost as a whole while later ones survived; sectors new, old, zero
//             or garbage in any mixture, at every size the file had on the way or
//             that ends a sector (size before data, data before size)
//   files     one file anywhere in between while the others are all as synced, or all
//             up to date; and a sample in which each is somewhere else
//
// Bytes before the first unsynced change are never touched, not even in a sector
// that it shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "support/simulated_disk.hpp"

namespace logwood::io {

struct EnumerationOptions {
  std::size_t sector_bytes = 64;
  /// Chooses samples and garbage; the same seed gives the same disks.
  std::uint64_t seed = 1;
  /// Up to so many changed sectors every subset is tried, above it a sample.
  std::size_t exhaustive_sectors = 7;
  /// Per file; where there are more mixtures of sectors, so many are chosen.
  std::size_t most_mixtures = 10'000;
  /// Per change; where a write has more bytes, so many cuts are chosen.
  std::size_t most_cuts = SIZE_MAX;
  /// States in which several files are each somewhere in between.
  std::size_t most_file_mixtures = 64;
  /// Files that need less care: only as synced, up to date, and a few in between.
  std::function<bool(std::string_view name)> is_derived = {};
};

using SurvivorCallback = std::function<void(SimulatedDisk& survivor)>;

/// Calls back with each distinct disk that a power cut now could leave. Returns how
/// many there were.
std::uint64_t for_each_power_loss(const SimulatedDisk& disk, const EnumerationOptions& options,
                                  const SurvivorCallback& callback);

/// When the last change was a write: calls back with each disk as the process that
/// made it could have left it when killed inside, after any number of its bytes (of a very
/// long write a sample of them). The page cache is as it was, and unsynced. Returns how many there
/// were.
std::uint64_t for_each_kill(const SimulatedDisk& disk, const SurvivorCallback& callback);

}  // namespace logwood::io
