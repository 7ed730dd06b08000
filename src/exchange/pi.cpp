// pi, and OpenClaw while it kept files: a tree of lines, each with `id` and `parentId`. Version 1
// had neither, and is a list.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/format.hpp"
#include "exchange/times.hpp"

namespace logwood::exchange {
namespace {

std::string_view text_of_type(std::string_view token) {
  return token.size() < 2 ? std::string_view() : token.substr(1, token.size() - 2);
}

bool is_tree(const FileSight& file) {
  bool found = false;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [type, id, timestamp, cwd] = json_members(line, {"type", "id", "timestamp", "cwd"});
    found = type == "\"session\"" && id.starts_with('"') && timestamp.starts_with('"') &&
            cwd.starts_with('"');
    return false;
  });
  return found;
}

// Both write the same lines, and an agent is known by where it keeps them.
bool is_of_openclaw(const FileSight& file) {
  return is_tree(file) && file.path.find("/.openclaw/") != std::string_view::npos;
}

FileHead head_of(const FileSight& file) {
  FileHead head;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [id, version, timestamp, cwd] =
        json_members(line, {"id", "version", "timestamp", "cwd"});
    head.session_id = json_text_or_empty(id);
    head.version = version.empty() ? "1" : std::string(version);
    head.refers_to_lines = head.version == "1";
    head.created = timestamp_of_token(timestamp).value_or("");
    head.cwd = json_text_or_empty(cwd);
    return false;
  });
  return head;
}

// agents/<agent>/sessions/<session>.jsonl
std::vector<Place> places_of_openclaw(const Variables& variable) {
  if (std::string set = variable("OPENCLAW_STATE_DIR"); !set.empty()) return {{set + "/agents", 2}};
  return below_home(variable, "/.openclaw/agents", 2);
}

std::string name_in_openclaw(std::string_view path) {
  if (path.find("/sessions/") == std::string_view::npos) return "";
  return std::string(without_ending(file_name(path), ".jsonl"));
}

std::vector<Place> places(const Variables& variable) {
  if (std::string set = variable("PI_CODING_AGENT_SESSION_DIR"); !set.empty()) return {{set, 1}};
  if (std::string set = variable("PI_CODING_AGENT_DIR"); !set.empty())
    return {{set + "/sessions", 1}};
  return below_home(variable, "/.pi/agent/sessions", 1);
}

// <time>_<session>.jsonl
std::string name_in_path(std::string_view path) {
  const std::string_view name = without_ending(file_name(path), ".jsonl");
  return std::string(name.substr(std::min(name.find('_') + 1, name.size())));
}

std::vector<std::string> resume_words(const std::string& session_id) {
  return {"pi", "--session", session_id};
}

// The API that pi speaks to a provider, where nothing says it.
std::string_view api_of_provider(std::string_view provider) {
  if (provider == "anthropic") return "anthropic-messages";
  if (provider == "openai" || provider == "openai-codex") return "openai-responses";
  if (provider.starts_with("google")) return "gemini";
  return "openai-chat";
}

void tell_message(std::string_view message, ToldLine& told) {
  const std::string role = json_text_or_empty(json_member(message, "role"));
  // A system prompt is not taken over, and nothing else speaks with its authority.
  constexpr std::string_view roles[] = {"user",          "assistant", "toolResult",
                                        "bashExecution", "custom",    "hookMessage"};
  if (std::find(std::begin(roles), std::end(roles), role) == std::end(roles)) return;
  told.type = "message";
  told.payload = message;
  told.begins_turn = role == "user";
}

void tell_model(std::string_view line, ToldLine& told) {
  const auto [provider_token, model] = json_members(line, {"provider", "modelId"});
  const std::string provider = json_text_or_empty(provider_token);
  JsonWriter json;
  json.begin_object().key("api").text(api_of_provider(provider)).key("provider").text(provider);
  json.key("model").text(json_text_or_empty(model));
  told.type = "model_change";
  told.made_payload = json.end_object().take();
}

void tell_compaction(std::string_view line, const Memory& memory, ToldLine& told) {
  const auto [summary, first_kept, first_index] =
      json_members(line, {"summary", "firstKeptEntryId", "firstKeptEntryIndex"});
  std::string kept = id_of_token(first_kept);
  const auto index = json_unsigned(first_index);
  if (kept.empty() && index && *index < memory.ids.size()) kept = memory.ids[*index];
  if (kept == told.id) kept.clear();  // its own id says that nothing before it is kept
  told.type = "compaction_summary";
  told.made_payload = compaction_payload(json_text_or_empty(summary), kept);
}

void tell_label(std::string_view line, Memory& memory, ToldLine& told) {
  const auto [target_token, label_token] = json_members(line, {"targetId", "label"});
  told.needs_earlier = true;  // which label stood there
  const std::string target = id_of_token(target_token);
  const std::string label = json_text_or_empty(label_token);
  std::string& known = memory.labels[target];
  const auto put = [&](const std::string& name, std::string_view place) {
    told.marks.push_back(
        {"label", fmt::format(R"({{"name":{},"target":{}}})", json_quoted(name), place)});
  };
  if (!known.empty() && known != label) put(known, "null");
  known = label;
  if (!label.empty() && !target.empty()) put(label, json_quoted(target));
}

ToldLine tell(const Line& line, Memory& memory) {
  const auto [type_token, id, parent, timestamp, message] =
      json_members(object_of(line), {"type", "id", "parentId", "timestamp", "message"});
  const std::string_view type = text_of_type(type_token);
  ToldLine told;
  told.timestamp = timestamp;
  if (type == "session") return told;
  told.id = id_of_token(id);
  const bool has_no_ids = told.id.empty() && parent.empty();  // version 1
  if (told.id.empty() && !has_no_ids) return told;
  if (parent.starts_with('"')) {
    told.parent = ToldLine::Parent::named;
    told.parent_id = id_of_token(parent);
  } else if (!has_no_ids && !parent.empty()) {
    told.parent = ToldLine::Parent::none;
  }
  told.type = "agent_entry";
  if (type == "message") {
    tell_message(message, told);
  } else if (type == "model_change") {
    tell_model(object_of(line), told);
  } else if (type == "thinking_level_change") {
    told.type = type;
    told.made_payload =
        fmt::format(R"({{"level":{}}})",
                    json_quoted(json_text_or_empty(json_member(object_of(line), "thinkingLevel"))));
  } else if (type == "compaction") {
    tell_compaction(object_of(line), memory, told);
  } else if (type == "branch_summary") {
    const auto [summary, from] = json_members(object_of(line), {"summary", "fromId"});
    told.type = type;
    told.made_payload = fmt::format(R"({{"summary":{},"sourceEntryId":{}}})",
                                    json_quoted(json_text_or_empty(summary)),
                                    json_quoted(json_text_or_empty(from)));
  } else if (type == "custom_message") {
    told.type = "message";
    const std::string_view content = json_member(object_of(line), "content");
    told.made_payload =
        fmt::format(R"({{"role":"user","content":{}}})", content.empty() ? "\"\"" : content);
  } else if (type == "session_info") {
    const std::string name = json_text_or_empty(json_member(object_of(line), "name"));
    told.marks.push_back({"session_info", fmt::format(R"({{"title":{}}})", json_quoted(name))});
  } else if (type == "label") {
    tell_label(object_of(line), memory, told);
  } else if (type == "leaf") {  // OpenClaw
    const std::string target = id_of_token(json_member(object_of(line), "targetId"));
    if (!target.empty())
      told.marks.push_back({"head", fmt::format(R"({{"target":{}}})", json_quoted(target))});
  }
  if (json_member(object_of(line), "appendMode") == "\"side\"") told.is_aside = true;
  return told;
}

}  // namespace

const Format pi_format{"pi",    "pi", is_tree,  head_of,         places,      name_in_path,
                       nullptr, tell, write_pi, file_name_of_pi, resume_words};

const Format openclaw_format{
    "openclaw", "OpenClaw", is_of_openclaw, head_of, places_of_openclaw, name_in_openclaw, nullptr,
    tell,       nullptr,    nullptr,        nullptr};

}  // namespace logwood::exchange
