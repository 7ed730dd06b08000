#pragma once

#include <cstdint>

#include "logwood/progress.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// Says how far something has come, if anybody wants to know; `unavailable` when it is to stop.
inline Result<> tell(const Progress& progress, std::uint64_t done, std::uint64_t total) {
  if (!progress || progress(done, total)) return {};
  return Error{ErrorCode::unavailable, "stopped, as was asked"};
}

}  // namespace logwood
