#include "storage/agents/agent_scan.hpp"

#include <utility>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "model/header.hpp"

namespace logwood::storage::agents {
namespace {

// Before the state of the reading, where the last line had no line break yet.
constexpr std::string_view unended_mark = "+";

constexpr std::uint64_t document_size_max = 512U << 20U;

// No place of a document is one to go on from when it has changed: beyond the end of any file.
constexpr std::uint64_t nowhere = std::uint64_t{1} << 62U;

// An id by the words, so that another title is another mark.
std::string title_mark(const std::string& timestamp, const std::string& title) {
  const std::string id = "title-" + to_hex(sha256({title})).substr(0, 16);
  return Draft::of({.type = "session_info",
                    .payload = "{\"title\":" + json_quoted(title) + "}",
                    .id = EntryId{id},
                    .parent = Parent::root(),
                    .timestamp = timestamp})
      .text;
}

}  // namespace

AgentScan::AgentScan(const AgentLines& lines, const SessionHeader& header, std::string title,
                     exchange::Carry carry)
    : lines_(lines),
      header_(header),
      title_(std::move(title)),
      reading_(lines.format(), lines.head(), carry) {
  // Who goes through a session wants no other files.
  if (carry == exchange::Carry::lines) reading_.read_spilled_with(lines.spilled());
}

bool AgentScan::go_on_from(const ReadPosition& position) {
  if (position.seq == 0) return true;
  if (lines_.is_document()) {
    told_before_ = position.seq;
    return true;
  }
  std::string_view state = position.link;
  is_unended_ = state.starts_with(unended_mark);
  if (is_unended_) state.remove_prefix(unended_mark.size());
  if (!reading_.go_on_from(state)) return false;
  seq_ = position.seq;
  offset_ = position.offset;
  next_line_ = position.next_line;
  if (offset_ > 0) file_id_ = lines_.spot(offset_ - 1).file_id;
  return true;
}

void AgentScan::tell(std::string_view text, const ScanVisitor& visit) {
  ++seq_;
  if (seq_ > told_before_) visit({text, find_place(text), seq_});
}

Result<> AgentScan::read_document() {
  if (lines_.size_bytes() > document_size_max) {
    return Error{ErrorCode::unsupported, "the file is read as a whole, and is longer than 512 MiB"};
  }
  document_.resize(lines_.size_bytes());
  LOGWOOD_TRY(const std::size_t got, lines_.bytes()(0, document_));
  document_.resize(got);
  lines_.format().split(document_, [&](const exchange::Piece& piece) { pieces_.push_back(piece); });
  return {};
}

Result<bool> AgentScan::next_piece(const ScanVisitor& visit) {
  if (next_piece_ == 0) LOGWOOD_CHECK(read_document());
  if (next_piece_ == pieces_.size()) return false;
  const exchange::Piece& piece = pieces_[next_piece_++];
  exchange::Line line;
  line.text = piece.text;
  line.json = piece.json;
  line.offset = static_cast<std::uint64_t>(piece.text.data() - document_.data());
  line.number = next_piece_;
  line.has_end = false;
  line.is_oversize = piece.text.size() > format::line_size_max;
  const auto told = [&](std::string_view text) { tell(text, visit); };
  if (piece.is_superseded || piece.json.empty()) {
    reading_.take_aside(line, told);
  } else {
    reading_.take(line, told);
  }
  return true;
}

Result<bool> AgentScan::next(const ScanVisitor& visit) {
  if (seq_ == 0) {
    tell(header_body(header_) + '}', visit);
    if (!title_.empty()) tell(title_mark(header_.created, title_), visit);
    return true;
  }
  if (lines_.is_document()) return next_piece(visit);
  if (reader_ == nullptr) {
    reader_ = std::make_unique<format::LineReader>(lines_.bytes(),
                                                   format::LinePosition{offset_, next_line_});
  }
  LOGWOOD_TRY(const auto physical, reader_->next());
  if (!physical) return false;
  if (std::exchange(is_unended_, false) && physical->text.empty() && physical->ended) {
    offset_ = physical->end;  // the line break of the line before
    return true;
  }
  const AgentLines::Spot spot = lines_.spot(physical->offset);
  if (file_id_ == nullptr || *file_id_ != *spot.file_id) reading_.begin_file(*spot.file_id);
  file_id_ = spot.file_id;
  exchange::Line line;
  line.text = physical->text;
  line.offset = spot.offset;
  line.number = physical->number;
  line.has_end = physical->ended;
  line.is_oversize = physical->oversize;
  if (*spot.file_id != lines_.head().file_id) line.other_file = *spot.file_id;
  // What is still being written is looked at again when there is more of it.
  const bool is_whole = physical->ended || check_json(line.text);
  reading_.take(line, [&](std::string_view text) {
    if (is_whole) tell(text, visit);
  });
  if (!is_whole) return false;
  offset_ = physical->end;
  next_line_ = physical->number + 1;
  is_unended_ = !physical->ended;
  return true;
}

ReadPosition AgentScan::position() const {
  ReadPosition position;
  position.seq = seq_;
  position.boundary_seq = seq_;
  position.offset = lines_.is_document() ? nowhere : offset_;
  position.next_line = next_line_;
  position.link = (is_unended_ ? std::string(unended_mark) : std::string()) + reading_.state();
  return position;
}

}  // namespace logwood::storage::agents
