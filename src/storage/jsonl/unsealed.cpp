#include "storage/jsonl/unsealed.hpp"

#include "format/line_reader.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"

namespace logwood::storage::jsonl {
namespace {

ProblemKind kind_of_bad(const format::PhysicalLine& line) {
  if (!line.ended) return ProblemKind::torn;
  const bool blank =
      !line.oversize && line.text.find_first_not_of(" \t\r") == std::string_view::npos;
  return blank ? ProblemKind::blank : ProblemKind::damaged;
}

std::optional<Entry> entry_in(const format::PhysicalLine& line) {
  if (!line.ended || line.oversize) return std::nullopt;
  auto entry = parse_entry(std::string(line.text));
  if (!entry || !find_fields(line.text).reserved.empty()) return std::nullopt;
  return *std::move(entry);
}

}  // namespace

Result<> walk_unsealed(const io::File& file, format::LinePosition from, std::uint64_t seq,
                       const std::function<Result<Going>(const UnsealedLine&)>& visit) {
  format::LineReader reader(reader_of(file), from);
  while (true) {
    LOGWOOD_TRY(const std::optional<format::PhysicalLine> line, reader.next());
    if (!line) return {};
    UnsealedLine unsealed;
    unsealed.text = line->text;
    unsealed.end = line->end;
    unsealed.entry = entry_in(*line);
    if (unsealed.entry) {
      unsealed.entry->seq = ++seq;
    } else {
      unsealed.problem =
          Problem{kind_of_bad(*line), line->offset, line->number, 0, 0, GapCause::unknown};
    }
    LOGWOOD_TRY(const Going going, visit(unsealed));
    if (going == Going::stop) return {};
  }
}

Result<PageFrom> read_unsealed(const io::File& file, const ReadPosition& from, std::size_t limit) {
  PageFrom result;
  result.next = from;
  EntryPage& page = result.page;
  LOGWOOD_CHECK(walk_unsealed(file, {from.offset, from.next_line}, from.seq,
                              [&](const UnsealedLine& line) -> Result<Going> {
                                if (line.entry && page.entries.size() == limit) {
                                  page.has_more = true;
                                  return Going::stop;
                                }
                                if (line.problem) page.problems.push_back(*line.problem);
                                if (line.problem && line.problem->kind == ProblemKind::torn)
                                  return Going::stop;
                                if (line.entry) {
                                  result.next.seq = line.entry->seq;
                                  page.entries.push_back(*line.entry);
                                }
                                result.next.offset = line.end;
                                ++result.next.next_line;
                                return Going::on;
                              }));
  return result;
}

Result<std::optional<Entry>> find_unsealed(const io::File& file, const EntryId& id) {
  std::optional<Entry> found;
  LOGWOOD_CHECK(walk_unsealed(file, {}, 0, [&](const UnsealedLine& line) -> Result<Going> {
    if (!line.entry || line.entry->id != id) return Going::on;
    found = line.entry;
    return Going::stop;
  }));
  return found;
}

Result<UnsealedEnds> ends_of_unsealed(const io::File& file) {
  UnsealedEnds ends;
  LOGWOOD_CHECK(walk_unsealed(file, {}, 0, [&](const UnsealedLine& line) -> Result<Going> {
    if (!line.entry) return Going::on;
    if (logwood::kind_of(line.entry->type) == EntryKind::tree) {
      ends.tail = ends.head = line.entry->id;
    } else if (const auto target = head_target(line.entry->text)) {
      ends.tail = line.entry->id;
      ends.head = *target;
    }
    return Going::on;
  }));
  return ends;
}

Result<VerifyReport> verify_unsealed(const io::File& file, const SessionId& session) {
  VerifyReport report;
  report.session_id = session;
  LOGWOOD_CHECK(walk_unsealed(file, {}, 0, [&](const UnsealedLine& line) -> Result<Going> {
    if (line.entry) ++report.entries;
    if (line.problem) {
      ++report.problem_count;
      format::keep_problem(report.problems, *line.problem);
    }
    report.size_bytes = line.end;
    return Going::on;
  }));
  return report;
}

}  // namespace logwood::storage::jsonl
