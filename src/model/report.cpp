#include "logwood/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace logwood {
namespace {

struct Words {
  std::string_view name;
  std::string_view sentence;
  bool loss;
};

// In the order of ProblemKind.
constexpr Words words[] = {
    {"torn", "bytes that never became a batch; the next append moves them to quarantine/", false},
    {"nul", "zeros where a write did not reach the disk", true},
    {"damaged", "the bytes are not what was written", true},
    {"line_end", "the line is whole but its line break is not", false},
    {"blank", "an empty line", false},
    {"foreign", "JSON that is not part of this session; left where it is", false},
    {"newer", "written by a newer version of logwood; the session is read-only here", false},
    {"repeated", "the line repeats a place that is taken already; not returned", true},
    {"missing", "entries are gone", true},
    {"out_of_chain", "the line does not continue the one before it", true},
    {"part", "the batch is not whole; its sound lines are returned flagged", true},
    {"unaccounted", "the line was erased and no redaction accounts for it", true},
    {"not_erased", "a redaction says this line was erased, but it is still here", true},
    {"renamed", "the file holds a session of another name; rename it back", true},
    {"not_an_entry", "the line is whole but its text is not an entry; not returned", true},
    {"blob", "a blob of the entry is missing or altered; its long strings are empty", true},
    {"cut_off", "the last line is cut off, or still being written", false},
    {"joined", "its parent is not in the file; it was put behind the entry before it", true},
    {"same_id", "the id of the line is taken already; the line is no part of the tree", false},
    {"too_long", "the line is longer than 16 MiB and was left out", true},
};

const Words& words_of(ProblemKind kind) { return words[static_cast<std::size_t>(kind)]; }

std::string_view cause_of(GapCause cause) {
  switch (cause) {
    case GapCause::unknown:
      return "the cause cannot be told";
    case GapCause::power_cut:
      return "a power cut may have taken them: they were not yet synced";
    case GapCause::corruption:
      return "they were synced once, so the file was damaged or changed";
  }
  return "";
}

}  // namespace

std::string_view name_of(ProblemKind kind) { return words_of(kind).name; }

bool is_loss(ProblemKind kind) { return words_of(kind).loss; }

std::string describe(const Problem& problem) {
  std::string place = problem.line == 0
                          ? fmt::format("entry {}", problem.first_seq)
                          : fmt::format("line {} (byte {})", problem.line, problem.offset);
  if (problem.kind == ProblemKind::missing) {
    const bool one = problem.first_seq == problem.last_seq;
    return fmt::format(
        "before {}: {} missing; {}", place,
        one ? fmt::format("entry {} is", problem.first_seq)
            : fmt::format("entries {} to {} are", problem.first_seq, problem.last_seq),
        cause_of(problem.cause));
  }
  return fmt::format("{}: {}", place, words_of(problem.kind).sentence);
}

bool VerifyReport::is_sound() const {
  return std::none_of(problems.begin(), problems.end(),
                      [](const Problem& problem) { return is_loss(problem.kind); });
}

}  // namespace logwood
