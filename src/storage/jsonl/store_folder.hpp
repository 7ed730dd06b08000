// The folder as a whole: making a store, recognising one, and the lock that
// keeps two processes from creating the same thing.
#pragma once

#include <chrono>
#include <string>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

inline constexpr unsigned store_version = 1;

/// Reads logwood.json. Returns why the store is read-only, empty when it is not;
/// `not_found` when the folder holds no store.
Result<std::string> read_store_file(io::FileSystem& files);

/// Makes a store in the folder, unless there is one. Safe to race.
Result<> make_store(io::FileSystem& files, std::chrono::milliseconds patience);

}  // namespace logwood::storage::jsonl
