// OpenAI Chat Completions and those who speak like it.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "providers/linting.hpp"
#include "providers/models.hpp"

namespace logwood::providers {
namespace {

// The calls of one message, until the next that is no result.
struct Open {
  std::size_t at = 0;
  std::vector<std::string> ids = {};
  std::unordered_set<std::string> answered = {};

  bool has(const std::string& id) const { return std::ranges::find(ids, id) != ids.end(); }
};

std::string name_in(std::string_view call_or_tool) {
  const auto [function, custom] = json_members(call_or_tool, {"function", "custom"});
  return said(json_member(function.empty() ? custom : function, "name"));
}

void lint_parts(std::string_view content, std::string_view role, const std::string& path,
                Faults& faults) {
  const auto parts = elements_of(content);
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const auto [type_token, file] = json_members(parts[j], {"type", "file"});
    const std::string type = said(type_token);
    const bool is_taken = role == "user"
                              ? is_one_of(type, {"text", "image_url", "input_audio", "file"})
                          : role == "assistant" ? is_one_of(type, {"text", "refusal"})
                                                : type == "text";
    if (!is_taken) faults.add("OC-PART", fmt::format("{}.content.{}", path, j), type);
    const auto [data, name] = json_members(file, {"file_data", "filename"});
    if (is_there(data) && (!is_string(name) || name == "\"\"")) {
      faults.add("OC-FILE-NAME", fmt::format("{}.content.{}", path, j));
    }
  }
}

void lint_calls(std::string_view calls, const std::string& path, Open& open,
                std::unordered_set<std::string>& seen, Faults& faults) {
  const auto all = elements_of(calls);
  if (all.empty()) return faults.add("OC-TOOLCALLS-SHAPE", path);
  for (std::size_t j = 0; j < all.size(); ++j) {
    const std::string place = fmt::format("{}.tool_calls.{}", path, j);
    const auto [type, id_token, function] = json_members(all[j], {"type", "id", "function"});
    if (type == "\"function\"" && !is_string(json_member(function, "arguments"))) {
      faults.add("OC-TOOLCALLS-SHAPE", place, "arguments");
    }
    const std::string id = said(id_token);
    if (id.size() > 40) faults.add("OC-TOOLID-LEN", place, id);
    if (!seen.insert(id).second) faults.add("OC-TOOLID-DUP", place, id);
    if (const std::string name = name_in(all[j]); !is_word(name, 64)) {
      faults.add("OC-NAME", place, name);
    }
    open.ids.push_back(id);
  }
}

}  // namespace

void lint_chat(std::string_view body, std::string_view dialect, Faults& faults) {
  const auto [messages_token, tools_token, model, effort] =
      json_members(body, {"messages", "tools", "model", "reasoning_effort"});
  const auto messages = elements_of(messages_token);
  if (messages.empty()) return faults.add("OC-MSGS-EMPTY", "messages");
  const auto tools = elements_of(tools_token);
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (const std::string name = name_in(tools[i]); !is_word(name, 64)) {
      faults.add("OC-NAME", fmt::format("tools.{}", i), name);
    }
  }
  if (!tools.empty() && effort != "\"none\"" &&
      Models().of(Api::openai_chat, said(model)).quiet_tools) {
    faults.add("OC-REASON-TOOLS", "reasoning_effort", said(model));
  }
  Open open;
  std::unordered_set<std::string> seen;
  const auto close = [&] {
    for (const std::string& id : open.ids) {
      if (!open.answered.contains(id)) {
        faults.add("OC-TOOLCALL-UNANSWERED", fmt::format("messages.{}", open.at), id);
      }
    }
    open = {};
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string path = fmt::format("messages.{}", i);
    const auto [role_token, content, call_id, calls, function_call, audio, reasoning] =
        json_members(messages[i], {"role", "content", "tool_call_id", "tool_calls", "function_call",
                                   "audio", "reasoning_content"});
    const std::string role = said(role_token);
    if (!is_one_of(role, {"developer", "system", "user", "assistant", "tool", "function"})) {
      faults.add("OC-ROLE", path, role);
      continue;
    }
    lint_parts(content, role, path, faults);
    if (role == "tool") {
      const std::string id = said(call_id);
      if (!open.has(id)) faults.add("OC-TOOL-ORPHAN", path, id);
      open.answered.insert(id);
      if (!is_there(content)) faults.add("OC-PART", path, "content required");
      continue;
    }
    close();
    if (role != "assistant") continue;
    const bool is_empty = !is_there(content) || (is_array(content) && elements_of(content).empty());
    if (is_empty && calls.empty() && function_call.empty() && !is_there(audio)) {
      faults.add("OC-ASSISTANT-EMPTY", path);
    }
    if (calls.empty()) continue;
    open.at = i;
    lint_calls(calls, path, open, seen, faults);
    if (dialect == "deepseek" && !is_string(reasoning)) faults.add("DS-REASONING", path);
  }
  close();
}

void lint_mistral(std::string_view body, Faults& faults) {
  const auto messages = elements_of(json_member(body, "messages"));
  std::vector<std::string> open;
  std::string previous;
  const auto close = [&](const std::string& path) {
    for (const std::string& id : open) faults.add("MI-PAIR", path, id);
    open.clear();
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string path = fmt::format("messages.{}", i);
    const auto [role_token, call_id, calls] =
        json_members(messages[i], {"role", "tool_call_id", "tool_calls"});
    const std::string role = said(role_token);
    if (role == "user" && previous == "tool") faults.add("MI-ORDER", path);
    previous = role;
    if (role == "tool") {
      if (std::erase(open, said(call_id)) == 0) faults.add("MI-PAIR", path, said(call_id));
      continue;
    }
    close(path);
    for_each_json_element(calls, [&](std::string_view call) {
      const std::string id = said(json_member(call, "id"));
      const bool is_taken =
          id.size() == 9 && is_word(id, 9) && id.find_first_of("_-") == std::string::npos;
      if (!is_taken) faults.add("MI-ID", path, id);
      open.push_back(id);
    });
  }
  close("messages");
  const bool goes_on = !messages.empty() && previous == "assistant" &&
                       json_member(messages.back(), "prefix") == "true";
  if (!is_one_of(previous, {"user", "tool"}) && !goes_on) faults.add("MI-LAST", "messages");
}

}  // namespace logwood::providers
