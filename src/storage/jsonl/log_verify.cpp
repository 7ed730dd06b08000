// Walking a whole session file: every seal, every link, every blob, every erasure.
#include <utility>
#include <vector>

#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/unsealed.hpp"
#include "storage/line_checks.hpp"
#include "storage/line_problems.hpp"

namespace logwood::storage::jsonl {
Result<VerifyReport> LogReader::verify(const Progress& progress) {
  if (first_.unsealed) {
    LOGWOOD_TRY(VerifyReport report, verify_unsealed(*file_, session_));
    if (first_.renamed) {
      report.problems.push_back(renamed_problem());
      ++report.problem_count;
    }
    return report;
  }

  LOGWOOD_TRY(const io::FileStatus status, file_status());
  const Blobs own_blobs = blobs();
  LineChecks checks(
      session_, [&](const BlobRef& ref) { return own_blobs.read(ref); }, progress,
      status.size_bytes);
  LOGWOOD_TRY(const Walked walked, walk_forward(*file_, first_.session_id, {}, walk_options(),
                                                [&](const format::PlacedLine& line,
                                                    std::string_view text) -> Result<Going> {
                                                  LOGWOOD_CHECK(checks.take(line, text));
                                                  return Going::on;
                                                }));
  if (checks.met_unreadable() && !is_current()) return replaced_while_read();
  const LineChecks::Flagged flagged = checks.flagged();
  for (const auto& [line, id] : flagged) {
    LOGWOOD_TRY(const bool superseded, is_superseded(id, line.seq));
    if (superseded) checks.forget_flagged(line);
  }
  std::vector<Problem> more;
  if (first_.renamed) more.push_back(renamed_problem());
  return std::move(checks).finish(walked.fold, walked.end, more);
}

}  // namespace logwood::storage::jsonl
