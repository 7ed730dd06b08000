// Any bytes as a session file. Whatever they are, reading them ends, stays within them, and comes
// to the same result in every way there is: forwards, backwards, from the middle, with and without
// the lock.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bytes_file.hpp"
#include "expect.hpp"
#include "format/accounts.hpp"
#include "format/backward_lines.hpp"
#include "format/line_reader.hpp"
#include "format/pieces.hpp"
#include "format/tail_walk.hpp"
#include "line_mutations.hpp"
#include "model/entry_fields.hpp"
#include "storage/jsonl/forward_walk.hpp"

namespace {

using namespace logwood;
using format::Fold;
using format::PhysicalLine;
using format::PlacedLine;
using fuzz::expect;
using storage::jsonl::Boundary;
using storage::jsonl::Going;
using storage::jsonl::Walked;
using storage::jsonl::WalkOptions;

// The id in the test vectors.
constexpr std::string_view session_id = "0198c3a1-7d2e-7c4b-9f00-5a1d6e2b7c10";

struct Told {
  PlacedLine place;
  std::string text;
};

using LineKey = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, bool, std::string>;

LineKey key_of(const Told& line) {
  return {line.place.offset, line.place.seq, line.place.size, line.place.flagged, line.text};
}

bool are_same(const std::vector<Told>& a, const std::vector<Told>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Told& x, const Told& y) { return key_of(x) == key_of(y); });
}

struct Read {
  std::vector<Told> lines;
  Walked walked;
};

Read walk(std::string_view bytes, const Boundary& from, bool locked) {
  fuzz::BytesFile file(bytes);
  std::vector<Told> lines;
  WalkOptions options;
  options.locked = locked;
  auto walked = walk_forward(file, session_id, from, options,
                             [&](const PlacedLine& place, std::string_view text) -> Result<Going> {
                               lines.push_back({place, std::string(text)});
                               return Going::on;
                             });
  expect(walked.has_value(), "walking bytes in memory cannot fail");
  return {std::move(lines), *std::move(walked)};
}

// Physical lines cover the file without gap or overlap, in both directions alike.
void check_lines(std::string_view bytes) {
  std::vector<PhysicalLine> forwards;
  format::LineReader reader(fuzz::reader_of_bytes(bytes), {});
  while (true) {
    const auto line = reader.next();
    expect(line.has_value(), "reading bytes in memory cannot fail");
    if (!*line) break;
    expect((*line)->offset == (forwards.empty() ? 0 : forwards.back().end),
           "lines lie side by side");
    expect((*line)->number == forwards.size() + 1, "lines are counted");
    forwards.push_back(**line);
    forwards.back().text =
        bytes.substr(static_cast<std::size_t>((*line)->offset), (*line)->text.size());
    expect(forwards.back().text == (*line)->text, "a line has the bytes of the file");
  }
  expect((forwards.empty() ? 0 : forwards.back().end) == bytes.size(),
         "the lines are all there is");

  format::BackwardLines backwards(fuzz::reader_of_bytes(bytes), bytes.size());
  for (auto line = forwards.rbegin(); line != forwards.rend(); ++line) {
    const auto same = backwards.previous();
    expect(same && *same, "going back meets every line");
    expect((*same)->offset == line->offset && (*same)->end == line->end &&
               (*same)->ended == line->ended && (*same)->text == line->text,
           "going back meets the same line");
  }
  const auto nothing = backwards.previous();
  expect(nothing && !*nothing, "going back ends at the start");
}

void check_walk(std::string_view bytes, const Read& read) {
  const Fold& fold = read.walked.fold;
  expect(read.walked.reached_end, "the walk reaches the end");
  expect(read.walked.end <= bytes.size() && fold.committed_end() <= bytes.size(),
         "the walk stays within the file");
  expect(read.walked.boundary.start.end <= fold.committed_end(), "the boundary is committed");
  expect(!fold.torn_from() || *fold.torn_from() <= bytes.size(), "the torn end is in the file");
  expect(!fold.torn_from() || *fold.torn_from() >= fold.committed_end(),
         "the torn end holds nothing committed");
  expect(fold.next_seq() > fold.last_seq(), "the next seq is a new one");
  std::uint64_t last = 0;
  format::ErasureAccounts accounts;
  for (const Told& line : read.lines) {
    expect(line.place.seq > last, "no seq is told twice");
    last = line.place.seq;
    const auto sealed = format::parse_sealed(session_id, line.text);
    expect(sealed && sealed->seq == line.place.seq, "what is told is sealed");
    expect(bytes.substr(static_cast<std::size_t>(line.place.offset), line.text.size()) == line.text,
           "what is told stands in the file");
    expect(sealed->body.size() == line.place.body_size, "the body is measured");
    const std::string body = std::string(sealed->body) + '}';
    const EntryFields fields = find_fields(body);
    if (check_entry(fields)) accounts.take(line.place, line.text, fields);
  }
  (void)accounts.problems();
  for (const Problem& problem : fold.problems()) {
    expect(problem.offset <= bytes.size(), "a problem lies in the file");
    (void)describe(problem);
  }
}

std::vector<Told> committed(const std::vector<Told>& lines) {
  std::vector<Told> kept;
  for (const Told& line : lines) {
    if (!line.place.flagged) kept.push_back(line);
  }
  return kept;
}

bool is_suffix(const std::vector<Told>& end, const std::vector<Told>& all) {
  return end.size() <= all.size() &&
         std::equal(end.rbegin(), end.rend(), all.rbegin(), [](const Told& x, const Told& y) {
           return x.place.offset == y.place.offset && x.place.seq == y.place.seq &&
                  x.text == y.text;
         });
}

std::vector<Told> walk_back_from(std::string_view bytes,
                                 const std::optional<format::Anchor>& anchor,
                                 format::AtRest at_rest, std::size_t batches_max) {
  std::vector<Told> newest_first;
  std::size_t batches = 0;
  const auto end =
      format::walk_back(fuzz::reader_of_bytes(bytes), bytes.size(), session_id, anchor, at_rest,
                        [&](std::vector<format::TailLine>&& batch) {
                          for (auto line = batch.rbegin(); line != batch.rend(); ++line) {
                            newest_first.push_back({line->place, line->text});
                          }
                          return ++batches < batches_max;
                        });
  expect(end.has_value(), "walking back in memory cannot fail");
  return {newest_first.rbegin(), newest_first.rend()};
}

// Batches of a copy, diverged or not, can mislead a walk backwards. The fold then has something to
// report, and no line up to there is used as an anchor.
bool may_mislead(const Fold& fold) {
  return std::any_of(fold.problems().begin(), fold.problems().end(), [](const Problem& problem) {
    return problem.kind == ProblemKind::out_of_chain || problem.kind == ProblemKind::repeated;
  });
}

void check_tail(std::string_view bytes, const Read& read) {
  const std::vector<Told> all = committed(read.lines);
  const bool misleading = may_mislead(read.walked.fold);
  for (const std::size_t batches : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
    const auto tail = walk_back_from(bytes, std::nullopt, format::AtRest::yes, batches);
    expect(misleading || is_suffix(tail, all), "the tail is the end of what the fold commits");
  }
}

// From any boundary the walk goes on as if it had come from the start; and a tail walk that joins
// one cannot be misled.
void check_from_boundaries(std::string_view bytes, const Read& read) {
  struct Stop {
    Boundary boundary;
    bool chained;  // it can be an anchor
  };
  std::vector<Stop> stops;
  fuzz::BytesFile file(bytes);
  for (std::size_t stop = 1; stop <= std::min<std::size_t>(read.lines.size(), 6); ++stop) {
    std::size_t told = 0;
    WalkOptions options;
    options.locked = true;
    const auto walked = walk_forward(file, session_id, {}, options,
                                     [&](const PlacedLine&, std::string_view) -> Result<Going> {
                                       return told++ == stop ? Going::stop : Going::on;
                                     });
    expect(walked.has_value(), "walking bytes in memory cannot fail");
    stops.push_back({walked->boundary, !may_mislead(walked->fold)});
  }
  const std::vector<Told> all = committed(read.lines);
  for (const auto& [boundary, chained] : stops) {
    if (boundary.start.end == 0) continue;
    const Read rest = walk(bytes, boundary, true);
    std::vector<Told> expected;
    for (const Told& line : read.lines) {
      if (line.place.offset >= boundary.start.end) expected.push_back(line);
    }
    expect(are_same(rest.lines, expected), "a walk from a boundary tells the rest");
    expect(rest.walked.fold.link() == read.walked.fold.link() &&
               rest.walked.fold.last_seq() == read.walked.fold.last_seq() &&
               rest.walked.fold.committed_end() == read.walked.fold.committed_end(),
           "a walk from a boundary comes to the same end");
    if (!chained) continue;
    const auto anchored = walk_back_from(
        bytes, format::Anchor{boundary.start.end, boundary.start.last_seq, boundary.start.link},
        format::AtRest::yes, SIZE_MAX);
    expect(is_suffix(anchored, all), "an anchored tail is the end of what the fold commits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_lines(bytes);
  const Read locked = walk(bytes, {}, true);
  check_walk(bytes, locked);
  const Read unlocked = walk(bytes, {}, false);  // takes the lock where it has to
  check_walk(bytes, unlocked);
  expect(are_same(locked.lines, unlocked.lines), "with and without the lock the same is told");
  expect(locked.walked.fold.problems() == unlocked.walked.fold.problems(),
         "with and without the lock the same is reported");
  expect(locked.walked.fold.next_seq() == unlocked.walked.fold.next_seq() ||
             locked.walked.fold.problem_count() > 0,
         "with and without the lock the next seq is the same");
  check_tail(bytes, locked);
  check_from_boundaries(bytes, locked);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  return fuzz::mutate_session(data, size, max_size, seed, session_id);
}
