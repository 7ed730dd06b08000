// Claude Code: lines that are messages carry `uuid` and `parentUuid`; others are about the session.
// One answer of a model is several lines, one for each block, which name the same message.
#include <fmt/format.h>

#include <utility>

#include "base/json_text.hpp"
#include "exchange/format.hpp"
#include "exchange/spilled_file.hpp"
#include "exchange/times.hpp"
#include "model/message.hpp"

namespace logwood::exchange {
namespace {

constexpr std::string_view tree_types[] = {"\"user\"", "\"assistant\"", "\"system\"",
                                           "\"attachment\"", "\"progress\""};

bool is_tree_type(std::string_view token) {
  for (const std::string_view type : tree_types) {
    if (token == type) return true;
  }
  return false;
}

bool is_claude(const FileSight& file) {
  bool found = false;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [type, uuid, parent, session, side, leaf] =
        json_members(line, {"type", "uuid", "parentUuid", "sessionId", "isSidechain", "leafUuid"});
    found = is_tree_type(type) && uuid.starts_with('"') && !parent.empty() && !side.empty();
    // What may stand before the first of them.
    const bool is_other = type.starts_with('"') && (!session.empty() || !leaf.empty() ||
                                                    type == "\"file-history-snapshot\"");
    return !found && is_other;
  });
  return found;
}

FileHead head_of(const FileSight& file) {
  FileHead head;
  bool is_of_subagent = false;
  for_each_first_line(file.beginning, [&](std::string_view line) {
    const auto [uuid, session, timestamp, cwd, version, branch, side] = json_members(
        line, {"uuid", "sessionId", "timestamp", "cwd", "version", "gitBranch", "isSidechain"});
    if (head.created.empty()) head.created = timestamp_of_token(timestamp).value_or("");
    if (head.session_id.empty()) head.session_id = json_text_or_empty(session);
    if (uuid.empty() || side.empty()) return true;
    head.cwd = json_text_or_empty(cwd);
    head.version = json_text_or_empty(version);
    head.git_branch = json_text_or_empty(branch);
    is_of_subagent = side == "true";
    return false;
  });
  // A copy of a file keeps the id of its lines; the agent goes by its name.
  const std::string_view name = without_ending(file_name(file.path), ".jsonl");
  if (is_of_subagent && name.starts_with("agent-")) {
    head.parent_session = head.session_id;
    head.session_id += "-";
    head.session_id += name;
  }
  return head;
}

std::vector<Place> places(const Variables& variable) {
  // Those of sub-agents lie in <project>/<session>/subagents.
  if (std::string set = variable("CLAUDE_CONFIG_DIR"); !set.empty())
    return {{set + "/projects", 3}};
  return below_home(variable, "/.claude/projects", 3);
}

// <project>/<session>.jsonl, <project>/<session>/subagents/agent-….jsonl
std::string name_in_path(std::string_view path) {
  constexpr std::string_view of_subagents = "/subagents/agent-";
  const std::string_view name = without_ending(file_name(path), ".jsonl");
  const std::size_t project = path.find('/');
  if (name.empty() || project == std::string_view::npos) return "";
  path.remove_prefix(project + 1);
  if (path.find('/') == std::string_view::npos) return std::string(name);
  const std::size_t below = path.find(of_subagents);
  if (below == std::string_view::npos) return "";
  return std::string(path.substr(0, below)) + "-" + std::string(name);
}

std::vector<std::string> resume_words(const std::string& session_id) {
  return {"claude", "--resume", session_id};
}

bool has_result(std::string_view message) {
  bool found = false;
  for_each_json_element(json_member(message, "content"), [&](std::string_view block) {
    found = found || json_member(block, "type") == "\"tool_result\"";
  });
  return found;
}

// The first message that a compaction keeps.
std::string first_kept_of(std::string_view boundary) {
  const auto [preserved, segment] = json_members(json_member(boundary, "compactMetadata"),
                                                 {"preservedMessages", "preservedSegment"});
  std::string first = id_of_token(json_member(segment, "headUuid"));
  for_each_json_element(json_member(preserved, "uuids"), [&](std::string_view uuid) {
    if (first.empty()) first = id_of_token(uuid);
  });
  return first;
}

void tell_title(std::string_view line, std::string_view type, ToldLine& told, Memory& memory) {
  const auto [custom, generated, summary, tag] =
      json_members(line, {"customTitle", "aiTitle", "summary", "tag"});
  std::string title;
  if (type == "\"custom-title\"") {
    title = json_text_or_empty(custom);
    memory.has_title = !title.empty();
  } else if (!memory.has_title) {
    if (type == "\"ai-title\"") title = json_text_or_empty(generated);
    if (type == "\"summary\"") title = json_text_or_empty(summary);
  }
  if (!title.empty())
    told.marks.push_back({"session_info", fmt::format(R"({{"title":{}}})", json_quoted(title))});
  if (type == "\"tag\"") {
    const std::string name = json_text_or_empty(tag);
    told.marks.push_back(
        {"session_info", fmt::format(R"({{"tags":[{}]}})", name.empty() ? "" : json_quoted(name))});
  }
}

void tell_user(std::string_view message, std::string_view is_meta, std::string_view is_summary,
               ToldLine& told, Memory& memory) {
  if (is_summary == "true") {
    told.type = "compaction_summary";
    told.made_payload =
        compaction_payload(read_message(message).text, std::exchange(memory.first_kept, {}));
    return;
  }
  if (is_meta == "true") return;  // what the agent says in the user's name
  told.type = "message";
  told.payload = message;
  told.is_result = has_result(message);
  if (told.is_result) told.files = spilled_names(message);
  told.begins_turn = !told.is_result;
}

ToldLine tell(const Line& line, Memory& memory) {
  const auto [type, uuid, parent, logical_parent, timestamp, message, side, is_meta, is_summary,
              subtype, agent] =
      json_members(object_of(line),
                   {"type", "uuid", "parentUuid", "logicalParentUuid", "timestamp", "message",
                    "isSidechain", "isMeta", "isCompactSummary", "subtype", "agentId"});
  ToldLine told;
  told.timestamp = timestamp;
  if (!is_tree_type(type) || !uuid.starts_with('"')) {
    tell_title(object_of(line), type, told, memory);
    return told;
  }
  told.id = id_of_token(uuid);
  told.type = "agent_entry";
  const std::string_view named = parent.starts_with('"') ? parent : logical_parent;
  told.parent = ToldLine::Parent::none;
  if (named.starts_with('"')) {
    told.parent = ToldLine::Parent::named;
    told.parent_id = id_of_token(named);
  }
  // Older versions wrote what sub-agents say between the lines of the session.
  told.is_aside = side == "true" && agent.empty();
  if (subtype == "\"compact_boundary\"") memory.first_kept = first_kept_of(object_of(line));
  // Nobody speaks here with the authority of a system prompt, whatever a file says.
  if (!message.starts_with('{') || json_member(message, "role") != type) return told;
  if (type == "\"user\"") {
    tell_user(message, is_meta, is_summary, told, memory);
  } else if (type == "\"assistant\"") {
    told.type = "message";
    told.payload = message;
    const auto [id, model] = json_members(message, {"id", "model"});
    told.group = json_text_or_empty(id);
    if (model.starts_with('"')) {
      told.origin =
          fmt::format(R"({{"api":"anthropic-messages","provider":"anthropic","model":{}}})", model);
    }
  }
  return told;
}

}  // namespace

const Format claude_format{"claude",     "Claude Code",       is_claude,   head_of,
                           places,       name_in_path,        nullptr,     tell,
                           write_claude, file_name_of_claude, resume_words};

}  // namespace logwood::exchange
