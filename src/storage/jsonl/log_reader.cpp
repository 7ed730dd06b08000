#include "storage/jsonl/log_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/seeded_bugs.hpp"
#include "format/tail_walk.hpp"
#include "model/entry_fields.hpp"
#include "storage/archived_session.hpp"
#include "storage/jsonl/index_file.hpp"
#include "storage/jsonl/line_ends.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/jsonl/shared_lock.hpp"
#include "storage/jsonl/unsealed.hpp"
#include "storage/line_problems.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::jsonl {
namespace {

bool needs_long_strings(const BackwardVisit& visit, const EntryPlace& place) {
  return !visit.needs_long_strings || visit.needs_long_strings(place);
}

}  // namespace

Result<LogReader> LogReader::open(io::FileSystem& files, const SessionId& session,
                                  const SessionNames& names, std::chrono::milliseconds patience) {
  LogReader reader(files, session, names, patience);
  auto opened = open_session_file(files, names);
  if (!opened) {
    if (opened.error().code == ErrorCode::not_found) return no_session(session);
    return std::move(opened).error();
  }
  reader.file_ = std::move(opened->file);
  reader.archived_ = opened->archived;
  LOGWOOD_TRY(const io::FileStatus status, reader.file_->status());
  reader.identity_ = status.identity;
  LOGWOOD_TRY(reader.first_, read_first_line(*reader.file_, session));
  return reader;
}

bool LogReader::is_current() const {
  const auto named = files_->status(names_.file);
  if (!archived_) return named && named->identity == identity_;
  if (named) return false;  // brought back
  const auto archive = files_->status(names_.archive);
  return archive && archive->identity == identity_;
}

WalkOptions LogReader::walk_options() const {
  WalkOptions options;
  options.patience = patience_;
  return options;
}

Result<io::FileStatus> LogReader::file_status() const { return file_->status(); }

// The state as of now: loaded the first time, advanced after that.
Result<SessionState*> LogReader::state() {
  LOGWOOD_TRY(const io::FileStatus now, file_status());
  bool continued = false;
  if (state_) {
    LOGWOOD_TRY(continued, state_->advance(*file_, now, walk_options()));
  }
  if (!continued) {
    LOGWOOD_TRY(SessionState loaded, SessionState::load(*files_, names_, first_.session_id, *file_,
                                                        now, walk_options()));
    state_ = std::move(loaded);
  }
  return &*state_;
}

// Where to begin for a reader that has come to `from`: its own boundary, if the
// file still has it; else the start.
Boundary LogReader::boundary_at(const ReadPosition& from) const {
  if (from.offset == 0 || from.link.size() != format::first_link().size()) return {};
  if (!ends_with_link(*file_, from.offset, from.link)) return {};
  Boundary boundary{{from.boundary_seq, {}, from.offset}, from.next_line};
  std::copy(from.link.begin(), from.link.end(), boundary.start.link.begin());
  return boundary;
}

// A file that was renamed by hand has left its blobs under its own name.
Blobs LogReader::blobs() const {
  if (first_.renamed) {
    if (const auto own = names_of({first_.session_id})) return {*files_, own->blobs};
  }
  return {*files_, names_.blobs};
}

Result<RestoredText> LogReader::restored(std::string_view body) const {
  LOGWOOD_TRY(RestoredText result, blobs().restore(body));
  // Blobs go after the file that named them was replaced or removed.
  if (!result.complete && !is_current()) return replaced_while_read();
  return result;
}

Error LogReader::replaced_while_read() const {
  return {ErrorCode::unavailable,
          fmt::format("session {} was replaced while it was read; read again", session_.text)};
}

Result<std::optional<Entry>> LogReader::entry_in(const format::PlacedLine& line, std::string text,
                                                 bool with_long_strings,
                                                 std::vector<Problem>& problems) {
  RestoreText restore;
  if (with_long_strings) restore = [this](std::string_view body) { return restored(body); };
  return entry_in_line(line, std::move(text), restore, problems);
}

// A sound line of a batch that is not whole, whose entry was appended again in
// one that is: the later one stands for both. An index that is older than the
// damage still counts the line itself, so the line must be another one.
Result<bool> LogReader::is_superseded(const EntryId& id, std::uint64_t seq) {
  LOGWOOD_TRY(SessionState * known, state());
  LOGWOOD_TRY(const auto found, known->locate(*file_, id, seq));
  return found.has_value();
}

// After a walk, not during it: looking an id up may walk, and lock, once more.
Result<> LogReader::drop_superseded(std::vector<Entry>& entries) {
  std::vector<Entry> kept;
  if (std::none_of(entries.begin(), entries.end(),
                   [](const Entry& entry) { return entry.flagged; }))
    return {};
  for (Entry& entry : entries) {
    if (entry.flagged) {
      LOGWOOD_TRY(const bool superseded, is_superseded(entry.id, entry.seq));
      if (superseded && !LOGWOOD_SEEDED(superseded_returned)) continue;
    }
    kept.push_back(std::move(entry));
  }
  entries = std::move(kept);
  return {};
}

// The sealed lines after `from`. What is returned of them the visitor decides, and so
// it says how far `next.seq` came.
Result<WalkedTo> LogReader::walk_lines(const ReadPosition& from, const LineVisitor& visit) {
  WalkOptions options = walk_options();
  LOGWOOD_TRY(const auto known, index());
  if (known) options.trusted_until = known->end;

  const Boundary begin = boundary_at(from);
  LOGWOOD_TRY(
      const Walked walked,
      walk_forward(*file_, first_.session_id, begin, options,
                   [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                     return line.seq <= from.seq ? Going::on : visit(line, text);
                   }));
  WalkedTo result;
  take_problems(walked.fold, result.problems);
  result.next.seq = from.seq;
  result.next.boundary_seq = walked.boundary.start.last_seq;
  result.next.offset = walked.boundary.start.end;
  result.next.next_line = walked.boundary.next_line;
  result.next.link = format::view(walked.boundary.start.link);
  return result;
}

Result<PageFrom> LogReader::read(const ReadPosition& from, std::size_t limit) {
  if (first_.unsealed) {
    LOGWOOD_TRY(PageFrom unsealed, read_unsealed(*file_, from, limit));
    if (first_.renamed) unsealed.page.problems.push_back(renamed_problem());
    return unsealed;
  }
  EntryPage page;
  std::vector<Problem> unreadable;
  std::uint64_t last_seq = from.seq;
  LOGWOOD_TRY(
      WalkedTo walked,
      walk_lines(from, [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
        if (page.entries.size() == limit) {
          page.has_more = true;
          return Going::stop;
        }
        LOGWOOD_TRY(auto entry, entry_in(line, std::string(text), true, unreadable));
        if (!entry) {
          unreadable.push_back(not_an_entry(line));
          return Going::on;
        }
        last_seq = line.seq;
        page.entries.push_back(*std::move(entry));
        return Going::on;
      }));
  LOGWOOD_CHECK(drop_superseded(page.entries));
  // What gave way to another line has lost nothing.
  std::erase_if(unreadable, [&](const Problem& problem) {
    return problem.kind == ProblemKind::blob &&
           std::none_of(page.entries.begin(), page.entries.end(),
                        [&](const Entry& entry) { return entry.seq == problem.first_seq; });
  });
  page.problems = std::move(walked.problems);
  page.problems.insert(page.problems.end(), unreadable.begin(), unreadable.end());
  if (first_.renamed) page.problems.push_back(renamed_problem());
  walked.next.seq = last_seq;
  return PageFrom{std::move(page), std::move(walked.next)};
}

Result<WalkedTo> LogReader::walk(const ReadPosition& from, const WalkVisitor& visit) {
  if (first_.unsealed) {
    LOGWOOD_TRY(PageFrom all, read(from, static_cast<std::size_t>(-1)));
    for (const Entry& entry : all.page.entries)
      visit({entry.text, find_place(entry.text), entry.seq, entry.flagged});
    return WalkedTo{std::move(all.next), std::move(all.page.problems)};
  }
  std::vector<Problem> unreadable;
  std::uint64_t last_seq = from.seq;
  LOGWOOD_TRY(
      WalkedTo walked,
      walk_lines(from, [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
        last_seq = line.seq;
        const EntryPlace place = find_place(text);
        if (place.id.empty()) {
          unreadable.push_back(not_an_entry(line));
        } else {
          visit({text, place, line.seq, line.flagged});
        }
        return Going::on;
      }));
  walked.problems.insert(walked.problems.end(), unreadable.begin(), unreadable.end());
  if (first_.renamed) walked.problems.push_back(renamed_problem());
  walked.next.seq = last_seq;
  return walked;
}

namespace {

ReadPosition end_of_index(const IndexHeader& index) {
  const Boundary boundary = index.boundary();
  return {index.last_seq, boundary.start.last_seq, boundary.start.end, boundary.next_line,
          std::string(format::view(boundary.start.link))};
}

}  // namespace

// From where the index ends: what comes before it need not be read.
Result<ReadPosition> LogReader::end() {
  ReadPosition from;
  if (!first_.unsealed) {
    LOGWOOD_TRY(const auto known, index());
    if (known) from = end_of_index(*known);
  }
  LOGWOOD_TRY(WalkedTo walked, walk(from, [](const WalkedEntry&) {}));
  return std::move(walked.next);
}

Result<BackwardEnd> LogReader::read_back(const BackwardVisit& visit) {
  if (first_.unsealed) {
    LOGWOOD_TRY(PageFrom all, read({}, static_cast<std::size_t>(-1)));
    visit.begin();
    std::vector<Entry>& entries = all.page.entries;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (visit.wants(find_place(entry->text)) && !visit.take(std::move(*entry))) break;
    }
    return BackwardEnd{true, std::move(all.page.problems)};
  }
  LOGWOOD_TRY(io::FileStatus now, file_status());
  // A last line without its end counts only while nobody writes, as it does when
  // reading forwards.
  std::optional<SharedLock> at_rest;
  LOGWOOD_TRY(const LineEnd line_end, LineEnd::before(*file_, now.size_bytes));
  if (!line_end.view().ends_with('\n') && !LOGWOOD_SEEDED(last_line_forgotten) &&
      file_->lock(io::LockKind::shared, std::chrono::milliseconds(0))) {
    at_rest.emplace(*file_);
    LOGWOOD_TRY(now, file_status());
  }
  std::optional<format::Anchor> anchor;
  const auto index = read_index_header(*files_, names_.index);
  if (index && describes(*index, *file_, now)) anchor = {index->end, index->last_seq, index->link};

  visit.begin();
  bool readable = true;
  Result<> failed;
  std::vector<Problem> problems;
  LOGWOOD_TRY(const format::TailEnd end,
              format::walk_back(
                  reader_of(*file_), now.size_bytes, first_.session_id, anchor,
                  at_rest ? format::AtRest::yes : format::AtRest::no,
                  [&](std::vector<format::TailLine>&& batch) {
                    for (auto line = batch.rbegin(); line != batch.rend(); ++line) {
                      const EntryPlace place = find_place(line->text);
                      if (!place.id.empty() && !visit.wants(place)) continue;
                      auto entry = entry_in(line->place, std::move(line->text),
                                            needs_long_strings(visit, place), problems);
                      if (!entry) failed = std::move(entry).error();
                      readable = entry && entry->has_value();
                      if (!readable || !visit.take(**std::move(entry))) return false;
                    }
                    return true;
                  },
                  visit.expected_bytes));
  at_rest.reset();
  LOGWOOD_CHECK(failed);
  if (end == format::TailEnd::irregular || !readable) return read_back_after_walking(visit);
  return BackwardEnd{anchor.has_value() || end == format::TailEnd::start, std::move(problems)};
}

// The long way, for a session whose end is irregular: everything is walked, and what
// was found is read once more, newest first.
Result<BackwardEnd> LogReader::read_back_after_walking(const BackwardVisit& visit) {
  std::vector<format::PlacedLine> lines;
  LOGWOOD_TRY(
      WalkedTo walked,
      walk_lines({}, [&](const format::PlacedLine& line, std::string_view) -> Result<Going> {
        lines.push_back(line);
        return Going::on;
      }));
  visit.begin();
  const format::ReadAt read_at = reader_of(*file_);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    std::string text(line->size, ' ');
    LOGWOOD_TRY(const std::size_t got, read_at(line->offset, text));
    if (got != text.size()) {
      return Error{ErrorCode::unavailable, "the file became shorter while it was read; read again"};
    }
    const EntryPlace place = find_place(text);
    if (place.id.empty()) {
      walked.problems.push_back(not_an_entry(*line));
      continue;
    }
    if (!visit.wants(place)) continue;
    LOGWOOD_TRY(auto entry, entry_in(*line, std::move(text), needs_long_strings(visit, place),
                                     walked.problems));
    if (!entry) {
      walked.problems.push_back(not_an_entry(*line));
      continue;
    }
    if (entry->flagged) {
      LOGWOOD_TRY(const bool superseded, is_superseded(entry->id, entry->seq));
      if (superseded && !LOGWOOD_SEEDED(superseded_returned)) continue;
    }
    if (!visit.take(*std::move(entry))) break;
  }
  if (first_.renamed) walked.problems.push_back(renamed_problem());
  return BackwardEnd{true, std::move(walked.problems)};
}

Result<std::optional<Entry>> LogReader::find(const EntryId& id) {
  if (first_.unsealed) return find_unsealed(*file_, id);
  LOGWOOD_TRY(SessionState * known, state());
  LOGWOOD_TRY(auto found, known->locate(*file_, id));
  if (!found) return std::optional<Entry>();
  const std::string_view stored = found->entry.text;
  LOGWOOD_TRY(RestoredText whole, restored(stored.substr(0, stored.size() - 1)));
  LOGWOOD_TRY(Entry entry, parse_entry(std::move(whole.text)));
  entry.incomplete = !whole.complete;
  entry.seq = found->seq;
  entry.erased = found->entry.erased;
  return std::optional(std::move(entry));
}

// What the index says; nothing where there is none of this file.
Result<std::optional<IndexHeader>> LogReader::index() {
  LOGWOOD_TRY(const io::FileStatus now, file_status());
  auto header = read_index_header(*files_, names_.index);
  if (header && !describes(*header, *file_, now)) header.reset();
  return header;
}

// Those that the index knows of, without walking; false where it does not tell.
Result<bool> LogReader::redactions_of_index(Redactions& found, ReadPosition& until) {
  LOGWOOD_TRY(const auto known, index());
  if (!known) return false;
  if (known->redaction_count > 0) {
    const auto records = read_index_records(*files_, names_.index, *known);
    if (!records) return false;
    for (const IndexRecord& record : *records) {
      if (record.is_redaction == 0) continue;
      LOGWOOD_TRY(const auto line,
                  read_line(*file_, first_.session_id, {record.offset, record.size}));
      if (!line) return false;
      found.take(*line);
    }
  }
  until = end_of_index(*known);
  return true;
}

Result<std::shared_ptr<const Redactions>> LogReader::redactions() {
  auto found = std::make_shared<Redactions>();
  ReadPosition from = redactions_until_;
  bool has_new = !redactions_;
  if (!redactions_ && !first_.unsealed) {
    LOGWOOD_TRY(const bool told, redactions_of_index(*found, from));
    if (!told) {
      *found = {};
      from = {};
    }
  }
  LOGWOOD_TRY(WalkedTo walked, walk(from, [&](const WalkedEntry& entry) {
                if (entry.flagged || !entry.place.is_redaction) return;
                if (!has_new) *found = *redactions_;
                has_new = true;
                found->take(entry.text);
              }));
  redactions_until_ = std::move(walked.next);
  if (has_new) redactions_ = std::move(found);
  return redactions_;
}

Result<SessionStatus> LogReader::status() {
  SessionStatus status;
  status.header = first_.header_or_name();
  status.archived = archived_;
  status.read_only = archived_ ? archived_text(session_) : first_.read_only;
  if (first_.unsealed) {
    LOGWOOD_TRY(const UnsealedEnds ends, ends_of_unsealed(*file_));
    status.tail = ends.tail;
    status.head = ends.head;
    return status;
  }
  LOGWOOD_TRY(SessionState * known, state());
  status.tail = known->tail();
  status.head = known->head();
  if (status.read_only.empty() && known->fold().is_newer()) {
    status.read_only = "the session holds lines of a newer format; use a newer logwood";
  }
  if (status.read_only.empty() && !known->has_lines()) {
    status.read_only = "the file holds no whole line, so it is no session";
  }
  return status;
}

}  // namespace logwood::storage::jsonl
