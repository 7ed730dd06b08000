#include "storage/agents/agent_tail.hpp"

#include <algorithm>
#include <utility>

#include "base/json_text.hpp"
#include "exchange/reading.hpp"
#include "format/backward_lines.hpp"

namespace logwood::storage::agents {
namespace {

// What stands for the last entry of the turn before, until that is read.
constexpr std::string_view not_known = "not-known-yet-3f8d1c6b5a2e4790";

// A turn that is longer is not held; most have a few kilobytes.
constexpr std::size_t turn_size_max = 32U << 20U;
constexpr std::size_t line_cost = 1024;  // beside its text, as an entry

bool is_in_order(const exchange::Reading& reading, bool names_parents) {
  const std::vector<Problem>& problems = reading.problems();
  return std::all_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    switch (problem.kind) {
      case ProblemKind::cut_off:
      case ProblemKind::blank:
        return true;
      case ProblemKind::damaged:
      case ProblemKind::nul:
      case ProblemKind::too_long:
        return !names_parents;
      default:
        return false;
    }
  });
}

// The entry with the parent that it turned out to have; empty: none.
std::optional<Entry> with_parent(const Entry& entry, const std::string& parent) {
  const std::string known_as = "\"parentId\":" + json_quoted(not_known);
  std::string text = entry.text;
  const std::size_t at = text.find(known_as);
  if (at == std::string::npos) return std::nullopt;
  text.replace(at, known_as.size(),
               "\"parentId\":" + (parent.empty() ? "null" : json_quoted(parent)));
  auto parsed = parse_entry(std::move(text));
  if (!parsed) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace

bool AgentTail::read_turn(const std::vector<HeldLine>& lines) {
  exchange::Reading reading(lines_.format(), lines_.head(), exchange::Carry::lines);
  reading.read_spilled_with(lines_.spilled());
  reading.begin_after(std::string(not_known));
  turn_.clear();
  bool is_sound = true;
  for (auto held = lines.rbegin(); held != lines.rend(); ++held) {
    const AgentLines::Spot spot = lines_.spot(held->offset);
    reading.begin_file(*spot.file_id);
    exchange::Line line;
    line.text = held->text;
    line.offset = spot.offset;
    line.has_end = held->has_end;
    line.is_oversize = held->is_oversize;
    if (*spot.file_id != lines_.head().file_id) line.other_file = *spot.file_id;
    if (!held->has_end && !check_json(held->text)) continue;  // still being written
    reading.take(line, [&](std::string_view text) {
      auto entry = parse_entry(std::string(text));
      is_sound = is_sound && entry;
      if (entry) turn_.push_back(*std::move(entry));
    });
  }
  last_ = reading.last();
  names_parents_ = names_parents_ || reading.names_parents();
  return is_sound && is_in_order(reading, names_parents_) && !reading.needs_earlier();
}

Result<std::uint64_t> AgentTail::begin_of_line(std::uint64_t end) const {
  const format::ReadAt read = lines_.bytes();
  std::string bytes;
  // Its own line break is not the one to look for.
  for (std::uint64_t stop = end - 1; stop > 0; stop -= bytes.size()) {
    bytes.resize(std::min<std::uint64_t>(stop, 1U << 20U));
    LOGWOOD_TRY(const std::size_t got, read(stop - bytes.size(), bytes));
    if (got < bytes.size())
      return Error{ErrorCode::unavailable, "the file became shorter while it was read"};
    if (const std::size_t found = bytes.rfind('\n'); found != std::string::npos)
      return stop - bytes.size() + found + 1;
  }
  return std::uint64_t{0};
}

bool AgentTail::note(const Entry& entry) {
  if (!told_.insert(entry.id.text).second) return false;
  missing_.erase(entry.id.text);
  if (entry.parent_id && !told_.contains(entry.parent_id->text))
    missing_.insert(entry.parent_id->text);
  return true;
}

Result<AgentTail::End> AgentTail::read(const std::function<bool(Entry&&)>& take) {
  std::optional<format::BackwardLines> backward;
  backward.emplace(lines_.bytes(), lines_.size_bytes());
  std::vector<HeldLine> lines;
  std::size_t held = 0;
  exchange::Memory nothing;
  // Entries of the turns so far that may be told; false when that is enough.
  bool is_enough = false;
  bool is_irregular = false;
  const auto tell = [&](Entry&& entry) {
    if (is_enough || is_irregular) return;
    if (!note(entry)) {
      is_irregular = true;
    } else if (!take(std::move(entry))) {
      is_enough = true;
    }
  };
  const auto end_turn = [&](bool is_first) {
    if (!read_turn(lines)) {
      is_irregular = true;
      return;
    }
    // What waited grows from the end of this turn.
    const bool has_end = last_ != not_known;
    if (has_end || is_first) {
      for (Entry& entry : std::exchange(waiting_, {})) {
        if (entry.parent_id && entry.parent_id->text == not_known) {
          auto known = with_parent(entry, has_end ? last_ : "");
          if (!known) {
            is_irregular = true;
            return;
          }
          entry = *std::move(known);
        }
        tell(std::move(entry));
      }
    }
    for (auto entry = turn_.rbegin(); entry != turn_.rend(); ++entry) {
      const bool waits = entry->parent_id && entry->parent_id->text == not_known;
      if (waits && is_first) {
        auto known = with_parent(*entry, "");
        if (known) tell(*std::move(known));
      } else if (waits || !waiting_.empty()) {
        waiting_.push_back(std::move(*entry));
      } else {
        tell(std::move(*entry));
      }
    }
    lines.clear();
    held = 0;
  };
  while (!is_enough && !is_irregular) {
    LOGWOOD_TRY(const auto line, backward->previous());
    if (!line) {
      end_turn(true);
      break;
    }
    if (line->oversize) {
      if (names_parents_) return End::irregular;
      LOGWOOD_TRY(const std::uint64_t begin, begin_of_line(line->end));
      held += line_cost;
      lines.push_back({"{", begin, true, true});
      backward.emplace(lines_.bytes(), begin);
      continue;
    }
    held += line->text.size() + line_cost;
    if (held > turn_size_max) return End::irregular;
    lines.push_back({std::string(line->text), line->offset, line->ended});
    const bool is_object = line->text.starts_with('{') && check_json(line->text);
    if (!is_object) continue;
    exchange::Line told_line;
    told_line.text = line->text;
    const exchange::ToldLine told = lines_.format().tell(told_line, nothing);
    if (told.begins_turn || told.begins_anew) end_turn(false);
  }
  if (is_irregular) return End::irregular;
  if (is_enough) return End::enough;
  return missing_.empty() && waiting_.empty() ? End::start : End::irregular;
}

}  // namespace logwood::storage::agents
