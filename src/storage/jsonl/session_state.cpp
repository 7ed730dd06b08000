#include "storage/jsonl/session_state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/random_bytes.hpp"
#include "base/seeded_bugs.hpp"
#include "format/seal.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"
#include "storage/jsonl/line_ends.hpp"

namespace logwood::storage::jsonl {
namespace {

SipKey new_key() {
  std::array<std::uint8_t, sizeof(SipKey)> bytes{};
  fill_random(bytes);
  SipKey key{};
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(key.data()));
  return key;
}

}  // namespace

Result<std::optional<std::string>> read_line(const io::File& file, std::string_view session_id,
                                             const LineRef& where) {
  if (where.size > format::line_size_max) return std::optional<std::string>();
  std::string text(static_cast<std::size_t>(where.size), '\0');
  LOGWOOD_TRY(const std::size_t got,
              file.read_at(where.offset, std::span(text.data(), text.size())));
  if (got != text.size() || !format::parse_sealed(session_id, text))
    return std::optional<std::string>();
  return std::optional(std::move(text));
}

SessionState::SessionState(io::FileSystem& files, SessionNames names, std::string session_id)
    : files_(&files),
      names_(std::move(names)),
      session_id_(std::move(session_id)),
      fold_(session_id_),
      ids_(new_key()) {}

Result<SessionState> SessionState::load(io::FileSystem& files, const SessionNames& names,
                                        std::string_view session_id, io::File& file,
                                        const io::FileStatus& status, const WalkOptions& options) {
  SessionState state(files, names, std::string(session_id));
  state.identity_ = status.identity;
  if (!state.begin_from_index(file, status)) {
    state = SessionState(files, names, std::string(session_id));
    state.identity_ = status.identity;
  }
  LOGWOOD_CHECK(state.walk(file, options));
  return state;
}

bool SessionState::begin_from_index(io::File& file, const io::FileStatus& status) {
  const auto header = read_index_header(*files_, names_.index);
  if (!header || !describes(*header, file, status)) return false;
  if (header->tail.size > 0) {
    const auto line = read_line(file, session_id_, header->tail);
    if (!line || !*line) return false;
    tail_ = EntryId{std::string(find_place(**line).id)};
  }
  if (header->head.size > 0) {
    const auto line = read_line(file, session_id_, header->head);
    if (!line || !*line || !take_head_line(**line)) return false;
  }
  tail_line_ = header->tail;
  head_line_ = header->head;
  boundary_ = header->boundary();
  end_ = header->end;
  ids_ = IdIndex(header->key, header->record_count);
  redaction_count_ = header->redaction_count;
  saved_ = header;
  return true;
}

// A tree entry is the head; a head mark names it. False for any other line.
bool SessionState::take_head_line(std::string_view text) {
  const EntryPlace place = find_place(text);
  if (place.kind == EntryKind::tree) {
    head_ = EntryId{std::string(place.id)};
    return true;
  }
  const auto target = place.moves_head ? head_target(text) : std::nullopt;
  if (!target) return false;
  head_ = *target;
  return true;
}

Result<bool> SessionState::advance(io::File& file, const io::FileStatus& status,
                                   const WalkOptions& options) {
  const bool continues =
      status.identity == identity_ && status.size_bytes >= boundary_.start.end &&
      boundary_.start.end == fold_.committed_end() &&
      ends_with_link(file, boundary_.start.end, format::view(boundary_.start.link));
  if (!continues) return false;
  LOGWOOD_CHECK(walk(file, options));
  return true;
}

Result<> SessionState::walk(io::File& file, const WalkOptions& options) {
  LOGWOOD_TRY(Walked walked, walk_forward(file, session_id_, boundary_, options,
                                          [&](const format::PlacedLine& line,
                                              std::string_view text) -> Result<Going> {
                                            take(line, text);
                                            return Going::on;
                                          }));
  boundary_ = walked.boundary;
  fold_ = std::move(walked.fold);
  // A line that was taken although it follows another one than we have, or lines
  // that were not taken because their place was: a walk backwards could take what
  // stands there for the session.
  chain_is_broken_ =
      chain_is_broken_ || fold_.problem_count() > fold_.problems().size() ||
      std::any_of(fold_.problems().begin(), fold_.problems().end(), [](const Problem& problem) {
        return problem.kind == ProblemKind::out_of_chain || problem.kind == ProblemKind::repeated;
      });
  end_ = walked.end;
  return {};
}

void SessionState::take(const format::PlacedLine& line, std::string_view text) {
  if (line.flagged && !LOGWOOD_SEEDED(flagged_are_known))
    return;  // sound, but of a batch that does not exist
  const EntryPlace place = find_place(text);
  if (place.id.empty()) return;
  const EntryId id{std::string(place.id)};
  IndexRecord record;
  record.offset = line.offset;
  record.size = line.size;
  record.kind = place.kind;
  record.is_tombstone = line.is_tombstone ? 1 : 0;
  record.is_redaction = place.is_redaction ? 1 : 0;
  redaction_count_ += record.is_redaction;
  ids_.add(id, place.parent_id, record);
  if ((place.kind == EntryKind::tree || place.moves_head) && take_head_line(text)) {
    head_line_ = {line.offset, line.size};
  }
  if (place.kind == EntryKind::tree || place.moves_head) {
    tail_ = id;
    tail_line_ = {line.offset, line.size};
  }
}

Result<std::optional<KnownEntry>> SessionState::find(io::File& file, const EntryId& id) {
  LOGWOOD_TRY(auto found, locate(file, id));
  if (!found) return std::optional<KnownEntry>();
  return std::optional(std::move(found->entry));
}

Result<std::optional<SessionState::Found>> SessionState::locate(io::File& file, const EntryId& id,
                                                                std::uint64_t other_than) {
  LOGWOOD_CHECK(fill_ids(file));
  for (const IndexRecord& record : ids_.candidates(id.text)) {
    LOGWOOD_TRY(const auto text, read_line(file, session_id_, {record.offset, record.size}));
    if (!text) continue;
    const auto line = format::parse_sealed(session_id_, *text);
    if (find_place(*text).id != id.text || line->seq == other_than) continue;
    return std::optional(
        Found{{std::string(line->body) + '}', record.kind, line->is_tombstone}, line->seq});
  }
  return std::optional<Found>();
}

// Reads the records that were left in the index file. If they are not intact,
// walks the stretch they stand for.
Result<> SessionState::fill_ids(io::File& file) {
  if (ids_.missing() == 0) return {};
  if (auto records = read_index_records(*files_, names_.index, *saved_)) {
    ids_.fill(*std::move(records));
    return {};
  }
  SessionState again(*files_, names_, session_id_);
  WalkOptions options;
  options.locked = true;
  const std::uint64_t until = saved_->end;
  LOGWOOD_CHECK(
      walk_forward(file, session_id_, {}, options,
                   [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                     if (line.offset >= until) return Going::stop;
                     again.take(line, text);
                     return Going::on;
                   }));
  for (const IndexRecord& record : ids_.from(ids_.missing())) {
    const auto line = read_line(file, session_id_, {record.offset, record.size});
    if (!line) return line.error();
    if (!*line) continue;
    const EntryPlace place = find_place(**line);
    again.ids_.add({std::string(place.id)}, place.parent_id, record);
  }
  ids_ = std::move(again.ids_);
  redaction_count_ = 0;
  for (const IndexRecord& record : ids_.from(0)) redaction_count_ += record.is_redaction;
  saved_.reset();
  return {};
}

void SessionState::append(const AppendPlan& plan, std::uint64_t offset,
                          const std::vector<std::uint32_t>& line_sizes, const format::Link& link) {
  const std::uint64_t seq = fold_.next_seq() + plan.entries.size() - 1;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const PlannedEntry& entry = plan.entries[i];
    IndexRecord record;
    record.offset = offset;
    record.size = line_sizes[i];
    record.kind = entry.kind;
    record.is_redaction = entry.is_redaction ? 1 : 0;
    redaction_count_ += record.is_redaction;
    ids_.add(entry.id,
             entry.parent_id ? std::string_view(entry.parent_id->text) : std::string_view(),
             record);
    if (entry.kind == EntryKind::tree || entry.moves_head) {
      head_line_ = tail_line_ = {offset, line_sizes[i]};
    }
    offset += line_sizes[i] + 1;
  }
  tail_ = plan.tail;
  head_ = plan.head;
  boundary_.start = {seq, link, offset};
  boundary_.next_line += plan.entries.size();
  fold_.restart(boundary_.start);
  end_ = offset;
}

std::uint64_t SessionState::unsaved() const {
  const std::uint64_t saved = saved_ ? saved_->record_count : 0;
  return ids_.size() - std::min(saved, ids_.size());
}

void SessionState::save_index() {
  if (!is_clean() || chain_is_broken_) return;
  IndexHeader header;
  header.identity = identity_;
  header.end = boundary_.start.end;
  header.last_seq = boundary_.start.last_seq;
  header.next_line = boundary_.next_line;
  header.link = boundary_.start.link;
  header.tail = tail_line_;
  header.head = head_line_;
  header.redaction_count = redaction_count_;
  if (auto written = write_index(*files_, names_.index, header, ids_, saved_)) saved_ = *written;
}

}  // namespace logwood::storage::jsonl
