#include "catalog/so_far_text.hpp"

#include <unordered_map>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "model/header.hpp"

namespace logwood::catalog {
namespace {

void write_if(JsonWriter& json, std::string_view name, const std::optional<std::uint64_t>& value) {
  if (value) json.key(name).number(*value);
}

void write_if(JsonWriter& json, std::string_view name, std::string_view value) {
  if (!value.empty()) json.key(name).text(value);
}

// The members of an object by their names, for text that we wrote: no name has an escape.
class Members {
 public:
  explicit Members(std::string_view object) {
    for_each_json_member(
        object, [&](const JsonMember& member) { values_.emplace(member.key, member.value); });
  }
  [[nodiscard]] std::string_view json(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::string_view() : found->second;
  }
  [[nodiscard]] std::string text(std::string_view name) const {
    return json_text_or_empty(json(name));
  }
  [[nodiscard]] std::optional<std::uint64_t> optional_number(std::string_view name) const {
    return json_unsigned(json(name));
  }
  [[nodiscard]] std::uint64_t number(std::string_view name) const {
    return optional_number(name).value_or(0);
  }
  [[nodiscard]] bool boolean(std::string_view name) const { return json(name) == "true"; }

 private:
  std::unordered_map<std::string_view, std::string_view> values_;
};

}  // namespace

std::string so_far_text(const SoFar& so_far) {
  const SessionSummary& summary = so_far.summary;
  JsonWriter json;
  json.begin_object();
  write_if(json, "header", so_far.header_text);
  write_if(json, "title", summary.title);
  write_if(json, "setTitle", so_far.set_title);
  write_if(json, "firstMessage", so_far.first_message);
  write_if(json, "cwd", summary.cwd);
  write_if(json, "expiresAt", summary.expires_at);
  write_if(json, "lastActive", summary.last_active);
  json.key("tags").begin_array();
  for (const std::string& tag : summary.tags) json.text(tag);
  json.end_array();
  json.key("tools").begin_array();
  for (const ToolUse& tool : summary.tools) {
    json.begin_object().key("name").text(tool.name).key("calls").number(tool.calls).end_object();
  }
  json.end_array();
  json.key("entries").number(summary.entries);
  json.key("userMessages").number(summary.user_messages);
  json.key("turns").number(summary.turns);
  json.key("branches").number(summary.branches);
  json.key("messages").number(summary.usage.messages);
  json.key("messagesUncounted").number(summary.usage.messages_uncounted);
  json.key("toolCalls").number(summary.usage.tool_calls);
  json.key("runs").number(summary.usage.runs);
  write_if(json, "input", summary.usage.tokens.input);
  write_if(json, "output", summary.usage.tokens.output);
  write_if(json, "cacheRead", summary.usage.tokens.cache_read);
  write_if(json, "cacheCreation", summary.usage.tokens.cache_creation);
  if (summary.usage.duration) {
    json.key("durationMs").number(static_cast<std::uint64_t>(summary.usage.duration->count()));
  }
  json.key("state").number(static_cast<std::uint64_t>(summary.state));
  json.key("isDamaged").boolean(so_far.is_damaged);
  json.key("hasRedactions").boolean(so_far.has_redactions);
  json.key("awaitsAnswer").boolean(so_far.awaits_answer);
  json.key("isCopying").boolean(so_far.is_copying);
  write_if(json, "lastEntry", so_far.last_entry);
  write_if(json, "model", so_far.model);
  write_if(json, "lastMessage", so_far.last_message);
  write_if(json, "run", so_far.run_id);
  write_if(json, "runFirst", so_far.run_first);
  write_if(json, "runLast", so_far.run_last);
  json.key("runDurationMs").number(so_far.run_duration_ms);
  json.key("pending").begin_array();
  for (const PendingCall& call : so_far.pending) {
    json.begin_object().key("id").text(call.id).key("name").text(call.name).end_object();
  }
  return json.end_array().end_object().take();
}

Result<SoFar> parse_so_far(std::string_view text) {
  if (!text.starts_with('{') || !check_json(text)) {
    return Error{ErrorCode::damaged, "what the catalog knows of a session cannot be read"};
  }
  const Members members(text);
  SoFar so_far;
  SessionSummary& summary = so_far.summary;
  so_far.header_text = members.text("header");
  if (auto header = parse_header(so_far.header_text)) summary.header = *std::move(header);
  summary.title = members.text("title");
  so_far.set_title = members.text("setTitle");
  so_far.first_message = members.text("firstMessage");
  summary.cwd = members.text("cwd");
  summary.expires_at = members.text("expiresAt");
  summary.last_active = members.text("lastActive");
  for_each_json_element(members.json("tags"), [&](std::string_view tag) {
    summary.tags.push_back(json_text_or_empty(tag));
  });
  for_each_json_element(members.json("tools"), [&](std::string_view tool) {
    const Members one(tool);
    summary.tools.push_back({one.text("name"), one.number("calls")});
  });
  summary.entries = members.number("entries");
  summary.user_messages = members.number("userMessages");
  summary.turns = members.number("turns");
  summary.branches = members.number("branches");
  summary.usage.messages = members.number("messages");
  summary.usage.messages_uncounted = members.number("messagesUncounted");
  summary.usage.tool_calls = members.number("toolCalls");
  summary.usage.runs = members.number("runs");
  summary.usage.tokens = {members.optional_number("input"), members.optional_number("output"),
                          members.optional_number("cacheRead"),
                          members.optional_number("cacheCreation")};
  if (const auto duration = members.optional_number("durationMs")) {
    summary.usage.duration = std::chrono::milliseconds(*duration);
  }
  const std::uint64_t state = members.number("state");
  if (state <= static_cast<std::uint64_t>(SessionState::damaged)) {
    summary.state = static_cast<SessionState>(state);
  }
  so_far.is_damaged = members.boolean("isDamaged");
  so_far.has_redactions = members.boolean("hasRedactions");
  so_far.awaits_answer = members.boolean("awaitsAnswer");
  so_far.is_copying = members.boolean("isCopying");
  so_far.last_entry = members.text("lastEntry");
  so_far.model = members.text("model");
  so_far.last_message = members.text("lastMessage");
  so_far.run_id = members.text("run");
  so_far.run_first = members.text("runFirst");
  so_far.run_last = members.text("runLast");
  so_far.run_duration_ms = members.number("runDurationMs");
  for_each_json_element(members.json("pending"), [&](std::string_view call) {
    const Members one(call);
    so_far.pending.push_back({one.text("id"), one.text("name")});
  });
  return so_far;
}

}  // namespace logwood::catalog
