// The store that lives in memory: for tests of what is built on a store, and the
// plainest statement of what every backend must do.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "storage/backend.hpp"

namespace logwood::storage::memory {

struct Options {
  std::function<EntryId()> new_id;
  std::function<std::chrono::system_clock::time_point()> now;
};

std::unique_ptr<StorageBackend> open(const Options& options);

}  // namespace logwood::storage::memory
