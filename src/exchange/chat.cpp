// Chats in no agent's format, and shapes that agents had before they had one: messages with `role`
// and `content`, as lines or as a list, alone or in {"messages": […]}; lines of a tree with `type`
// and `content`; and flat transcripts of user, assistant, tool_use and tool_result.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/format.hpp"
#include "exchange/times.hpp"

namespace logwood::exchange {
namespace {

constexpr std::string_view said_by[] = {"\"user\"", "\"assistant\"", "\"tool\"", "\"human\"",
                                        "\"ai\""};
constexpr std::string_view told_types[] = {"\"user\"",      "\"assistant\"",   "\"tool_use\"",
                                           "\"tool_call\"", "\"tool_result\"", "\"system\""};

template <std::size_t count>
bool is_one_of(std::string_view token, const std::string_view (&words)[count]) {
  return std::find(std::begin(words), std::end(words), token) != std::end(words);
}

// A message, in either of the words for who says it.
bool is_message(std::string_view object) {
  const auto [role, type, content, calls, tool] =
      json_members(object, {"role", "type", "content", "tool_calls", "tool_use_id"});
  if (is_one_of(role, said_by) || role == "\"system\"" || role == "\"developer\"")
    return !content.empty() || !calls.empty();
  return is_one_of(type, told_types) && (!content.empty() || !tool.empty());
}

bool is_header(std::string_view object) {
  const auto [type, id, cwd] = json_members(object, {"type", "id", "cwd"});
  return type == "\"session\"" && id.starts_with('"') && cwd.empty();
}

bool is_lines(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  return first.starts_with('{') && static_cast<bool>(check_json(first)) &&
         (is_message(first) || is_header(first));
}

// The list in a document; empty: it is none.
std::string_view messages_in(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || !check_json(bytes)) return {};
  const std::string_view value = bytes.substr(begin);
  return value.starts_with('[') ? value : json_member(value, "messages");
}

bool is_chat(const FileSight& file) {
  if (is_lines(file.beginning)) return true;
  bool found = false;
  for_each_json_element(messages_in(file.beginning),
                        [&](std::string_view message) { found = found || is_message(message); });
  return found;
}

FileHead head_of(const FileSight& file) {
  FileHead head;
  std::string_view name = file_name(file.path);
  head.session_id = name.substr(0, name.find('.'));
  const auto take = [&](std::string_view object) {
    const auto [type, id, created, timestamp, ts, cwd, key] =
        json_members(object, {"type", "id", "created", "timestamp", "ts", "cwd", "key"});
    if (type == "\"session\"" && id.starts_with('"')) head.session_id = json_text_or_empty(id);
    for (const std::string_view token : {created, timestamp, ts}) {
      if (head.created.empty()) head.created = timestamp_of_token(token).value_or("");
    }
    if (head.cwd.empty()) head.cwd = json_text_or_empty(cwd);
    if (head.key.empty()) head.key = json_text_or_empty(key);
    return false;
  };
  if (is_lines(file.beginning)) {
    for_each_first_line(file.beginning, take);
  } else {
    const std::size_t begin = file.beginning.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos) take(file.beginning.substr(begin));
  }
  if (head.session_id.empty()) head.session_id = "chat";
  return head;
}

void split(std::string_view bytes, const PieceVisitor& visit) {
  if (is_lines(bytes)) return split_lines(bytes, visit);
  split_array(bytes, messages_in(bytes), visit);
}

// Some store the blocks of a message as a text that is JSON.
std::string content_of(std::string_view content) {
  if (!content.starts_with('"')) return content.empty() ? "\"\"" : std::string(content);
  const std::string text = json_text_or_empty(content);
  const bool is_blocks = text.starts_with("[{") && check_json(text);
  return is_blocks ? text : std::string(content);
}

// A call or a result that is a line of its own.
void tell_tool(std::string_view object, std::string_view type, ToldLine& told) {
  const auto [id, name, input, output, content, metadata] =
      json_members(object, {"tool_use_id", "name", "input", "output", "content", "metadata"});
  const auto [meta_id, meta_name, meta_input] =
      json_members(metadata, {"toolCallId", "toolName", "input"});
  const auto either = [](std::string_view a, std::string_view b, std::string_view otherwise) {
    return !a.empty() ? a : (!b.empty() ? b : otherwise);
  };
  const std::string_view call = either(id, meta_id, "\"\"");
  JsonWriter json;
  json.begin_object().key("role");
  if (type == "\"tool_result\"") {
    json.text("user").key("content").begin_array().begin_object().key("type").text("tool_result");
    json.key("tool_use_id").json(call).key("content").json(either(output, content, "\"\""));
  } else {
    json.text("assistant").key("content").begin_array().begin_object().key("type").text("tool_use");
    json.key("id").json(call).key("name").json(either(name, meta_name, "\"tool\""));
    const std::string_view given = either(input, meta_input, "{}");
    json.key("input");
    if (given.starts_with('{')) {
      json.json(given);
    } else {
      json.begin_object().key("input").json(given).end_object();
    }
  }
  told.type = "message";
  told.made_payload = json.end_object().end_array().end_object().take();
}

ToldLine tell(const Line& line, Memory&) {
  const std::string_view object = object_of(line);
  const auto [id, parent, role, type, content, calls, timestamp, ts, created, title, usage] =
      json_members(object, {"id", "parentId", "role", "type", "content", "tool_calls", "timestamp",
                            "ts", "created", "title", "usage"});
  ToldLine told;
  told.timestamp = !timestamp.empty() ? timestamp : (!ts.empty() ? ts : created);
  if (is_header(object)) {
    if (title.starts_with('"'))
      told.marks.push_back({"session_info", fmt::format(R"({{"title":{}}})", title)});
    return told;
  }
  if (!is_message(object)) return told;
  told.type = "agent_entry";
  told.id = id_of_token(id);
  if (parent.starts_with('"')) {
    told.parent = ToldLine::Parent::named;
    told.parent_id = id_of_token(parent);
  } else if (parent == "null") {
    told.parent = ToldLine::Parent::none;
  }
  if (role.empty() &&
      (type == "\"tool_use\"" || type == "\"tool_call\"" || type == "\"tool_result\"")) {
    tell_tool(object, type, told);
    return told;
  }
  std::string_view who = role.empty() ? type : role;
  if (who == "\"human\"") who = "\"user\"";
  if (who == "\"ai\"") who = "\"assistant\"";
  if (!is_one_of(who, said_by)) return told;  // a system prompt is not taken over
  told.type = "message";
  told.begins_turn = who == "\"user\"";
  if (!calls.empty() || who == "\"tool\"") {  // as OpenAI has it
    told.payload = object;
    return told;
  }
  JsonWriter json;
  json.begin_object().key("role").json(who).key("content").json(content_of(content));
  if (usage.starts_with('{')) json.key("usage").json(usage);
  told.made_payload = json.end_object().take();
  return told;
}

}  // namespace

const Format chat_format{"chat", "plain chat", is_chat, head_of, nullptr, nullptr,
                         split,  tell,         nullptr, nullptr, nullptr};

}  // namespace logwood::exchange
