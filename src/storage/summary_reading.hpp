// Reads a session into its summary: all of it, or what was added since it was last read.
#pragma once

#include <optional>
#include <vector>

#include "catalog/summary_builder.hpp"
#include "storage/backend.hpp"

namespace logwood::storage {

/// What was known of a session, and where the reading ended that found it.
struct KnownSummary {
  catalog::SoFar so_far;
  ReadPosition until;
};

struct SummaryReading {
  bool from_start = false;  ///< nothing of what was known counts any more
  ReadPosition until;
  catalog::SoFar so_far;
  std::vector<catalog::Activity> activity;  ///< of what was read
};

/// Goes on from what is known, or reads all of the session: where nothing is, and where the session
/// did not just grow.
Result<SummaryReading> read_summary(StorageBackend& sessions, const SessionId& session,
                                    const std::optional<KnownSummary>& known);

/// The entry as it may be shown; nothing where nothing of it may.
[[nodiscard]] std::optional<std::string> shown_text(const Redactions& redactions,
                                                    const WalkedEntry& entry);

}  // namespace logwood::storage
