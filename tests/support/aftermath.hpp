// What the next processes do with a disk that a crash has left, and whether they find
// everything that was promised:
//
//   I1  what was acknowledged is there, with the same bytes, in the same order
//   I2  a batch is there whole or not at all
//   I3  nothing is there that nobody appended
//   I4  recovery is done once: a second one finds nothing to do
//   I5  the next append succeeds and can be read
//   I8  appending a batch again succeeds; one that was acknowledged adds no byte
//
// and reading backwards agrees with reading forwards, verify finds no damage that a
// crash cannot explain, and everything that is acknowledged now is on the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "support/promises.hpp"
#include "support/scripted_machine.hpp"
#include "support/simulated_disk.hpp"

namespace logwood {

struct AftermathOptions {
  After after = After::power_cut;
  /// Chooses what is done first, and which entries are looked up.
  std::uint64_t seed = 0;
  /// A sync has failed and so did what is done about it: what counts as clean may
  /// not be on the disk, and nobody can know.
  bool disk_lies = false;
  /// Called after every change that recovery makes, to crash it once more.
  std::function<void(ScriptedMachine& machine, std::string_view operation)> on_change = {};
};

/// The first promise that is broken, if any.
[[nodiscard]] std::optional<std::string> broken_promise(io::SimulatedDisk disk,
                                                        const Promises& promises,
                                                        const AftermathOptions& options);

/// I4, on its own: what two appends that are refused leave behind.
[[nodiscard]] std::optional<std::string> broken_by_recovering_twice(const io::SimulatedDisk& disk,
                                                                    const Promises& promises);

/// I6: while the session file of `disk` is written once more, byte by byte, behind
/// its first line, no reader sees an entry that is gone later.
[[nodiscard]] std::optional<std::string> broken_by_growing(const io::SimulatedDisk& disk);

[[nodiscard]] const std::string& promised_file();  ///< of the session
[[nodiscard]] const std::string& promised_archive();
[[nodiscard]] const std::string& promised_blobs();  ///< the folder of its blobs
[[nodiscard]] const std::string& promised_index();  ///< derived from it

}  // namespace logwood
