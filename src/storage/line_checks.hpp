// What verifying looks at in each line of a session, wherever the lines lie; the chain is the
// fold's.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "format/accounts.hpp"
#include "format/fold.hpp"
#include "logwood/progress.hpp"
#include "logwood/report.hpp"
#include "storage/line_entry.hpp"

namespace logwood::storage {

class LineChecks {
 public:
  /// `size_bytes`: of the whole session, for the progress.
  LineChecks(SessionId session, ReadBlob read_blob, const Progress& progress,
             std::uint64_t size_bytes)
      : read_blob_(std::move(read_blob)), progress_(progress), size_bytes_(size_bytes) {
    report_.session_id = std::move(session);
  }

  /// A line that the fold has accepted.
  Result<> take(const format::PlacedLine& line, std::string_view text);

  /// The flagged ones among them. One that gave way to another line does not count after all.
  using Flagged = std::vector<std::pair<format::PlacedLine, EntryId>>;
  [[nodiscard]] const Flagged& flagged() const { return flagged_; }
  void forget_flagged(const format::PlacedLine& line);

  [[nodiscard]] bool met_unreadable() const { return !unreadable_.empty(); }

  /// The report, with what the fold has met. `more` was met beside the lines.
  [[nodiscard]] VerifyReport finish(const format::Fold& fold, std::uint64_t end,
                                    const std::vector<Problem>& more) &&;

 private:
  ReadBlob read_blob_;
  const Progress& progress_;
  std::uint64_t size_bytes_;
  std::uint64_t told_ = 0;  // of the progress
  VerifyReport report_;
  format::ErasureAccounts accounts_;
  std::vector<Problem> unreadable_;
  Flagged flagged_;
};

}  // namespace logwood::storage
