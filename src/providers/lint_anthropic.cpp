#include <fmt/format.h>

#include <unordered_set>

#include "providers/linting.hpp"
#include "providers/models.hpp"

namespace logwood::providers {
namespace {

struct Block {
  std::string_view json;
  std::string type;
  std::string id;  // of a call, or of the call that a result answers
};

struct Turn {  // messages of one role that the server joins
  std::string role;
  std::size_t at = 0;
  std::vector<Block> blocks = {};
};

bool is_server_result(const Block& block) { return block.type.ends_with("_tool_result"); }

class Linter {
 public:
  Linter(std::string_view body, Faults& faults) : body_(body), faults_(faults) {}

  void run() {
    const auto [messages, model, max_tokens, system, tools, thinking] =
        json_members(body_, {"messages", "model", "max_tokens", "system", "tools", "thinking"});
    can_ = Models().of(Api::anthropic_messages, said(model));
    if (max_tokens.empty() || max_tokens == "null" || is_string(max_tokens)) {
      faults_.add("AN-MAXTOK", "max_tokens");
    }
    messages_ = elements_of(messages);
    if (messages_.empty()) return faults_.add("AN-MSGS-EMPTY", "messages");
    lint_system(system);
    lint_tools(tools);
    for (std::size_t i = 0; i < messages_.size(); ++i) lint_message(i);
    lint_turns();
    lint_thinking(thinking, max_tokens);
    if (cache_hints_ > 4) {
      faults_.add("AN-CACHE-4", "cache_control", std::to_string(cache_hints_));
    }
  }

 private:
  void count_hint(std::string_view block) {
    if (is_there(json_member(block, "cache_control"))) ++cache_hints_;
  }

  void lint_system(std::string_view system) {
    const auto blocks = elements_of(system);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      count_hint(blocks[i]);
      const auto [type, text] = json_members(blocks[i], {"type", "text"});
      if (type != "\"text\"") {
        faults_.add("AN-BLOCK-TYPE", fmt::format("system.{}", i), said(type));
      } else if (text == "\"\"") {
        faults_.add("AN-TEXT-EMPTY", fmt::format("system.{}", i));
      }
    }
  }

  void lint_tools(std::string_view tools) {
    const auto all = elements_of(tools);
    for (std::size_t i = 0; i < all.size(); ++i) {
      count_hint(all[i]);
      const auto [schema, name] = json_members(all[i], {"input_schema", "name"});
      if (!schema.empty() && !is_word(said(name), 128)) {
        faults_.add("AN-TOOLNAME", fmt::format("tools.{}.name", i), said(name));
      }
    }
  }

  static std::vector<Block> blocks_of(std::string_view content) {
    std::vector<Block> blocks;
    if (is_string(content)) blocks.push_back({content, "text", {}});
    for_each_json_element(content, [&](std::string_view json) {
      const auto [type, id, result_id] = json_members(json, {"type", "id", "tool_use_id"});
      blocks.push_back({json, said(type), said(result_id.empty() ? id : result_id)});
    });
    return blocks;
  }

  void lint_message(std::size_t i) {
    const auto [role_token, content, config] =
        json_members(messages_[i], {"role", "content", "output_config"});
    const std::string role = said(role_token);
    const std::string path = fmt::format("messages.{}", i);
    if (!is_one_of(role, {"user", "assistant", "system"})) {
      return faults_.add("AN-ROLE", path, role);
    }
    std::vector<Block> blocks = blocks_of(content);
    const bool is_last = i + 1 == messages_.size();
    if (role == "system") {
      lint_system_message(i, path, blocks, content, config);
      return;
    }
    if ((blocks.empty() || content == "\"\"") && !(is_last && role == "assistant")) {
      faults_.add("AN-CONTENT-EMPTY", path);
    }
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      const std::string place = fmt::format("{}.content.{}", path, j);
      count_hint(blocks[j].json);
      if (is_array(content) && blocks[j].type == "text" &&
          json_member(blocks[j].json, "text") == "\"\"") {
        faults_.add("AN-TEXT-EMPTY", place);
      }
      if (role == "assistant") {
        lint_assistants(blocks, j, place, is_last);
      } else {
        lint_users(blocks[j], place);
      }
    }
    if (turns_.empty() || turns_.back().role != role) turns_.push_back({role, i});
    auto& into = turns_.back().blocks;
    into.insert(into.end(), std::make_move_iterator(blocks.begin()),
                std::make_move_iterator(blocks.end()));
  }

  std::string role_at(std::size_t i) const { return said(json_member(messages_[i], "role")); }

  void lint_system_message(std::size_t i, const std::string& path, const std::vector<Block>& blocks,
                           std::string_view content, std::string_view config) {
    if (!can_.mid_system) {
      faults_.add("AN-SYS-MODEL", path, said(json_member(body_, "model")));
    }
    if (is_array(content) && blocks.empty() && !config.empty()) return;  // a directive
    std::size_t before = i;
    while (before > 0 && role_at(before - 1) == "system") --before;
    if (before == 0) {
      faults_.add("AN-SYS-FIRST", path);
    } else {
      const auto previous = blocks_of(json_member(messages_[before - 1], "content"));
      const bool ends_in_result = !previous.empty() && is_server_result(previous.back());
      const std::string role = role_at(before - 1);
      if (role != "user" && !(role == "assistant" && ends_in_result)) {
        faults_.add("AN-SYS-FOLLOW", path);
      }
      std::size_t after = i + 1;
      while (after < messages_.size() && role_at(after) == "system") ++after;
      if (after < messages_.size() && role_at(after) != "assistant") {
        faults_.add("AN-SYS-PRECEDE", path);
      }
    }
    if (blocks.empty() || content == "\"\"") faults_.add("AN-SYS-CONTENT", path, "empty");
    for (const Block& block : blocks) {
      if (!is_one_of(block.type, {"text", "tool_addition", "tool_removal"})) {
        faults_.add("AN-SYS-CONTENT", path, block.type);
      }
    }
  }

  void lint_assistants(const std::vector<Block>& blocks, std::size_t j, const std::string& place,
                       bool is_last) {
    const Block& block = blocks[j];
    if (!is_server_result(block) &&
        !is_one_of(block.type, {"text", "thinking", "redacted_thinking", "tool_use",
                                "server_tool_use", "container_upload", "compaction", "fallback",
                                "mcp_tool_use", "mcp_tool_listing"})) {
      faults_.add("AN-BLOCK-TYPE", place, block.type);
    }
    if (block.type == "thinking") {
      const std::string_view signature = json_member(block.json, "signature");
      if (!is_string(signature) || signature == "\"\"") faults_.add("AN-THINK-SIG", place);
    }
    if (block.type == "tool_use") {
      const auto [input, name] = json_members(block.json, {"input", "name"});
      if (!is_word(block.id, block.id.size())) {
        faults_.add("AN-TOOLID", place, block.id);
      } else if (block.id.size() > 64) {
        faults_.add("AN-TOOLID-LEN", place, block.id);
      }
      if (!ids_.insert(block.id).second) faults_.add("AN-TOOLID-DUP", place, block.id);
      if (!is_object(input)) faults_.add("AN-TOOL-INPUT", place);
      if (!is_word(said(name), 128)) faults_.add("AN-TOOLNAME", place, said(name));
      if (j + 1 < blocks.size() && blocks[j + 1].type != "tool_use") {
        faults_.add("AN-TOOLUSE-LAST", place);
      }
    }
    if (block.type == "server_tool_use" && !is_last) {
      bool is_answered = false;
      for (std::size_t k = j + 1; k < blocks.size(); ++k) {
        is_answered = is_answered || (is_server_result(blocks[k]) && blocks[k].id == block.id);
      }
      if (!is_answered) faults_.add("AN-SRVTOOL-PAIR", place, block.id);
    }
  }

  void lint_users(const Block& block, const std::string& place) {
    if (is_one_of(block.type, {"thinking", "redacted_thinking"})) {
      faults_.add("AN-THINK-ROLE", place);
    } else if (!is_one_of(block.type, {"text", "image", "document", "search_result", "tool_result",
                                       "container_upload", "compaction"})) {
      faults_.add("AN-BLOCK-TYPE", place, block.type);
    }
    if (block.type == "image") lint_image(block.json, place);
    if (block.type != "tool_result") return;
    const auto [content, failed] = json_members(block.json, {"content", "is_error"});
    const auto inner = elements_of(content);
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const std::string spot = fmt::format("{}.content.{}", place, k);
      count_hint(inner[k]);
      const auto [type_token, text] = json_members(inner[k], {"type", "text"});
      const std::string type = said(type_token);
      if (!is_one_of(type, {"text", "image", "search_result", "document", "tool_reference",
                            "browser_state"})) {
        faults_.add("AN-BLOCK-TYPE", spot, type);
      }
      if (type == "text" && text == "\"\"") faults_.add("AN-TEXT-EMPTY", spot);
      if (failed == "true" && type != "text") faults_.add("AN-ERRRES-TEXT", spot);
      if (type == "image") lint_image(inner[k], spot);
    }
  }

  void lint_image(std::string_view block, const std::string& place) {
    const auto [type, media_type] =
        json_members(json_member(block, "source"), {"type", "media_type"});
    if (type == "\"base64\"" &&
        !is_one_of(said(media_type), {"image/jpeg", "image/png", "image/gif", "image/webp"})) {
      faults_.add("AN-IMG-MIME", place, said(media_type));
    }
  }

  static std::unordered_set<std::string> ids_in(const Turn& turn, std::string_view type) {
    std::unordered_set<std::string> ids;
    for (const Block& block : turn.blocks) {
      if (block.type == type) ids.insert(block.id);
    }
    return ids;
  }

  void lint_turns() {
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const Turn& turn = turns_[i];
      const std::string path = fmt::format("messages.{}", turn.at);
      if (turn.role == "assistant") {
        const auto answered = i + 1 < turns_.size() ? ids_in(turns_[i + 1], "tool_result")
                                                    : std::unordered_set<std::string>();
        for (const Block& block : turn.blocks) {
          if (block.type == "tool_use" && !answered.contains(block.id)) {
            faults_.add("AN-TOOLUSE-UNANSWERED", path, block.id);
          }
        }
        continue;
      }
      const auto asked =
          i > 0 ? ids_in(turns_[i - 1], "tool_use") : std::unordered_set<std::string>();
      bool has_others = false;
      for (const Block& block : turn.blocks) {
        if (block.type != "tool_result") {
          has_others = true;
          continue;
        }
        if (!asked.contains(block.id)) faults_.add("AN-TOOLRES-UNMATCHED", path, block.id);
        if (has_others) faults_.add("AN-TOOLRES-FIRST", path);
      }
    }
    if (turns_.empty()) return;
    if (turns_.front().role == "assistant") faults_.add("AN-FIRST-USER", "messages.0");
    const Turn& last = turns_.back();
    if (last.role == "assistant" && !can_.prefill && ids_in(last, "server_tool_use").empty()) {
      faults_.add("AN-PREFILL", fmt::format("messages.{}", last.at));
    }
  }

  void lint_thinking(std::string_view thinking, std::string_view max_tokens) {
    const auto [type, budget_token] = json_members(thinking, {"type", "budget_tokens"});
    if (type != "\"enabled\"") return;
    const auto budget = json_unsigned(budget_token);
    const auto limit = json_unsigned(max_tokens);
    if (!budget || *budget < 1024 || (limit && *budget >= *limit)) {
      faults_.add("AN-THINK-BUDGET", "thinking.budget_tokens");
    }
    // The open loop: calls, and their results as the last thing said.
    if (turns_.size() < 2 || turns_.back().role != "user") return;
    const Turn& asking = turns_[turns_.size() - 2];
    if (ids_in(asking, "tool_use").empty() || ids_in(turns_.back(), "tool_result").empty()) return;
    if (!is_one_of(asking.blocks.front().type, {"thinking", "redacted_thinking"})) {
      faults_.add("AN-THINK-START", fmt::format("messages.{}.content.0", asking.at));
    }
  }

  std::string_view body_;
  Faults& faults_;
  Capabilities can_;
  std::vector<std::string_view> messages_;
  std::vector<Turn> turns_;
  std::unordered_set<std::string> ids_;
  std::size_t cache_hints_ = 0;
};

}  // namespace

void lint_anthropic(std::string_view body, Faults& faults) { Linter(body, faults).run(); }

}  // namespace logwood::providers
