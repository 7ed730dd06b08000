#include "storage/agents/agent_scan.hpp"

#include <utility>

#include "base/json_text.hpp"
#include "model/header.hpp"

namespace logwood::storage::agents {
namespace {

// Before the state of the reading, where the last line had no line break yet.
constexpr std::string_view unended_mark = "+";

}  // namespace

AgentScan::AgentScan(const AgentLines& lines, const SessionHeader& header, exchange::Carry carry)
    : lines_(lines), header_(header), reading_(lines.format(), lines.head(), carry) {}

bool AgentScan::go_on_from(const ReadPosition& position) {
  if (position.seq == 0) return true;
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
  visit({text, find_place(text), ++seq_});
}

Result<bool> AgentScan::next(const ScanVisitor& visit) {
  if (seq_ == 0) {
    tell(header_body(header_) + '}', visit);
    return true;
  }
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
  const exchange::Line line{physical->text,
                            spot.offset,
                            physical->number,
                            physical->ended,
                            physical->oversize,
                            *spot.file_id == lines_.head().file_id
                                ? std::string_view()
                                : std::string_view(*spot.file_id)};
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
  position.offset = offset_;
  position.next_line = next_line_;
  position.link = (is_unended_ ? std::string(unended_mark) : std::string()) + reading_.state();
  return position;
}

}  // namespace logwood::storage::agents
