// A session file's bytes, read by the format layer alone: pieces, fold, accounts,
// tail walk. For tests that compare what a file means, without a store around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/fold.hpp"
#include "format/tail_walk.hpp"
#include "logwood/report.hpp"

namespace logwood {

struct ScannedEntry {
  std::uint64_t seq = 0;
  std::string id;
  std::string body;
  std::uint64_t offset = 0;
  std::uint64_t base = 0;  ///< the seq before its batch
  bool flagged = false;
  bool erased = false;
};

struct Scanned {
  std::vector<ScannedEntry> entries;
  std::vector<Problem> problems;
  std::uint64_t next_seq = 1;
  std::string link;
  std::uint64_t cut = 0;  ///< where the torn end begins; the size if there is none
  std::uint64_t end = 0;  ///< after the last committed batch
  bool hole = false;
  bool newer = false;
};

[[nodiscard]] Scanned scan_bytes(std::string_view bytes, std::string_view session_id,
                                 format::AtRest at_rest = format::AtRest::yes);

struct ScannedTail {
  std::vector<ScannedEntry> entries;  ///< in order
  bool complete = false;
  bool anchored = false;
};

/// At least `want` batches from the end, or all there are.
[[nodiscard]] ScannedTail tail_of_bytes(std::string_view bytes, std::string_view session_id,
                                        std::size_t want,
                                        const std::optional<format::Anchor>& anchor = std::nullopt,
                                        format::AtRest at_rest = format::AtRest::yes);

}  // namespace logwood
