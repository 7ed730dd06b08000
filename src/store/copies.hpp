// Where else in a store the entries of a session lie: forks share them by id.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logwood/erasure.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood {

struct FoundCopy {
  Copy copy;
  std::vector<EntryId> entries;  ///< those of them that it holds, or may hold; none: unreadable
  std::optional<storage::Leftover> leftover;  ///< none: it is a session
};

/// All but the session itself.
Result<std::vector<FoundCopy>> find_copies(storage::StorageBackend& backend,
                                           const SessionId& session,
                                           std::span<const EntryId> entries);

/// Erases what was found of them, and notes that in `copy`. An erasure where there is a chain
/// to account for it.
Result<std::optional<Erasure>> erase_copy(storage::StorageBackend& backend, FoundCopy& found,
                                          const std::string& reason);

}  // namespace logwood
