#include "catalog/summary_builder.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "model/header.hpp"
#include "model/preview.hpp"
#include "model/session_info.hpp"
#include "model/usage.hpp"
#include "model/usage_sum.hpp"

namespace logwood::catalog {
namespace {

constexpr std::size_t title_characters = 120;

bool is_of_assistant(const Message& message) {
  return message.role == "assistant" || message.role == "model";
}

bool begins_turn(const Message& message) {
  return message.role == "user" && message.tool_results.empty();
}

std::uint64_t between(const std::string& first, const std::string& last) {
  const auto begin = parse_timestamp(first);
  const auto end = parse_timestamp(last);
  if (!begin || !end || *end < *begin) return 0;
  return static_cast<std::uint64_t>((*end - *begin).count());
}

}  // namespace

SummaryBuilder::SummaryBuilder(SoFar known) : so_far_(std::move(known)), from_start_(false) {}

void SummaryBuilder::take(std::string_view text, const EntryPlace& place) {
  if (must_begin_again_) return;
  ++so_far_.summary.entries;
  if (place.kind == EntryKind::header) {
    take_header(text);
    return;
  }
  const EntryFields fields = find_fields_of_stored(text);
  std::string time = json_text_or_empty(fields.timestamp);
  // Times are what writers say, never an order; and one that says nonsense is not active in 2999.
  if (is_timestamp(time)) so_far_.summary.last_active = std::move(time);
  if (place.kind == EntryKind::mark) {
    take_mark(place, fields);
  } else {
    take_tree_entry(text, place, fields);
  }
}

void SummaryBuilder::take_hidden(const EntryPlace& place) {
  if (must_begin_again_) return;
  ++so_far_.summary.entries;
  if (place.kind == EntryKind::tree) take_tree_entry({}, place, {});
}

void SummaryBuilder::take_header(std::string_view text) {
  auto header = parse_header(text);
  if (!header) return;
  so_far_.header_text = text;
  so_far_.summary.header = *std::move(header);
  so_far_.summary.cwd = so_far_.summary.header.cwd;
  so_far_.summary.last_active = so_far_.summary.header.created;
  // Without the entry that a fork ended with, nobody can say where the copies end.
  const auto& origin = so_far_.summary.header.origin;
  so_far_.is_copying = fork_source(so_far_.summary.header) && origin && origin->entry_id;
}

void SummaryBuilder::take_mark(const EntryPlace& place, const EntryFields& fields) {
  if (place.is_redaction) {
    so_far_.has_redactions = true;
    must_begin_again_ = !from_start_;  // something that was taken already is hidden now
  } else if (place.moves_head) {
    const std::string_view target = json_member(fields.payload, "target");
    const auto id = id_in(target);
    if (!id && target != "null") return;  // it was erased
    if (!from_start_ && (!id || *id != so_far_.last_entry)) must_begin_again_ = true;
    head_ = id ? std::optional(std::string(*id)) : std::nullopt;
    is_branched_ = true;
  } else if (place.type == "session_info") {
    const SessionInfo info = read_session_info(fields.payload);
    SessionSummary& summary = so_far_.summary;
    if (info.title) so_far_.set_title = *info.title;
    if (info.tags) summary.tags = *info.tags;
    if (info.cwd) summary.cwd = *info.cwd;
    if (info.expires_at) summary.expires_at = *info.expires_at;
  } else if (place.type == "agent_line") {
    const Usage used = read_usage(json_member(fields.meta, "usage"));
    if (used == Usage{}) return;
    const std::string_view day = std::string_view(so_far_.summary.last_active).substr(0, 10);
    add_usage(so_far_.summary.usage.tokens, used);
    add_usage(activity_of("", day, so_far_.model, "").tokens, used);
  }
}

void SummaryBuilder::take_tree_entry(std::string_view text, const EntryPlace& place,
                                     const EntryFields& fields) {
  Node node;
  place_in_tree(place, node);
  if (must_begin_again_) return;
  if (const auto run = json_string_value(fields.run_id)) {
    if (*run != so_far_.run_id) {
      so_far_.run_duration_ms += between(so_far_.run_first, so_far_.run_last);
      so_far_.run_id = *run;
      so_far_.run_first = so_far_.summary.last_active;
      ++so_far_.summary.usage.runs;
    }
    so_far_.run_last = so_far_.summary.last_active;
  }
  if (place.type == "model_change") {
    so_far_.model = json_text_or_empty(json_member(fields.payload, "model"));
  } else if (place.type == "message" && !fields.payload.empty()) {
    take_message(text, place, fields, node);
  }
  if (from_start_) nodes_.back() = node;
  const auto& origin = so_far_.summary.header.origin;
  if (so_far_.is_copying && origin && origin->entry_id && origin->entry_id->text == place.id) {
    so_far_.is_copying = false;
  }
}

// Where it grows from. At the head there is nothing to think about.
void SummaryBuilder::place_in_tree(const EntryPlace& place, Node& node) {
  const bool is_first = place.parent_id.empty() && so_far_.summary.branches == 0;
  const bool grows_at_end =
      place.parent_id.empty() ? is_first : place.parent_id == so_far_.last_entry;
  so_far_.last_entry = place.id;
  head_ = std::string(place.id);
  if (!from_start_) {
    must_begin_again_ = !grows_at_end;
    return;
  }
  if (place.parent_id.empty() || !grows_at_end) {
    is_branched_ = is_branched_ || !nodes_.empty();
    const auto parent = places_.find(std::string(place.parent_id));
    if (parent != places_.end()) node.parent = parent->second + 1;
  } else {
    node.parent = static_cast<std::uint32_t>(nodes_.size());
  }
  if (node.parent > 0) nodes_[node.parent - 1].has_child = true;
  places_.emplace(place.id, static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(node);
}

void SummaryBuilder::take_message(std::string_view text, const EntryPlace& place,
                                  const EntryFields& fields, Node& node) {
  const bool wants_title = so_far_.first_message.empty() && !entry_of_title_;
  const Message message =
      read_message(fields.payload, wants_title ? MessageText::read : MessageText::skipped);
  node.is_message = true;
  node.begins_turn = begins_turn(message);
  node.awaits_answer = !is_of_assistant(message);
  so_far_.awaits_answer = node.awaits_answer;
  if (node.begins_turn) {
    ++so_far_.summary.user_messages;
    ++so_far_.summary.turns;
    if (wants_title) {
      so_far_.first_message = preview(message.text, title_characters);
      const bool lies_elsewhere =
          so_far_.first_message.empty() && !json_member(text, "blobs").empty();
      if (lies_elsewhere) entry_of_title_ = EntryId{std::string(place.id)};
    }
  }
  for (const ToolCall& call : message.tool_calls) {
    CallEvent event{static_cast<std::uint32_t>(nodes_.size()), false, {call.id, call.name}};
    apply(event);
    if (from_start_) events_.push_back(std::move(event));
  }
  for (const ToolResult& result : message.tool_results) {
    CallEvent event{static_cast<std::uint32_t>(nodes_.size()), true, {result.call_id, ""}};
    apply(event);
    if (from_start_) events_.push_back(std::move(event));
  }
  count(place, fields, message);
}

void SummaryBuilder::apply(const CallEvent& event) {
  if (event.is_result) {
    std::erase_if(so_far_.pending,
                  [&](const PendingCall& call) { return call.id == event.call.id; });
  } else {
    so_far_.pending.push_back(event.call);
  }
}

void SummaryBuilder::count(const EntryPlace& place, const EntryFields& fields,
                           const Message& message) {
  SessionUsage& usage = so_far_.summary.usage;
  const std::string_view day = std::string_view(so_far_.summary.last_active).substr(0, 10);
  const std::string_view entry = so_far_.is_copying ? place.id : std::string_view();
  usage.tool_calls += message.tool_calls.size();
  for (const ToolCall& call : message.tool_calls) {
    ++activity_of(entry, day, "", call.name).messages;
    auto& tools = so_far_.summary.tools;
    const auto known = std::lower_bound(
        tools.begin(), tools.end(), call.name,
        [](const ToolUse& tool, const std::string& name) { return tool.name < name; });
    if (known != tools.end() && known->name == call.name) {
      ++known->calls;
    } else {
      tools.insert(known, {call.name, 1});
    }
  }
  if (begins_turn(message)) ++activity_of(entry, day, "", "").user_messages;
  if (!is_of_assistant(message) || goes_on(message, so_far_.last_message)) return;
  so_far_.last_message = message.id;
  ++usage.messages;
  const Usage used = usage_of(message, fields.meta);
  if (used == Usage{}) ++usage.messages_uncounted;
  add_usage(usage.tokens, used);
  Activity& activity =
      activity_of(entry, day, message.model.empty() ? so_far_.model : message.model, "");
  ++activity.messages;
  add_usage(activity.tokens, used);
}

Activity& SummaryBuilder::activity_of(std::string_view entry, std::string_view day,
                                      std::string_view model, std::string_view tool) {
  // What comes together is of one day and entry, so it is found at the end.
  for (auto known = activity_.rbegin(); known != activity_.rend(); ++known) {
    if (known->day != day || known->entry != entry) break;
    if (known->model == model && known->tool == tool) return *known;
  }
  activity_.push_back(
      {std::string(entry), std::string(day), std::string(model), std::string(tool), 0, 0, {}});
  return activity_.back();
}

void SummaryBuilder::set_text_of_title(std::string_view text) {
  so_far_.first_message = preview(text, title_characters);
}

void SummaryBuilder::look_at_path_of_head() {
  std::vector<bool> is_on_path(nodes_.size() + 1, false);
  so_far_.summary.turns = 0;
  so_far_.awaits_answer = false;
  so_far_.pending.clear();
  so_far_.last_entry.clear();
  const auto head = head_ ? places_.find(*head_) : places_.end();
  if (head == places_.end()) return;
  if (!nodes_[head->second].has_child) so_far_.last_entry = *head_;
  bool is_newest = true;
  for (std::uint32_t place = head->second + 1; place > 0; place = nodes_[place - 1].parent) {
    const Node& node = nodes_[place - 1];
    is_on_path[place - 1] = true;
    so_far_.summary.turns += node.begins_turn ? 1 : 0;
    if (node.is_message && is_newest) {
      so_far_.awaits_answer = node.awaits_answer;
      is_newest = false;
    }
  }
  for (const CallEvent& event : events_) {
    if (is_on_path[event.node - 1]) apply(event);
  }
}

SoFar SummaryBuilder::finish() {
  SessionSummary& summary = so_far_.summary;
  summary.title = so_far_.set_title.empty() ? so_far_.first_message : so_far_.set_title;
  if (from_start_) {
    summary.branches = static_cast<std::uint64_t>(std::count_if(
        nodes_.begin(), nodes_.end(), [](const Node& node) { return !node.has_child; }));
    if (is_branched_) look_at_path_of_head();
  } else if (summary.branches == 0 && !so_far_.last_entry.empty()) {
    summary.branches = 1;
  }
  const std::uint64_t duration =
      so_far_.run_duration_ms + between(so_far_.run_first, so_far_.run_last);
  if (summary.usage.runs > 0) summary.usage.duration = std::chrono::milliseconds(duration);
  summary.state = SessionState::ok;
  if (so_far_.awaits_answer) summary.state = SessionState::open;
  if (!so_far_.pending.empty()) summary.state = SessionState::unfinished;
  if (so_far_.is_damaged) summary.state = SessionState::damaged;
  return std::move(so_far_);
}

}  // namespace logwood::catalog
