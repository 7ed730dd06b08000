// Walking a whole session file: every seal, every link, every blob, every erasure.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/telling.hpp"
#include "format/accounts.hpp"
#include "model/entry_fields.hpp"
#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/unsealed.hpp"
#include "storage/line_problems.hpp"

namespace logwood::storage::jsonl {
namespace {

// How often somebody is told how far a walk has come.
constexpr std::uint64_t progress_step_bytes = 64U << 10U;

}  // namespace

Result<VerifyReport> LogReader::verify(const Progress& progress) {
  VerifyReport report;
  report.session_id = session_;
  if (first_.unsealed) {
    LOGWOOD_TRY(report, verify_unsealed(*file_, session_));
    if (first_.renamed) {
      report.problems.push_back(renamed_problem());
      ++report.problem_count;
    }
    return report;
  }

  format::ErasureAccounts accounts;
  const Blobs own_blobs = blobs();
  std::vector<Problem> unreadable;
  std::vector<std::pair<format::PlacedLine, EntryId>> flagged;
  LOGWOOD_TRY(const io::FileStatus status, file_status());
  std::uint64_t told = 0;  // of the progress
  LOGWOOD_TRY(
      const Walked walked,
      walk_forward(*file_, first_.session_id, {}, walk_options(),
                   [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                     // A sealed line in its place in the chain is what was written. That it
                     // is an entry is told by its front; the rest of it is looked at by
                     // whoever loads it.
                     const EntryPlace place = find_place(text);
                     if (place.id.empty()) {
                       unreadable.push_back(not_an_entry(line));
                       return Going::on;
                     }
                     if (line.flagged) flagged.emplace_back(line, EntryId{std::string(place.id)});
                     LOGWOOD_TRY(const bool whole,
                                 own_blobs.verify(text.substr(0, line.body_size), report.blobs));
                     if (!whole) unreadable.push_back(blob_problem(line));
                     ++report.entries;
                     if (line.is_tombstone) ++report.tombstones;
                     const bool may_account = line.is_tombstone || place.kind == EntryKind::mark;
                     accounts.take(line, text, may_account ? find_fields(text) : EntryFields());
                     if (line.offset >= told + progress_step_bytes) {
                       told = line.offset;
                       LOGWOOD_CHECK(tell(progress, told, status.size_bytes));
                     }
                     return Going::on;
                   }));
  if (!unreadable.empty() && !is_current()) return replaced_while_read();
  for (const auto& [line, id] : flagged) {
    LOGWOOD_TRY(const bool superseded, is_superseded(id, line.seq));
    if (superseded) {
      --report.entries;
      accounts.forget(line);
      std::erase_if(unreadable, [&](const Problem& problem) {
        return problem.kind == ProblemKind::blob && problem.first_seq == line.seq;
      });
    } else {
      ++report.flagged;
    }
  }
  report.size_bytes = walked.end;
  report.link = format::view(walked.fold.link());
  take_problems(walked.fold, report.problems);
  if (const auto last = walked.fold.problem_at_end()) report.problems.push_back(*last);
  const std::vector<Problem> erasures = accounts.problems();
  report.problem_count = walked.fold.problem_count() +
                         (report.problems.size() - walked.fold.problems().size()) +
                         unreadable.size() + erasures.size();
  report.problems.insert(report.problems.end(), unreadable.begin(), unreadable.end());
  report.problems.insert(report.problems.end(), erasures.begin(), erasures.end());
  if (first_.renamed) {
    report.problems.push_back(renamed_problem());
    ++report.problem_count;
  }
  return report;
}

}  // namespace logwood::storage::jsonl
