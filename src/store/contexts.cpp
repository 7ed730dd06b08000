#include "store/contexts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "model/token_budget.hpp"

namespace logwood {

std::optional<Contexts::Kept> Contexts::find(const SessionId& session, const EntryId& tip) {
  const std::lock_guard guard(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) {
    return one.session == session && one.tip == tip;
  });
  if (found == kept_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, found);
  return *found;
}

void Contexts::keep(Kept kept) {
  const std::lock_guard guard(mutex_);
  kept_.remove_if(
      [&](const Kept& one) { return one.session == kept.session && one.tip == kept.tip; });
  kept_.push_front(std::move(kept));
  if (kept_.size() > kept_max) kept_.pop_back();
}

void Contexts::drop(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  kept_.remove_if([&](const Kept& one) { return one.session == session; });
}

void Contexts::clear() {
  const std::lock_guard guard(mutex_);
  kept_.clear();
}

Result<LoadedContext> Contexts::load(storage::StorageBackend& backend, const SessionId& session,
                                     const std::optional<EntryId>& tip) {
  std::optional<ContextBuilder> builder;
  std::optional<Kept> hit;
  std::optional<EntryId> met_tip;
  std::uint64_t marks_until = 0;
  storage::BackwardVisit visit;
  constexpr std::size_t usual_size = 512U << 10U;
  visit.expected_bytes = usual_size;
  visit.begin = [&] {
    builder.emplace(tip);
    hit.reset();
    met_tip.reset();
    marks_until = 0;
  };
  visit.wants = [&](const EntryPlace& place) { return builder->wants(place); };
  visit.needs_long_strings = [](const EntryPlace& place) { return place.type != "attachment"; };
  visit.take = [&](Entry&& entry) {
    const bool concerns =
        entry.type == "redaction" || entry.type == "tool_run" || !builder->found_tip();
    if (concerns) marks_until = std::max(marks_until, entry.seq);
    const EntryId id = entry.id;
    const std::uint64_t newest_mark = marks_until;
    const bool is_mark = kind_of(entry.type) == EntryKind::mark;
    const bool more = builder->take(std::move(entry));
    if (!is_mark && builder->found_tip() && !met_tip) {
      // Marks newer than the kept context have all been met before its tip.
      met_tip = id;
      hit = find(session, id);
      if (hit && hit->marks_until >= newest_mark) return false;
      hit.reset();
    }
    return more;
  };
  LOGWOOD_TRY(storage::BackwardEnd end, backend.read_back(session, visit));
  if (hit) return hit->context;
  if (tip && !builder->found_tip()) {
    return Error{ErrorCode::not_found,
                 fmt::format("there is no tree entry {} in session {}", tip->text, session.text)};
  }
  LoadedContext loaded;
  loaded.built = std::make_shared<const ContextBuilder::Built>(builder->finish());
  loaded.problems = std::move(end.problems);
  loaded.anchored = end.anchored;
  if (met_tip) keep({session, *met_tip, loaded, marks_until});
  return loaded;
}

Context fitted(const LoadedContext& loaded, const ContextOptions& options) {
  Context context = loaded.built->context;
  fit_into(options.max_tokens, loaded.built->messages, context);
  return context;
}

bool only_results_follow(const ContextBuilder::Built& built, const EntryId& entry) {
  for (auto read = built.messages.rbegin(); read != built.messages.rend(); ++read) {
    if (read->message.entry_id == entry) return true;
    if (read->parts.tool_results.empty()) return false;
  }
  return false;
}

std::vector<UnfinishedCall> unfinished_calls(const ContextBuilder::Built& built) {
  std::vector<UnfinishedCall> open;
  for (const ReadMessage& read : built.messages) {
    // Ids may come again in a later turn: a result answers the first call that waits for it.
    for (const ToolResult& result : read.parts.tool_results) {
      const auto answered = std::ranges::find(open, result.call_id, &UnfinishedCall::call_id);
      if (answered != open.end()) open.erase(answered);
    }
    if (read.parts.tool_calls.empty()) continue;
    const Message asking = read_message(read.message.payload, MessageText::skipped);
    for (const ToolCall& call : asking.tool_calls) {
      const bool is_text = call.arguments.starts_with('"');  // OpenAI's
      open.push_back(
          {read.message.entry_id, call.id, call.name,
           built.started_calls.contains(call.id) ? CallState::started : CallState::requested,
           is_text ? json_text_or_empty(call.arguments) : std::string(call.arguments)});
    }
  }
  return open;
}

}  // namespace logwood
