// The folder of a store as it lies there: what takes how much room, what other users can read, what
// belongs to nobody. Changes nothing.
#pragma once

#include <chrono>

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood::storage::jsonl {

/// `patience` is for sessions that somebody is writing: which blobs belong to them is known only
/// while nobody does.
Result<Inventory> take_inventory(io::FileSystem& files, std::chrono::milliseconds patience);

}  // namespace logwood::storage::jsonl
