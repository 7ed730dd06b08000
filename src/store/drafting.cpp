#include "store/drafting.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "model/attachment.hpp"
#include "model/redaction.hpp"

namespace logwood {
namespace {

std::string token_of(const std::optional<EntryId>& id) {
  return id ? json_quoted(id->text) : "null";
}

}  // namespace

Draft head_draft(const std::optional<EntryId>& target) {
  return Draft::of(
      {.type = "head", .payload = fmt::format(R"({{"target":{}}})", token_of(target))});
}

Draft label_draft(const std::string& name, const std::optional<EntryId>& target) {
  return Draft::of({.type = "label",
                    .payload = fmt::format(R"({{"name":{},"target":{}}})", json_quoted(name),
                                           token_of(target))});
}

Draft compaction_draft(const std::string& summary, const std::optional<EntryId>& first_kept,
                       const Settings& settings) {
  std::string in_force =
      fmt::format(R"({{"model":{{"api":{},"provider":{},"model":{}}},"thinkingLevel":{})",
                  json_quoted(settings.api), json_quoted(settings.provider),
                  json_quoted(settings.model), json_quoted(settings.thinking_level));
  if (settings.system_prompt)
    in_force += ",\"systemPrompt\":" + json_quoted(*settings.system_prompt);
  if (settings.runtime_system_prompt)
    in_force += ",\"runtimeSystemPrompt\":" + json_quoted(*settings.runtime_system_prompt);
  if (!settings.tools.empty()) in_force += ",\"tools\":" + settings.tools;
  return Draft::of(
      {.type = "compaction_summary",
       .payload = fmt::format(R"({{"summary":{},"firstKeptEntryId":{},"settings":{}}}}})",
                              json_quoted(summary), token_of(first_kept), in_force)});
}

Draft tool_run_draft(const std::string& call_id, const std::string& name) {
  std::string payload = "{\"callId\":" + json_quoted(call_id);
  if (!name.empty()) payload += ",\"name\":" + json_quoted(name);
  return Draft::of({.type = "tool_run", .payload = payload + "}"});
}

Draft deltas_draft(const EntryId& message, const std::string& deltas, const std::string& run_id) {
  DraftFields fields{.type = "message_delta_batch"};
  fields.payload =
      fmt::format(R"({{"messageId":{},"deltas":{}}})", json_quoted(message.text), deltas);
  if (!run_id.empty()) fields.run_id = run_id;
  return Draft::of(fields);
}

Draft redaction_draft(const std::vector<RedactionTarget>& targets, const std::string& reason) {
  return Draft::of({.type = "redaction", .payload = redaction_payload(targets, reason)});
}

Draft attachment_draft(const Attachment& attachment) {
  return Draft::of({.type = "attachment", .payload = attachment_payload(attachment)});
}

std::vector<Draft> turn_drafts(const Turn& turn) {
  std::vector<Draft> drafts;
  for (const std::string& payload : turn.messages) {
    DraftFields fields{.type = "message", .payload = payload};
    if (!turn.run_id.empty()) fields.run_id = turn.run_id;
    drafts.push_back(Draft::of(fields));
  }
  return drafts;
}

}  // namespace logwood
