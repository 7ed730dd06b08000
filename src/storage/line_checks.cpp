#include "storage/line_checks.hpp"

#include "base/telling.hpp"
#include "model/entry_fields.hpp"
#include "storage/line_problems.hpp"

namespace logwood::storage {
namespace {

// How often somebody is told how far a walk has come.
constexpr std::uint64_t progress_step_bytes = 64U << 10U;

}  // namespace

// A sealed line in its place in the chain is what was written. That it is an entry is told by its
// front; the rest of it is looked at by whoever loads it.
Result<> LineChecks::take(const format::PlacedLine& line, std::string_view text) {
  const EntryPlace place = find_place(text);
  if (place.id.empty()) {
    unreadable_.push_back(not_an_entry(line));
    return {};
  }
  if (line.flagged) {
    flagged_.emplace_back(line, EntryId{std::string(place.id)});
    ++report_.flagged;
  }
  LOGWOOD_TRY(const bool whole,
              verify_blobs(text.substr(0, line.body_size), read_blob_, report_.blobs));
  if (!whole) unreadable_.push_back(blob_problem(line));
  ++report_.entries;
  if (line.is_tombstone) ++report_.tombstones;
  const bool may_account = line.is_tombstone || place.kind == EntryKind::mark;
  accounts_.take(line, text, may_account ? find_fields(text) : EntryFields());
  if (line.offset < told_ + progress_step_bytes) return {};
  told_ = line.offset;
  return tell(progress_, told_, size_bytes_);
}

void LineChecks::forget_flagged(const format::PlacedLine& line) {
  --report_.flagged;
  --report_.entries;
  accounts_.forget(line);
  std::erase_if(unreadable_, [&](const Problem& problem) {
    return problem.kind == ProblemKind::blob && problem.first_seq == line.seq;
  });
}

VerifyReport LineChecks::finish(const format::Fold& fold, std::uint64_t end,
                                const std::vector<Problem>& more) && {
  report_.size_bytes = end;
  report_.link = format::view(fold.link());
  take_problems(fold, report_.problems);
  if (const auto last = fold.problem_at_end()) report_.problems.push_back(*last);
  for (const std::vector<Problem>& met : {unreadable_, accounts_.problems(), more}) {
    report_.problems.insert(report_.problems.end(), met.begin(), met.end());
  }
  report_.problem_count = fold.problem_count() + (report_.problems.size() - fold.problems().size());
  return std::move(report_);
}

}  // namespace logwood::storage
