#pragma once

#include <cstdint>
#include <functional>

namespace logwood {

/// Told now and then how far something long has come, in bytes of `total` (0: not known yet). False
/// stops it: it then returns `unavailable`, and has changed nothing that was stored.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

}  // namespace logwood
