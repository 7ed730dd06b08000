#pragma once

#include <random>
#include <vector>

#include "support/disk_state.hpp"
#include "support/power_loss.hpp"

namespace logwood::io {

/// What a power cut can leave of one file, without repetition: first as synced, then
/// up to date (when that differs), then everything in between that is tried.
[[nodiscard]] std::vector<Image> surviving_images(const Inode& file, bool is_derived,
                                                  const EnumerationOptions& options,
                                                  std::mt19937_64& random);

}  // namespace logwood::io
