#include "model/usage_sum.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"
#include "model/message.hpp"
#include "model/usage.hpp"

namespace logwood {
namespace {

void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

}  // namespace

Usage usage_of(const Message& message, std::string_view meta) {
  return message.usage == Usage{} ? read_usage(json_member(meta, "usage")) : message.usage;
}

bool goes_on(const Message& message, std::string_view before) {
  return !message.id.empty() && message.id == before;
}

void add_usage(Usage& sum, const Usage& more) {
  add(sum.input, more.input);
  add(sum.output, more.output);
  add(sum.cache_read, more.cache_read);
  add(sum.cache_creation, more.cache_creation);
}

void UsageSum::take(std::string_view entry_text) {
  const EntryFields fields = find_fields_of_stored(entry_text);
  if (const auto run = json_string_value(fields.run_id)) {
    if (const auto time = parse_timestamp(json_text_or_empty(fields.timestamp))) {
      const auto [known, is_new] = runs_.try_emplace(*run, Run{*time, *time});
      known->second.first = std::min(known->second.first, *time);
      known->second.last = std::max(known->second.last, *time);
    }
  }
  const auto type = json_string_value(fields.type);
  if (type == "agent_line") add_usage(usage_.tokens, read_usage(json_member(fields.meta, "usage")));
  if (type != "message") return;
  const Message message = read_message(fields.payload, MessageText::skipped);
  usage_.tool_calls += message.tool_calls.size();
  if (message.role != "assistant" && message.role != "model") return;
  if (goes_on(message, last_message_)) return;
  last_message_ = message.id;
  ++usage_.messages;
  const Usage used = usage_of(message, fields.meta);
  if (used == Usage{}) ++usage_.messages_uncounted;
  add_usage(usage_.tokens, used);
}

SessionUsage UsageSum::total() const {
  SessionUsage total = usage_;
  total.runs = runs_.size();
  for (const auto& [id, run] : runs_) {
    total.duration = total.duration.value_or(std::chrono::milliseconds(0)) + (run.last - run.first);
  }
  return total;
}

}  // namespace logwood
