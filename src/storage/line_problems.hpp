// Problems as a walk over the lines of a session meets them.
#pragma once

#include <vector>

#include "format/fold.hpp"
#include "logwood/report.hpp"

namespace logwood::storage {

[[nodiscard]] inline Problem not_an_entry(const format::PlacedLine& line) {
  return {ProblemKind::not_an_entry, line.offset, line.line_number, line.seq, line.seq,
          GapCause::unknown};
}

[[nodiscard]] inline Problem blob_problem(const format::PlacedLine& line) {
  return {ProblemKind::blob, line.offset, line.line_number, line.seq, line.seq, GapCause::unknown};
}

[[nodiscard]] inline Problem renamed_problem() {
  return {ProblemKind::renamed, 0, 1, 0, 0, GapCause::unknown};
}

inline void take_problems(const format::Fold& fold, std::vector<Problem>& problems) {
  problems.insert(problems.end(), fold.problems().begin(), fold.problems().end());
}

}  // namespace logwood::storage
