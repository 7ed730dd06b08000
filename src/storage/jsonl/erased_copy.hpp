#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/erasure.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// Copies a session file at rest, all of it but for the lines of these entries: wherever
/// a sound line of one stands, repeated and flagged ones too, its tombstone takes its
/// place. Every other byte stays as it was. Returns what was replaced.
Result<std::vector<ErasedEntry>> copy_with_tombstones(const io::File& source,
                                                      std::string_view session_id,
                                                      const std::unordered_set<std::string>& ids,
                                                      const EntryId& redaction, io::File& target);

}  // namespace logwood::storage::jsonl
