#include "storage/postgres/session_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "format/pieces.hpp"
#include "storage/line_problems.hpp"
#include "storage/no_session.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

// Of a session that is not longer, some lines at a time may be held, whichever are the long ones.
constexpr std::uint64_t kept_bytes_max = 64U << 20U;

bool needs_long_strings(const BackwardVisit& visit, const EntryPlace& place) {
  return !visit.needs_long_strings || visit.needs_long_strings(place);
}

}  // namespace

format::PlacedLine place_in_database(const format::SealedLine& line) {
  format::PlacedLine place;
  place.line_number = line.seq;
  place.seq = line.seq;
  place.size = static_cast<std::uint32_t>(line.text.size());
  place.body_size = static_cast<std::uint32_t>(line.body.size());
  place.place = line.place;
  place.count = line.count;
  place.is_tombstone = line.is_tombstone;
  return place;
}

Tail tail_in(const PgRows& rows) {
  Tail tail;
  tail.session = rows.integer(0, 0);
  tail.seq = rows.number(0, 1);
  tail.link = rows.text(0, 2);
  tail.size_bytes = rows.number(0, 3);
  if (auto id = rows.optional_text(0, 4)) tail.tail = EntryId{*std::move(id)};
  if (auto id = rows.optional_text(0, 5)) tail.head = EntryId{*std::move(id)};
  tail.archived = rows.boolean(0, 6);
  tail.header = rows.text(0, 7);
  return tail;
}

std::optional<std::string> blob_in(const PgRows& rows, const BlobRef& ref) {
  if (rows.empty()) return std::nullopt;
  std::string bytes = rows.text(0, 1);
  if (bytes.size() != ref.length || to_hex(sha256({bytes})) != ref.hash) return std::nullopt;
  return bytes;
}

// Goes on after the last row that came when a connection is lost.
Result<> SessionReader::rows_after(std::uint64_t seq, std::size_t limit, const RowVisitor& visit) {
  std::size_t left = std::min(limit, all_of_it);
  std::optional<Error> of_visitor;
  const RowVisitor told = [&](std::uint64_t row_seq, std::string_view line) -> Result<Going> {
    auto going = visit(row_seq, line);
    if (!going) of_visitor = going.error();
    return going;
  };
  for (int attempts_left = 1;; --attempts_left) {
    LOGWOOD_TRY(Lease connection, database_.lease());
    const bool at_once = tail_.size_bytes <= kept_bytes_max && connection->can_ask();
    const auto done = at_once ? fetch_rows(*connection, seq, left, told)
                              : stream_rows(*connection, seq, left, told);
    if (done || of_visitor || done.error().code != ErrorCode::unavailable || attempts_left == 0) {
      return done;
    }
  }
}

// One by one: nothing is kept of a session of any size.
Result<> SessionReader::stream_rows(PgConnection& connection, std::uint64_t& seq, std::size_t& left,
                                    const RowVisitor& visit) {
  PgValues values = database_.values();
  values.int8(tail_.session).int8(seq).int8(static_cast<std::uint64_t>(left));
  return connection.stream(sql::lines_after, values, database_.patience(),
                           [&](const PgRows& row) -> Result<bool> {
                             seq = row.number(0, 0);
                             --left;
                             LOGWOOD_TRY(const Going going, visit(seq, row.view(0, 1)));
                             return going == Going::on;
                           });
}

// Some at a time, and the next are asked for before these are looked at: the server and this
// process work at the same time.
Result<> SessionReader::fetch_rows(PgConnection& connection, std::uint64_t& seq, std::size_t& left,
                                   const RowVisitor& visit) {
  constexpr std::uint64_t bytes_at_once = 256U << 10U;
  const std::uint64_t average = tail_.size_bytes / std::max<std::uint64_t>(tail_.seq, 1) + 1;
  const std::size_t most = std::clamp<std::size_t>(bytes_at_once / average, 32, 1000);
  const auto ask = [&](std::size_t count) {
    PgValues values = database_.values();
    values.int8(tail_.session).int8(seq).int8(static_cast<std::uint64_t>(count));
    return connection.ask(sql::lines_after, values, database_.deadline());
  };
  std::size_t asked_for = std::min(most, left);
  LOGWOOD_CHECK(ask(asked_for));
  while (true) {
    LOGWOOD_TRY(const PgRows rows, connection.answer(database_.deadline()));
    const auto count = static_cast<std::size_t>(rows.count());
    left -= std::min(left, count);
    const bool goes_on = count == asked_for && left > 0;
    if (goes_on) {
      seq = rows.number(rows.count() - 1, 0);
      asked_for = std::min(most, left);
      LOGWOOD_CHECK(ask(asked_for));
    }
    for (int row = 0; row < rows.count(); ++row) {
      const auto going = visit(rows.number(row, 0), rows.view(row, 1));
      if (going && *going == Going::on) continue;
      if (goes_on) (void)connection.answer(database_.deadline());
      return going ? Result<>() : Result<>(going.error());
    }
    if (!goes_on) return {};
  }
}

// False: something is not as it should be, and what was told is not all there is to tell.
Result<bool> SessionReader::lines_after(std::uint64_t seq, std::size_t limit,
                                        const LineVisitor& visit) {
  bool is_regular = true;
  bool is_stopped = false;
  std::uint64_t last = seq;
  LOGWOOD_CHECK(
      rows_after(seq, limit, [&](std::uint64_t row_seq, std::string_view text) -> Result<Going> {
        const auto line = format::parse_sealed(session_.text, text);
        if (!line || line->seq != row_seq || row_seq != last + 1) {
          is_regular = false;
          return Going::stop;
        }
        last = row_seq;
        LOGWOOD_TRY(const Going going, visit(place_in_database(*line), text));
        is_stopped = going == Going::stop;
        return going;
      }));
  if (is_regular && !is_stopped && last < tail_.seq && last - seq < limit) is_regular = false;
  return is_regular;
}

// Everything from the first line on, as a session file is read. Rows have no line ends, and each is
// a line whatever is in it.
Result<format::Fold> SessionReader::fold(format::Chain chain, const LineVisitor& visit) {
  format::Fold fold(session_.text);
  fold.set_chain(chain);
  struct Row {
    std::uint64_t offset;
    std::string text;
  };
  std::vector<Row> waiting;  // of batches that are not whole yet
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  std::optional<Error> failure;
  bool is_stopped = false;
  LOGWOOD_CHECK(
      rows_after(0, all_of_it, [&](std::uint64_t, std::string_view text) -> Result<Going> {
        format::PhysicalLine line;
        line.offset = offset;
        line.end = offset + text.size() + 1;
        line.number = ++number;
        line.text = text;
        line.ended = true;
        const auto text_of = [&](const format::PlacedLine& placed) -> std::string_view {
          if (placed.offset >= line.offset)
            return text.substr(placed.offset - line.offset, placed.size);
          for (const Row& row : waiting) {
            if (placed.offset >= row.offset && placed.offset < row.offset + row.text.size()) {
              return std::string_view(row.text).substr(placed.offset - row.offset, placed.size);
            }
          }
          return {};
        };
        format::cut_line(session_.text, line, [&](const format::Piece& piece) {
          if (failure || is_stopped) return;
          fold.take(piece);
          for (const format::PlacedLine& ready : fold.ready()) {
            const auto going = visit(ready, text_of(ready));
            if (!going) failure = going.error();
            if (failure || *going == Going::stop) {
              is_stopped = true;
              return;
            }
          }
        });
        if (failure) return *failure;
        if (is_stopped) return Going::stop;
        if (fold.has_hole()) {
          waiting.push_back({line.offset, std::string(text)});
        } else {
          waiting.clear();
        }
        offset = line.end;
        return Going::on;
      }));
  return fold;
}

// What the session's row says and no line does: lines at the end that were taken away.
void SessionReader::tell_missing_end(const format::Fold& fold,
                                     std::vector<Problem>& problems) const {
  if (fold.last_seq() >= tail_.seq) return;
  problems.push_back({ProblemKind::missing, fold.committed_end(), 0, fold.last_seq() + 1, tail_.seq,
                      GapCause::corruption});
}

// `begin` is called before the first line, and once more when the lines so far do not count.
Result<std::vector<Problem>> SessionReader::walk_lines(const ReadPosition& from, std::size_t limit,
                                                       const LineVisitor& visit,
                                                       const std::function<void()>& begin) {
  begin();
  LOGWOOD_TRY(const bool is_regular, lines_after(from.seq, limit, visit));
  std::vector<Problem> problems;
  if (is_regular) return problems;
  begin();
  bool is_stopped = false;
  LOGWOOD_TRY(
      const format::Fold fold,
      this->fold(format::Chain::verify,
                 [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                   if (line.seq <= from.seq) return Going::on;
                   LOGWOOD_TRY(const Going going, visit(line, text));
                   is_stopped = going == Going::stop;
                   return going;
                 }));
  take_problems(fold, problems);
  if (!is_stopped) tell_missing_end(fold, problems);
  return problems;
}

Result<std::optional<std::string>> SessionReader::read_blob(const BlobRef& ref) {
  PgValues values = database_.values();
  const std::string_view hash = ref.hash;
  values.int8(tail_.session).texts({&hash, 1});
  LOGWOOD_TRY(const PgRows rows, database_.read(sql::blobs_of, values));
  return blob_in(rows, ref);
}

Result<RestoredText> SessionReader::restore(std::string_view body) {
  return restore_text(body, [this](const BlobRef& ref) { return read_blob(ref); });
}

Result<std::optional<Entry>> SessionReader::entry_in(const format::PlacedLine& line,
                                                     std::string text, bool with_long_strings,
                                                     std::vector<Problem>& problems) {
  RestoreText restored;
  if (with_long_strings) restored = [this](std::string_view body) { return restore(body); };
  return entry_in_line(line, std::move(text), restored, problems);
}

Result<PageFrom> SessionReader::read(const ReadPosition& from, std::size_t limit) {
  PageFrom result;
  std::vector<Problem> unreadable;
  const std::size_t one_more = limit == static_cast<std::size_t>(-1) ? limit : limit + 1;
  const auto begin = [&] {
    result = {};
    result.next.seq = from.seq;
    unreadable.clear();
  };
  LOGWOOD_TRY(result.page.problems,
              walk_lines(
                  from, one_more,
                  [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                    if (result.page.entries.size() == limit) {
                      result.page.has_more = true;
                      return Going::stop;
                    }
                    LOGWOOD_TRY(auto entry, entry_in(line, std::string(text), true, unreadable));
                    if (!entry) {
                      unreadable.push_back(not_an_entry(line));
                      return Going::on;
                    }
                    result.next.seq = line.seq;
                    result.page.entries.push_back(*std::move(entry));
                    return Going::on;
                  },
                  begin));
  result.page.problems.insert(result.page.problems.end(), unreadable.begin(), unreadable.end());
  return result;
}

Result<WalkedTo> SessionReader::walk(const ReadPosition& from, const WalkVisitor& visit) {
  WalkedTo walked;
  std::vector<Problem> unreadable;
  std::uint64_t told = from.seq;  // a visitor is told nothing twice
  walked.next.seq = from.seq;
  LOGWOOD_TRY(walked.problems,
              walk_lines(
                  from, all_of_it,
                  [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                    walked.next.seq = std::max(walked.next.seq, line.seq);
                    if (line.seq <= told && !line.flagged) return Going::on;
                    told = std::max(told, line.seq);
                    const EntryPlace place = find_place(text);
                    if (place.id.empty()) {
                      unreadable.push_back(not_an_entry(line));
                    } else {
                      visit({text, place, line.seq, line.flagged});
                    }
                    return Going::on;
                  },
                  [] {}));
  walked.problems.insert(walked.problems.end(), unreadable.begin(), unreadable.end());
  return walked;
}

// Nothing: the end of the session is irregular.
Result<std::optional<BackwardEnd>> SessionReader::read_regular_back(const BackwardVisit& visit,
                                                                    PgRows newest,
                                                                    std::size_t asked_for) {
  constexpr std::size_t at_once_max = 1000;
  BackwardEnd end;
  end.anchored = true;  // the session's row is where it ends
  // Something may have been appended between the two looks.
  if (!newest.empty()) tail_.seq = std::max(tail_.seq, newest.number(0, 0));
  std::uint64_t before = tail_.seq + 1;
  while (true) {
    for (int row = 0; row < newest.count(); ++row) {
      const std::string_view text = newest.view(row, 1);
      const auto line = format::parse_sealed(session_.text, text);
      if (!line || line->seq != newest.number(row, 0) || line->seq != before - 1) {
        return std::optional<BackwardEnd>();
      }
      before = line->seq;
      const EntryPlace place = find_place(text);
      if (!place.id.empty() && !visit.wants(place)) continue;
      LOGWOOD_TRY(auto entry, entry_in(place_in_database(*line), std::string(text),
                                       needs_long_strings(visit, place), end.problems));
      if (!entry) return std::optional<BackwardEnd>();
      if (!visit.take(*std::move(entry))) return std::optional(std::move(end));
    }
    if (static_cast<std::size_t>(newest.count()) < asked_for) break;
    asked_for = std::min(asked_for * 2, at_once_max);
    PgValues values = database_.values();
    values.int8(tail_.session).int8(before).int8(static_cast<std::uint64_t>(asked_for));
    LOGWOOD_TRY(newest, database_.read(sql::lines_before, values));
  }
  return before == 1 ? std::optional(std::move(end)) : std::optional<BackwardEnd>();
}

Result<BackwardEnd> SessionReader::read_back(Database& database, const SessionId& session,
                                             const BackwardVisit& visit) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  // Entries of agents average below 2 KB.
  constexpr std::size_t usual_bytes = 2048;
  constexpr std::size_t at_once_max = 1000;
  const std::size_t asked_for = std::clamp<std::size_t>(
      visit.expected_entries > 0 ? visit.expected_entries : visit.expected_bytes / usual_bytes, 16,
      at_once_max);
  PgValues which = database.values();
  which.text(session.text);
  PgValues newest = database.values();
  newest.text(session.text).int8(static_cast<std::uint64_t>(asked_for));
  LOGWOOD_TRY(PgConnection::Two both,
              database.read_both(sql::find_session, which, sql::newest_lines, newest));
  if (both.first.empty()) return no_session(session);
  SessionReader reader(database, session, tail_in(both.first));
  visit.begin();
  LOGWOOD_TRY(auto end, reader.read_regular_back(visit, std::move(both.second), asked_for));
  if (end) return *std::move(end);
  return reader.read_back_after_fold(visit);
}

Result<BackwardEnd> SessionReader::read_back_after_fold(const BackwardVisit& visit) {
  std::vector<format::PlacedLine> lines;
  LOGWOOD_TRY(const format::Fold fold,
              this->fold(format::Chain::verify,
                         [&](const format::PlacedLine& line, std::string_view) -> Result<Going> {
                           lines.push_back(line);
                           return Going::on;
                         }));
  BackwardEnd end;
  end.anchored = true;
  take_problems(fold, end.problems);
  tell_missing_end(fold, end.problems);
  visit.begin();
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    PgValues values = database_.values();
    values.int8(tail_.session).int8(line->seq);
    LOGWOOD_TRY(const PgRows rows, database_.read(sql::line_at, values));
    if (rows.empty()) continue;
    std::string text = rows.text(0, 0);
    const EntryPlace place = find_place(text);
    if (!place.id.empty() && !visit.wants(place)) continue;
    LOGWOOD_TRY(auto entry,
                entry_in(*line, std::move(text), needs_long_strings(visit, place), end.problems));
    if (!entry) {
      end.problems.push_back(not_an_entry(*line));
      continue;
    }
    if (!visit.take(*std::move(entry))) break;
  }
  return end;
}

Result<std::optional<Entry>> SessionReader::find(const EntryId& id) {
  PgValues values = database_.values();
  const std::string_view wanted = id.text;
  values.int8(tail_.session).texts({&wanted, 1});
  LOGWOOD_TRY(const PgRows rows, database_.read(sql::lines_of_ids, values));
  if (rows.empty()) return std::optional<Entry>();
  const auto line = format::parse_sealed(session_.text, rows.view(0, 2));
  if (!line) return std::optional<Entry>();
  std::vector<Problem> problems;  // the entry says that it is incomplete
  return entry_in(place_in_database(*line), rows.text(0, 2), true, problems);
}

Result<Redactions> SessionReader::redactions() {
  PgValues values = database_.values();
  values.int8(tail_.session);
  LOGWOOD_TRY(const PgRows rows, database_.read(sql::redactions, values));
  Redactions found;
  for (int row = 0; row < rows.count(); ++row) {
    if (format::parse_sealed(session_.text, rows.view(row, 0))) found.take(rows.view(row, 0));
  }
  return found;
}

}  // namespace logwood::storage::postgres
