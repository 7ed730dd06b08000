#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "providers/linting.hpp"

namespace logwood::providers {
namespace {

std::string_view prefix_of(std::string_view type) {
  if (type == "function_call") return "fc_";
  if (type == "custom_tool_call") return "ctc_";
  if (type == "reasoning") return "rs_";
  if (type == "message") return "msg_";
  return {};
}

bool is_known(std::string_view type) {
  return is_one_of(type, {"message",
                          "reasoning",
                          "function_call",
                          "function_call_output",
                          "custom_tool_call",
                          "custom_tool_call_output",
                          "web_search_call",
                          "file_search_call",
                          "code_interpreter_call",
                          "computer_call",
                          "computer_call_output",
                          "image_generation_call",
                          "local_shell_call",
                          "local_shell_call_output",
                          "shell_call",
                          "shell_call_output",
                          "apply_patch_call",
                          "apply_patch_call_output",
                          "mcp_list_tools",
                          "mcp_approval_request",
                          "mcp_approval_response",
                          "mcp_call",
                          "item_reference",
                          "compaction",
                          "compaction_trigger",
                          "configuration_update",
                          "additional_tools",
                          "tool_search_call",
                          "tool_search_output",
                          "program",
                          "program_output"});
}

std::string type_of(std::string_view item) {
  const auto [type, role] = json_members(item, {"type", "role"});
  return type.empty() && !role.empty() ? "message" : said(type);
}

class Linter {
 public:
  Linter(std::string_view body, Faults& faults) : body_(body), faults_(faults) {}

  void run() {
    const auto [input, tools_token, store, previous, conversation] =
        json_members(body_, {"input", "tools", "store", "previous_response_id", "conversation"});
    items_ = elements_of(input);
    if (items_.empty() && (!is_string(input) || input == "\"\"")) {
      return faults_.add("OR-INPUT-EMPTY", "input");
    }
    const auto tools = elements_of(tools_token);
    for (std::size_t i = 0; i < tools.size(); ++i) {
      const auto [type, name] = json_members(tools[i], {"type", "name"});
      if (type == "\"function\"" && !is_word(said(name), 64)) {
        faults_.add("OR-NAME", fmt::format("tools.{}", i), said(name));
      }
    }
    is_stateless_ = store == "false";
    has_history_ = is_there(previous) || is_there(conversation);
    for (std::size_t i = 0; i < items_.size(); ++i) lint_item(i);
    for (const auto& [i, id] : calls_in_order_) {
      if (!outputs_.contains(id)) faults_.add("OR-CALL-UNANSWERED", fmt::format("input.{}", i), id);
    }
  }

 private:
  void lint_item(std::size_t i) {
    const std::string_view item = items_[i];
    const std::string path = fmt::format("input.{}", i);
    const std::string type = type_of(item);
    if (!is_known(type)) return faults_.add("OR-ITEM", path, type);
    const auto [id_token, call_token, name, arguments, output] =
        json_members(item, {"id", "call_id", "name", "arguments", "output"});
    if (is_there(id_token)) lint_id(said(id_token), type, path);
    const std::string call_id = said(call_token);
    if (call_id.size() > 64) faults_.add("OR-CALLID-LEN", path, call_id);
    if (type == "message") lint_message(item, path);
    if (type == "function_call" || type == "custom_tool_call") {
      if (call_id.empty()) {
        faults_.add("OR-ITEM", path, "call_id");
      } else if (!is_word(said(name), 64)) {
        faults_.add("OR-NAME", path, said(name));
      }
      if (type == "function_call" && !is_string(arguments)) {
        faults_.add("OR-ITEM", path, "arguments");
      }
      if (calls_.insert(call_id).second) calls_in_order_.emplace(i, call_id);
    }
    if (type == "function_call_output" || type == "custom_tool_call_output") {
      if (output.empty()) faults_.add("OR-ITEM", path, "output");
      lint_parts(output, path + ".output", {"input_text", "input_image", "input_file"});
      if (!calls_.contains(call_id) && !has_history_) faults_.add("OR-OUT-ORPHAN", path, call_id);
      outputs_.insert(call_id);
    }
    if (type == "reasoning") lint_reasoning(i, path);
  }

  void lint_id(const std::string& id, std::string_view type, const std::string& path) {
    if (id.size() > 64) faults_.add("OR-ITEMID-LEN", path, id);
    if (!id.starts_with(prefix_of(type))) faults_.add("OR-ITEMID-PREFIX", path, id);
    if (type != "item_reference" && !ids_.insert(id).second) faults_.add("OR-DUP-ITEM", path, id);
  }

  void lint_parts(std::string_view parts, const std::string& path,
                  std::initializer_list<std::string_view> taken) {
    const auto all = elements_of(parts);
    for (std::size_t j = 0; j < all.size(); ++j) {
      const std::string type = said(json_member(all[j], "type"));
      if (!is_one_of(type, taken)) faults_.add("OR-PART", fmt::format("{}.{}", path, j), type);
    }
  }

  void lint_message(std::string_view item, const std::string& path) {
    const auto [role_token, content, id, status] =
        json_members(item, {"role", "content", "id", "status"});
    const std::string role = said(role_token);
    if (!is_one_of(role, {"user", "assistant", "system", "developer"})) {
      faults_.add("OR-ITEM", path, "role " + role);
    }
    if (!is_string(content) && !is_array(content)) faults_.add("OR-ITEM", path, "content");
    if (role != "assistant") {
      return lint_parts(content, path + ".content", {"input_text", "input_image", "input_file"});
    }
    lint_parts(content, path + ".content", {"output_text", "refusal"});
    const auto parts = elements_of(content);
    const bool is_output =
        !parts.empty() && json_member(parts.front(), "type") == "\"output_text\"";
    if (is_output && (!is_there(id) || !is_there(status))) {
      faults_.add("OR-ITEM", path, "an output message needs id and status");
    }
  }

  void lint_reasoning(std::size_t i, const std::string& path) {
    const auto [summary, encrypted] = json_members(items_[i], {"summary", "encrypted_content"});
    if (!is_array(summary)) faults_.add("OR-ITEM", path, "summary");
    if (is_stateless_ && !is_string(encrypted)) faults_.add("OR-REASON-ENC", path);
    if (i + 1 < items_.size()) {
      const std::string next = type_of(items_[i + 1]);
      const bool is_said =
          next == "message" && json_member(items_[i + 1], "role") == "\"assistant\"";
      if (next == "reasoning" || next.ends_with("_call") || is_said) return;
    }
    faults_.add("OR-REASON-FOLLOW", path);
  }

  std::string_view body_;
  Faults& faults_;
  std::vector<std::string_view> items_;
  bool is_stateless_ = false;
  bool has_history_ = false;
  std::unordered_set<std::string> ids_;
  std::unordered_set<std::string> calls_;
  std::map<std::size_t, std::string> calls_in_order_;
  std::unordered_set<std::string> outputs_;
};

}  // namespace

void lint_responses(std::string_view body, Faults& faults) { Linter(body, faults).run(); }

}  // namespace logwood::providers
