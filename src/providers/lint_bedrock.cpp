#include <fmt/format.h>

#include <unordered_set>

#include "providers/linting.hpp"

namespace logwood::providers {
namespace {

using Ids = std::unordered_set<std::string>;

struct Message {
  std::string role;
  std::vector<std::string_view> blocks;
  Ids uses = {};
  Ids results = {};
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

bool is_document_name(std::string_view name) {
  if (name.empty() || name.front() == ' ' || name.back() == ' ') return false;
  if (name.find("  ") != std::string_view::npos) return false;
  return name.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-()[] ") ==
         std::string_view::npos;
}

void lint_blocks(Message& message, const std::string& path, Faults& faults) {
  bool has_text = false;
  for (const std::string_view block : message.blocks) {
    has_text = has_text || !json_member(block, "text").empty();
  }
  for (std::size_t j = 0; j < message.blocks.size(); ++j) {
    const std::string place = fmt::format("{}.content.{}", path, j);
    const auto [text, image, document, use, result] =
        json_members(message.blocks[j], {"text", "image", "document", "toolUse", "toolResult"});
    if (!text.empty() && is_blank(said(text))) faults.add("BR-EMPTY", place);
    if ((!image.empty() || !document.empty()) && message.role != "user") {
      faults.add("BR-MEDIA-ROLE", place);
    }
    if (!document.empty()) {
      if (!has_text) faults.add("BR-MEDIA-ROLE", place, "document without text");
      const std::string name = said(json_member(document, "name"));
      if (!is_document_name(name)) faults.add("BR-DOCNAME", place, name);
    }
    if (!use.empty()) {
      const std::string id = said(json_member(use, "toolUseId"));
      if (!is_word(id, 64)) faults.add("BR-ID", place, id);
      message.uses.insert(id);
    }
    if (!result.empty()) message.results.insert(said(json_member(result, "toolUseId")));
  }
}

}  // namespace

void lint_bedrock(std::string_view body, Faults& faults) {
  const auto [messages_token, config] = json_members(body, {"messages", "toolConfig"});
  std::vector<Message> messages;
  bool has_tools = false;
  for_each_json_element(messages_token, [&](std::string_view text) {
    const auto [role, content] = json_members(text, {"role", "content"});
    const std::string path = fmt::format("messages.{}", messages.size());
    Message& message = messages.emplace_back(Message{said(role), elements_of(content)});
    if (message.blocks.empty()) faults.add("BR-EMPTY", path);
    lint_blocks(message, path, faults);
    has_tools = has_tools || !message.uses.empty() || !message.results.empty();
  });
  if (messages.empty() || messages.front().role != "user") faults.add("BR-ALT", "messages.0");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string path = fmt::format("messages.{}", i);
    if (i > 0 && messages[i - 1].role == messages[i].role) faults.add("BR-ALT", path);
    const Ids given = i + 1 < messages.size() ? messages[i + 1].results : Ids();
    for (const std::string& id : messages[i].uses) {
      if (!given.contains(id)) faults.add("BR-PAIR", path, id);
    }
    const Ids asked = i > 0 ? messages[i - 1].uses : Ids();
    for (const std::string& id : messages[i].results) {
      if (!asked.contains(id)) faults.add("BR-PAIR", path, id);
    }
  }
  if (has_tools && elements_of(json_member(config, "tools")).empty()) {
    faults.add("BR-TOOLCONFIG", "toolConfig");
  }
}

}  // namespace logwood::providers
