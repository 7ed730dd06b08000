// What sessions leave in a store beside their own files: in the trash, in quarantine, and where
// somebody died while making or archiving one. Erasing everywhere goes there too.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/erasure.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/log_writer.hpp"

namespace logwood::storage::jsonl {

Result<std::vector<Leftover>> find_leftovers(io::FileSystem& files);

/// In torn bytes nothing can be looked up: they may hold all of them.
Result<std::vector<EntryId>> entries_held_by(io::FileSystem& files, const Leftover& leftover,
                                             std::span<const EntryId> entries,
                                             std::chrono::milliseconds patience);

/// Entries of a removed session get their tombstones where it lies. Other leftovers have no
/// chain that could account for them, and are removed.
Result<Erasure> erase_leftover(io::FileSystem& files, const Leftover& leftover,
                               std::span<const EntryId> entries, const std::string& reason,
                               const WriterOptions& options);

}  // namespace logwood::storage::jsonl
