#include "support/scanned.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "format/accounts.hpp"
#include "format/line_reader.hpp"
#include "format/pieces.hpp"
#include "model/entry_fields.hpp"

namespace logwood {
namespace {

using format::AtRest;
using format::Piece;
using format::PieceKind;

format::ReadAt reader_of(std::string_view bytes) {
  return [bytes](std::uint64_t offset, std::span<char> into) -> Result<std::size_t> {
    if (offset >= bytes.size()) return std::size_t{0};
    const std::size_t size = std::min<std::size_t>(into.size(), bytes.size() - offset);
    std::memcpy(into.data(), bytes.data() + offset, size);
    return size;
  };
}

std::optional<ScannedEntry> entry_in(const format::PlacedLine& line, std::string_view text) {
  const std::string body(text.substr(0, line.body_size));
  const auto entry = parse_entry(body + '}');
  if (!entry) return std::nullopt;
  return ScannedEntry{line.seq,     entry->id.text,   body, line.offset, line.seq - line.place,
                      line.flagged, line.is_tombstone};
}

struct Folded {
  format::Fold fold;
  std::vector<format::PlacedLine> lines;
};

Folded fold_bytes(std::string_view bytes, std::string_view session_id, AtRest at_rest) {
  Folded folded{format::Fold(std::string(session_id)), {}};
  format::LineReader reader(reader_of(bytes), {});
  while (true) {
    const auto line = reader.next();
    if (!line || !*line) break;
    format::cut_line(session_id, **line, [&](const Piece& piece) {
      const bool not_there_yet = piece.kind == PieceKind::unended || piece.kind == PieceKind::torn;
      if (at_rest == AtRest::no && not_there_yet) return;
      folded.fold.take(piece);
      folded.lines.insert(folded.lines.end(), folded.fold.ready().begin(),
                          folded.fold.ready().end());
    });
  }
  return folded;
}

}  // namespace

Scanned scan_bytes(std::string_view bytes, std::string_view session_id, AtRest at_rest) {
  const Folded folded = fold_bytes(bytes, session_id, at_rest);
  const format::Fold& fold = folded.fold;
  Scanned scanned;
  scanned.problems = fold.problems();
  if (const auto last = fold.problem_at_end()) scanned.problems.push_back(*last);
  scanned.cut = at_rest == AtRest::yes ? fold.torn_from().value_or(bytes.size()) : bytes.size();
  scanned.end = fold.committed_end();
  scanned.newer = fold.is_newer();

  std::vector<std::pair<format::PlacedLine, ScannedEntry>> found;
  std::unordered_set<std::string> committed;
  for (const format::PlacedLine& line : folded.lines) {
    auto entry = entry_in(line, bytes.substr(line.offset, line.size));
    if (!entry) {
      scanned.problems.push_back({ProblemKind::not_an_entry, line.offset, line.line_number,
                                  line.seq, line.seq, GapCause::unknown});
      continue;
    }
    if (!line.flagged) committed.insert(entry->id);
    found.emplace_back(line, *std::move(entry));
  }
  format::ErasureAccounts accounts;
  for (auto& [line, entry] : found) {
    if (line.flagged && committed.contains(entry.id)) continue;
    const std::string_view text = bytes.substr(line.offset, line.size);
    accounts.take(line, text, find_fields(text));
    scanned.entries.push_back(std::move(entry));
  }
  for (const Problem& problem : accounts.problems()) scanned.problems.push_back(problem);

  const format::Fold after_cut =
      scanned.cut == bytes.size()
          ? fold
          : fold_bytes(bytes.substr(0, scanned.cut), session_id, at_rest).fold;
  scanned.next_seq = after_cut.next_seq();
  scanned.link = format::view(after_cut.link());
  scanned.hole = after_cut.has_hole();
  return scanned;
}

ScannedTail tail_of_bytes(std::string_view bytes, std::string_view session_id, std::size_t want,
                          const std::optional<format::Anchor>& anchor, AtRest at_rest) {
  std::vector<std::vector<ScannedEntry>> batches;
  const auto end = format::walk_back(
      reader_of(bytes), bytes.size(), session_id, anchor, at_rest,
      [&](std::vector<format::TailLine>&& batch) {
        if (batches.size() >= want) return false;
        batches.emplace_back();
        for (const format::TailLine& line : batch) {
          // The walk vouches for lines; whether they are entries is for others.
          const std::string body = line.text.substr(0, line.place.body_size) + '}';
          const EntryFields fields = find_fields(body);
          const auto id = fields.json ? json_string_value(fields.id) : std::nullopt;
          batches.back().push_back({line.place.seq, id.value_or(""), body, line.place.offset,
                                    line.place.seq - line.place.place, false,
                                    line.place.is_tombstone});
        }
        return batches.size() < want;
      });
  ScannedTail tail;
  if (!end) return tail;
  tail.complete = *end != format::TailEnd::irregular;
  tail.anchored = *end == format::TailEnd::start || (tail.complete && anchor);
  for (auto batch = batches.rbegin(); batch != batches.rend(); ++batch) {
    tail.entries.insert(tail.entries.end(), batch->begin(), batch->end());
  }
  return tail;
}

}  // namespace logwood
