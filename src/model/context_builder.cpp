#include "model/context_builder.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "model/erasure.hpp"
#include "model/head_mark.hpp"
#include "model/origin.hpp"
#include "model/summary_text.hpp"

namespace logwood {
ContextBuilder::ContextBuilder(const std::optional<EntryId>& tip) : next_(tip) {}

bool ContextBuilder::wants(const EntryPlace& place) const {
  if (place.kind == EntryKind::mark) return true;
  if (place.kind == EntryKind::header) return false;
  return (!found_tip_ && !next_) || (next_ && next_->text == place.id);
}

bool ContextBuilder::take(Entry entry) {
  if (kind_of(entry.type) == EntryKind::mark) {
    if (entry.flagged) return true;
    if (entry.type == "redaction") {
      redactions_.take(entry.text);
    } else if (entry.type == "tool_run") {
      started_calls_.insert(json_text_or_empty(json_member(entry.payload(), "callId")));
    } else if (entry.type == "head" && !found_tip_ && !next_) {
      const auto target = head_target(entry.text);
      if (!target) return true;
      if (!*target) {  // before the first entry
        found_tip_ = true;
        return false;
      }
      next_ = **target;
    }
    return true;
  }
  if (!found_tip_ && !next_) {
    if (entry.flagged) return true;  // never the head
    next_ = entry.id;
  }
  return entry.id == next_ ? take_on_path(std::move(entry)) : true;
}

bool ContextBuilder::take_on_path(Entry entry) {
  found_tip_ = true;
  next_ = entry.parent_id;
  entry.erased = entry.erased || is_empty_copy(entry);
  const bool is_compaction = !compaction_ && entry.type == "compaction_summary" && !entry.erased;
  // Where it begins to keep is no content, and holds also where its summary is hidden.
  if (is_compaction) {
    compaction_ = path_.size();
    first_kept_ = json_text_or_empty(json_member(entry.payload(), "firstKeptEntryId"));
  }
  const bool is_shown = redactions_.apply(entry);
  if (!is_shown) hidden_.insert(entry.id.text);
  const std::string_view payload = entry.payload();
  if (is_compaction) {
    take_settings_of_compaction(payload);
  } else if (!compaction_ && is_shown && !entry.erased) {
    take_settings(entry.type, payload);
  }
  if (compaction_ && entry.id.text == first_kept_) met_first_kept_ = true;
  path_.push_back(std::move(entry));
  if (!next_) return false;
  return !(compaction_ && (met_first_kept_ || first_kept_.empty()));
}

// The newest of each kind is in force. An override stands above the prompt of the
// runtime until one that is null ends it.
void ContextBuilder::take_settings(std::string_view type, std::string_view payload) {
  if (type == "model_change" && !has_model_) {
    const auto [api, provider, model] = json_members(payload, {"api", "provider", "model"});
    settings_.api = json_text_or_empty(api);
    settings_.provider = json_text_or_empty(provider);
    settings_.model = json_text_or_empty(model);
    has_model_ = true;
  } else if (type == "thinking_level_change" && !has_level_) {
    settings_.thinking_level = json_text_or_empty(json_member(payload, "level"));
    has_level_ = true;
  } else if (type == "system_prompt_override" && !has_override_) {
    const std::string_view prompt = json_member(payload, "systemPrompt");
    if (prompt.starts_with('"')) override_ = json_text_or_empty(prompt);
    has_override_ = true;
  } else if (type == "runtime_init" && !has_runtime_) {
    const auto [prompt, tools] = json_members(payload, {"systemPrompt", "tools"});
    if (prompt.starts_with('"')) settings_.runtime_system_prompt = json_text_or_empty(prompt);
    settings_.tools = tools;
    has_runtime_ = true;
  }
}

// A compaction carries what was in force, so nothing before it is needed.
void ContextBuilder::take_settings_of_compaction(std::string_view payload) {
  const auto [model, level, prompt, runtime_prompt, tools] =
      json_members(json_member(payload, "settings"),
                   {"model", "thinkingLevel", "systemPrompt", "runtimeSystemPrompt", "tools"});
  if (!has_model_) take_settings("model_change", model);
  if (!has_level_) settings_.thinking_level = json_text_or_empty(level);
  const bool was_overridden = prompt.starts_with('"') && prompt != runtime_prompt;
  if (!has_override_ && was_overridden) override_ = json_text_or_empty(prompt);
  if (!has_runtime_) {
    if (runtime_prompt.starts_with('"'))
      settings_.runtime_system_prompt = json_text_or_empty(runtime_prompt);
    settings_.tools = tools;
  }
}

ContextBuilder::Built ContextBuilder::finish() {
  Built built;
  Context& context = built.context;
  context.settings = std::move(settings_);
  context.settings.system_prompt =
      override_ ? std::move(override_) : context.settings.runtime_system_prompt;
  if (!path_.empty()) context.tip = path_.front().id;
  // What a compaction does not keep; a first kept entry that is not on the path keeps none.
  if (compaction_) {
    if (!met_first_kept_) path_.resize(*compaction_ + 1);
    // Its summary comes before what it keeps.
    std::rotate(path_.begin() + static_cast<std::ptrdiff_t>(*compaction_),
                path_.begin() + static_cast<std::ptrdiff_t>(*compaction_) + 1, path_.end());
    context.compaction = path_.back().id;
  }
  std::unordered_set<std::string> on_path;
  for (const Entry& entry : path_) on_path.insert(entry.id.text);

  std::optional<MessageOrigin> in_use;  // by the last model_change
  for (auto entry = path_.rbegin(); entry != path_.rend(); ++entry) {
    if (entry->type == "model_change") in_use = read_origin(entry->payload());
    const auto pass_over = [&](PassedOverReason reason) {
      context.passed_over.push_back({entry->id, reason});
    };
    const bool is_message = entry->type == "message";
    if (entry->type == "message_delta_batch") {
      const std::string whole = json_text_or_empty(json_member(entry->payload(), "messageId"));
      pass_over(on_path.contains(whole) ? PassedOverReason::stream
                                        : PassedOverReason::unfinished_stream);
      continue;
    }
    if (entry->erased) {
      pass_over(PassedOverReason::erased);
      continue;
    }
    if (entry->incomplete) {
      pass_over(PassedOverReason::incomplete);
      continue;
    }
    if (!is_message && !is_summary(entry->type)) {
      const bool is_setting =
          entry->type == "model_change" || entry->type == "thinking_level_change" ||
          entry->type == "runtime_init" || entry->type == "system_prompt_override";
      const bool is_referred_to = entry->type == "attachment";
      if (!is_setting && !is_referred_to) pass_over(PassedOverReason::not_for_models);
      continue;
    }
    if (hidden_.contains(entry->id.text)) {
      pass_over(PassedOverReason::redacted);
      continue;
    }
    ReadMessage read;
    read.message.entry_id = entry->id;
    read.message.type = entry->type;
    read.message.payload = entry->payload();
    read.message.timestamp = entry->timestamp;
    read.message.run_id = entry->run_id;
    if (is_message) {
      read.parts = read_message(read.message.payload);
      read.message.role = read.parts.role;
      read.message.origin = MessageOrigin::of_meta(entry->meta());
      if (!read.message.origin) read.message.origin = read_origin(read.message.payload);
      if (!read.message.origin) read.message.origin = in_use;
    }
    built.messages.push_back(std::move(read));
  }
  built.started_calls = std::move(started_calls_);
  return built;
}

std::string_view name_of(PassedOverReason reason) {
  switch (reason) {
    case PassedOverReason::redacted:
      return "redacted";
    case PassedOverReason::erased:
      return "erased";
    case PassedOverReason::incomplete:
      return "incomplete";
    case PassedOverReason::not_for_models:
      return "not_for_models";
    case PassedOverReason::stream:
      return "stream";
    case PassedOverReason::unfinished_stream:
      return "unfinished_stream";
    case PassedOverReason::over_budget:
      return "over_budget";
  }
  return "";
}

}  // namespace logwood
