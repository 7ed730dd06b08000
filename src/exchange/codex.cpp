// Codex: a list of records, of which the response items are what was said. A fork begins with a
// pointer to the beginning of another file.
#include <fmt/format.h>

#include <utility>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/format.hpp"
#include "exchange/times.hpp"
#include "exchange/usage.hpp"
#include "model/message.hpp"

namespace logwood::exchange {
namespace {

bool is_codex(const FileSight& file) {
  bool found = false;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [type, payload] = json_members(line, {"type", "payload"});
    found = type == "\"session_meta\"" && json_member(payload, "id").starts_with('"');
    return false;
  });
  return found;
}

// rollout-<time>-<thread>.jsonl, or …-<thread>_<rollout>.jsonl; .zst when it is old.
std::string name_in_path(std::string_view path) {
  constexpr std::size_t uuid_size = 36;
  std::string_view name = file_name(path);
  if (name.ends_with(".zst")) name.remove_suffix(4);
  name = without_ending(name, ".jsonl");
  if (!name.starts_with("rollout-") || name.size() < uuid_size) return "";
  return std::string(name.substr(name.size() - uuid_size));
}

FileHead head_of(const FileSight& file) {
  FileHead head;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [id, timestamp, cwd, version, git, base, parent] = json_members(
        json_member(line, "payload"),
        {"id", "timestamp", "cwd", "cli_version", "git", "history_base", "parent_thread_id"});
    head.session_id = json_text_or_empty(id);
    head.created = timestamp_of_token(timestamp).value_or("");
    head.cwd = json_text_or_empty(cwd);
    head.version = json_text_or_empty(version);
    head.git_branch = json_text_or_empty(json_member(git, "branch"));
    head.parent_session = json_text_or_empty(parent);
    const auto [base_id, end] = json_members(base, {"thread_id", "end_byte_offset"});
    if (const auto offset = json_unsigned(end); offset && base_id.starts_with('"'))
      head.base = HistoryBase{json_text_or_empty(base_id), *offset};
    return false;
  });
  head.file_id = name_in_path(file.path);
  if (head.file_id.empty()) head.file_id = head.session_id;
  return head;
}

std::vector<Place> places(const Variables& variable) {
  std::string home = variable("CODEX_HOME");
  if (home.empty()) {
    const std::vector<Place> below = below_home(variable, "/.codex", 0);
    if (below.empty()) return {};
    home = below.front().folder;
  }
  return {{home + "/sessions", 3}, {home + "/archived_sessions", 0}};
}

std::vector<std::string> resume_words(const std::string& session_id) {
  return {"codex", "resume", session_id};
}

// What the agent puts before the first prompt in the user's name, to tell the model where it is.
bool is_surroundings(std::string_view item) {
  constexpr std::string_view beginnings[] = {
      "<environment_context>", "<user_instructions>",          "<permissions instructions>",
      "<turn_aborted>",        "# AGENTS.md instructions for", "<skills_instructions>"};
  bool found = false;
  bool is_first = true;
  for_each_json_element(json_member(item, "content"), [&](std::string_view part) {
    if (!std::exchange(is_first, false)) return;
    const std::string text = json_text_or_empty(json_member(part, "text"));
    for (const std::string_view beginning : beginnings)
      found = found || text.starts_with(beginning);
  });
  return found;
}

void tell_item(std::string_view item, ToldLine& told) {
  const auto [type, role] = json_members(item, {"type", "role"});
  told.type = "agent_entry";
  const bool has_role = type == "\"message\"" || !role.empty();
  if (has_role && role != "\"user\"" && role != "\"assistant\"") return;  // a developer's prompt
  if (role == "\"user\"" && is_surroundings(item)) return;
  told.begins_turn = role == "\"user\"";
  told.type = "message";
  told.payload = item;
}

// The summary, which newer versions have among the items that take the place of the history.
std::string summary_of(std::string_view compacted) {
  const auto [message, history] = json_members(compacted, {"message", "replacement_history"});
  std::string summary = json_text_or_empty(message);
  if (!summary.empty()) return summary;
  for_each_json_element(history, [&](std::string_view item) {
    const auto [type, role] = json_members(item, {"type", "role"});
    if (type != "\"message\"" || role == "\"developer\"" || is_surroundings(item)) return;
    const std::string text = read_message(item).text;
    if (!summary.empty() && !text.empty()) summary += "\n\n";
    summary += text;
  });
  return summary;
}

void tell_event(std::string_view event, ToldLine& told, Memory& memory) {
  const auto [type, info, turns, name] =
      json_members(event, {"type", "info", "num_turns", "thread_name"});
  if (type == "\"token_count\"") {
    // The same figures come again whenever a limit is told.
    const auto [total, last] = json_members(info, {"total_token_usage", "last_token_usage"});
    if (total.empty() || total == memory.counted) return;
    memory.counted = total;
    const auto [input, cached, output] =
        json_members(last, {"input_tokens", "cached_input_tokens", "output_tokens"});
    told.usage = usage_with_cache(input, cached, {output});
  } else if (type == "\"thread_rolled_back\"") {
    told.turns_undone = static_cast<std::size_t>(json_unsigned(turns).value_or(0));
  } else if (type == "\"thread_name_updated\"" && name.starts_with('"')) {
    told.marks.push_back(
        {"session_info", fmt::format(R"({{"title":{}}})", json_quoted(json_text_or_empty(name)))});
  }
}

ToldLine tell(const Line& line, Memory& memory) {
  const auto [type, payload, timestamp] =
      json_members(object_of(line), {"type", "payload", "timestamp"});
  ToldLine told;
  told.timestamp = timestamp;
  if (!payload.starts_with('{')) return told;
  if (type == "\"response_item\"") {
    tell_item(payload, told);
  } else if (type == "\"compacted\"") {
    told.type = "compaction_summary";
    told.begins_anew = true;
    told.made_payload = compaction_payload(summary_of(payload), {});
  } else if (type == "\"turn_context\"") {
    JsonWriter json;
    json.begin_object().key("api").text("openai-responses").key("provider").text("openai");
    json.key("model").text(json_text_or_empty(json_member(payload, "model")));
    told.type = "model_change";
    told.made_payload = json.end_object().take();
  } else if (type == "\"event_msg\"") {
    tell_event(payload, told, memory);
  }
  return told;
}

}  // namespace

const Format codex_format{"codex",      "Codex", is_codex, head_of,     places,
                          name_in_path, nullptr, tell,     write_codex, file_name_of_codex,
                          resume_words};

}  // namespace logwood::exchange
