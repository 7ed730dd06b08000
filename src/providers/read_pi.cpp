// Messages in the shape of pi, an agent that keeps those of all providers in one of its own.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/json_writer.hpp"
#include "providers/reading.hpp"

namespace logwood::providers {
namespace {

// What pi keeps of a block of Anthropic's is all of it, so that it can be sent back as it was.
std::string_view anthropic_thinking(const Reading& reading, const canonical::Request& request,
                                    std::string_view thinking, std::string_view signature,
                                    bool is_redacted) {
  JsonWriter json;
  if (is_redacted) {
    json.begin_object().key("type").text("redacted_thinking");
    json.key("data").text(reading.normal(signature));
  } else {
    json.begin_object().key("type").text("thinking");
    json.key("thinking").text(reading.normal(thinking));
    json.key("signature").text(reading.normal(signature));
  }
  return request.keep(json.end_object().take());
}

Part read_block(Reading& reading, std::string_view block, Api api) {
  const auto [type, text, data, mime, thinking, signature, redacted, id, name, arguments] =
      json_members(block, {"type", "text", "data", "mimeType", "thinking", "thinkingSignature",
                           "redacted", "id", "name", "arguments"});
  Part part;
  if (type == "\"text\"") {
    part.text = escaped_text(text);
  } else if (type == "\"image\"") {
    part.kind = PartKind::image;
    part.source = {Source::Kind::base64, reading.normal(mime), reading.normal(data), {}};
  } else if (type == "\"thinking\"") {
    part.kind = PartKind::reasoning;
    part.scope = Scope::model;
    part.text = escaped_text(thinking);
    part.is_redacted = redacted == "true";
    if (api == Api::anthropic_messages && signature.starts_with('"')) {
      part.native = {
          api,
          anthropic_thinking(reading, reading.request(), thinking, signature, part.is_redacted),
          {},
          false};
    }
  } else if (type == "\"toolCall\"") {
    part.kind = PartKind::tool_call;
    part.call_id = reading.plain(id);
    part.name = reading.plain(name);
    part.arguments = arguments.starts_with('{') ? arguments : "{}";
    reading.remember_call(part.call_id, part.name);
  } else {
    part.kind = PartKind::opaque;
  }
  return part;
}

std::vector<Part> read_blocks(Reading& reading, std::string_view content, Api api) {
  std::vector<Part> parts;
  if (content.starts_with('"')) parts.emplace_back().text = escaped_text(content);
  for_each_json_element(
      content, [&](std::string_view block) { parts.push_back(read_block(reading, block, api)); });
  return parts;
}

// A command that the user ran, as pi tells models of it.
std::string told_command(const Reading& reading, std::string_view command,
                         std::string_view output) {
  return fmt::format("Ran `{}`\n```\n{}\n```", reading.plain(command), reading.plain(output));
}

}  // namespace

bool is_pi_message(std::string_view payload) {
  const auto [role_token, api, stop, content] =
      json_members(payload, {"role", "api", "stopReason", "content"});
  const std::string_view role = escaped_text(role_token).inside;
  if (role == "toolResult" || role == "bashExecution" || role == "custom" || role == "hookMessage")
    return true;
  if (role == "assistant" && api.starts_with('"') && stop.starts_with('"')) return true;
  // Most messages are nobody's in particular, and long.
  if (payload.find("\"mimeType\"") == std::string_view::npos &&
      payload.find("\"toolCall\"") == std::string_view::npos) {
    return false;
  }
  bool found = false;
  for_each_json_element(content, [&](std::string_view block) {
    const auto [type, mime] = json_members(block, {"type", "mimeType"});
    found = found || type == "\"toolCall\"" || (type == "\"image\"" && !mime.empty());
  });
  return found;
}

void read_pi_message(Reading& reading, std::string_view payload, Api api) {
  const auto [role_token, content, call_id, name, failed, command, output, excluded] =
      json_members(payload, {"role", "content", "toolCallId", "toolName", "isError", "command",
                             "output", "excludeFromContext"});
  const std::string_view role = escaped_text(role_token).inside;
  if (role == "toolResult") {
    Part part;
    part.kind = PartKind::tool_result;
    part.call_id = reading.plain(call_id);
    part.name = reading.plain(name);
    part.has_failed = failed == "true";
    part.content = read_blocks(reading, content, api);
    reading.add_part(reading.add_message(Role::tool), std::move(part));
    return;
  }
  if (role == "bashExecution") {
    if (excluded == "true") return;
    reading.add_part(reading.add_message(Role::user),
                     made_text(reading, told_command(reading, command, output)));
    return;
  }
  Message& message = reading.add_message(role == "assistant" ? Role::assistant : Role::user);
  for (Part& part : read_blocks(reading, content, api)) reading.add_part(message, std::move(part));
}

}  // namespace logwood::providers
