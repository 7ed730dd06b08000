#include "storage/jsonl/single_file.hpp"

#include <optional>

#include "format/accounts.hpp"
#include "model/header.hpp"
#include "model/long_strings.hpp"
#include "storage/jsonl/forward_walk.hpp"
#include "storage/jsonl/unsealed.hpp"

namespace logwood::storage::jsonl {
namespace {

Problem problem_of(ProblemKind kind, const format::PlacedLine& line) {
  return {kind, line.offset, line.line_number, line.seq, line.seq, GapCause::unknown};
}

Result<Entry> entry_in(const format::PlacedLine& line, std::string_view text) {
  const std::string_view body = text.substr(0, line.body_size);
  const auto blobs = find_blobs(body);
  LOGWOOD_TRY(Entry entry,
              parse_entry(std::string(blobs ? body.substr(0, blobs->begin) : body) + '}'));
  entry.seq = line.seq;
  entry.flagged = line.flagged;
  entry.erased = line.is_tombstone;
  entry.incomplete = blobs.has_value();
  return entry;
}

Result<std::vector<Problem>> walk_sealed(io::File& file, const FirstLine& first,
                                         const SingleFileVisitor& visit) {
  format::ErasureAccounts accounts;
  std::vector<Problem> unreadable;
  LOGWOOD_TRY(const Walked walked,
              walk_forward(
                  file, first.session_id, {}, {.locked = true},
                  [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                    auto entry = entry_in(line, text);
                    if (!entry) {
                      format::keep_problem(unreadable, problem_of(ProblemKind::not_an_entry, line));
                      return Going::on;
                    }
                    accounts.take(line, text, find_fields(text));
                    LOGWOOD_CHECK(visit(*entry, line.line_number));
                    return Going::on;
                  }));
  std::vector<Problem> problems = walked.fold.problems();
  if (const auto last = walked.fold.problem_at_end()) problems.push_back(*last);
  problems.insert(problems.end(), unreadable.begin(), unreadable.end());
  for (const Problem& problem : accounts.problems()) problems.push_back(problem);
  return problems;
}

Result<std::vector<Problem>> walk_plain(const io::File& file, const SingleFileVisitor& visit) {
  std::vector<Problem> problems;
  std::uint64_t number = 0;
  LOGWOOD_CHECK(walk_unsealed(file, {}, 0, [&](const UnsealedLine& line) -> Result<Going> {
    ++number;
    if (line.problem) format::keep_problem(problems, *line.problem);
    if (line.entry) LOGWOOD_CHECK(visit(*line.entry, number));
    return Going::on;
  }));
  return problems;
}

}  // namespace

Result<FirstLine> read_single_file(const io::File& file) {
  LOGWOOD_TRY(const FirstLine unnamed, read_first_line(file, {}));
  if (!unnamed.header) {
    return Error{ErrorCode::invalid_argument,
                 "this is no logwood session: its first line is no session_header"};
  }
  LOGWOOD_TRY(FirstLine first, read_first_line(file, unnamed.header->id));
  if (!first.unsealed && !first.read_only.empty())
    return Error{ErrorCode::unsupported, first.read_only};
  return first;
}

Result<std::vector<Problem>> walk_single_file(io::File& file, const FirstLine& first,
                                              const SingleFileVisitor& visit) {
  return first.unsealed ? walk_plain(file, visit) : walk_sealed(file, first, visit);
}

}  // namespace logwood::storage::jsonl
