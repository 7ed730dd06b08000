// OpenAI Chat Completions, and the dialects of those who speak it: a list of messages, of which the
// first may be system prompts and each result of a tool is one.
#include <string>
#include <utility>

#include "providers/reading.hpp"
#include "providers/stop_reason.hpp"

namespace logwood::providers {
namespace {

Part read_part(const Reading& reading, std::string_view json) {
  const auto [type_token, text, refusal, image, audio, file] =
      json_members(json, {"type", "text", "refusal", "image_url", "input_audio", "file"});
  const std::string_view type = escaped_text(type_token).inside;
  Part part;
  part.native = {Api::openai_chat, json, {}, false};
  if (type == "text") {
    part.text = escaped_text(text);
  } else if (type == "refusal") {
    part.kind = PartKind::refusal;
    part.text = escaped_text(refusal);
  } else if (type == "image_url") {
    const auto [url, detail] = json_members(image, {"url", "detail"});
    part.kind = PartKind::image;
    part.source = source_at(reading, url);
    part.detail = escaped_text(detail);
  } else if (type == "input_audio") {
    const auto [data, format] = json_members(audio, {"data", "format"});
    part.kind = PartKind::audio;
    part.source = {Source::Kind::base64,
                   {format == "\"mp3\"" ? "audio/mpeg" : "audio/wav"},
                   reading.normal(data),
                   {}};
  } else if (type == "file") {
    const auto [id, data, name] = json_members(file, {"file_id", "file_data", "filename"});
    part.kind = PartKind::document;
    part.source = openai_file(reading, id, data);
    part.title = escaped_text(name);
  } else if (!reading.read_attachment(json, part)) {
    part.kind = PartKind::opaque;
  }
  return part;
}

Spelling spelling_of(std::string_view content) {
  if (content.empty()) return Spelling::absent;
  if (content == "null") return Spelling::null;
  return content.starts_with('"') ? Spelling::string : Spelling::array;
}

Part read_call(Reading& reading, std::string_view json) {
  const auto [id, type, function, custom] =
      json_members(json, {"id", "type", "function", "custom"});
  Part call;
  call.kind = PartKind::tool_call;
  call.native = {Api::openai_chat, json, {}, false};
  call.call_id = reading.plain(id);
  if (type == "\"custom\"") {
    const auto [name, input] = json_members(custom, {"name", "input"});
    call.is_custom = true;
    call.name = reading.plain(name);
    call.arguments =
        reading.request().keep("{\"input\":" + std::string(input.empty() ? "\"\"" : input) + "}");
  } else {
    const auto [name, arguments] = json_members(function, {"name", "arguments"});
    call.name = reading.plain(name);
    take_arguments(reading, arguments, call);
  }
  reading.remember_call(call.call_id, call.name);
  return call;
}

// What some endpoints give beside the content: the name of the member is part of what was said.
void read_reasoning(Reading& reading, std::string_view json, std::string_view field,
                    Message& message) {
  Part part;
  part.kind = PartKind::reasoning;
  part.native = {Api::openai_chat, json, field, false};
  if (json.starts_with('"')) {
    part.text = escaped_text(json);
  } else if (json.starts_with('[')) {
    part.scope = Scope::model;
    std::string all;
    for_each_json_element(json, [&](std::string_view detail) {
      const auto [text, summary] = json_members(detail, {"text", "summary"});
      all += unescaped(escaped_text(text.starts_with('"') ? text : summary));
    });
    part.text = reading.escaped(all);
  } else {
    return;
  }
  reading.add_part(message, std::move(part));
}

void read_assistant_message(Reading& reading, std::string_view json, std::string_view content) {
  const auto [name, refusal, calls, thought, told, details, finish] =
      json_members(json, {"name", "refusal", "tool_calls", "reasoning_content", "reasoning",
                          "reasoning_details", "finish_reason"});
  Message& message = reading.add_message(Role::assistant);
  message.name = escaped_text(name);
  message.spelling = spelling_of(content);
  message.stop = stop_reason(Api::openai_chat, escaped_text(finish).inside);
  read_reasoning(reading, thought, "reasoning_content", message);
  // OpenRouter says the same twice.
  if (details.empty()) read_reasoning(reading, told, "reasoning", message);
  read_reasoning(reading, details, "reasoning_details", message);
  for (Part& part : read_content(reading, content, read_part))
    reading.add_part(message, std::move(part));
  if (refusal.starts_with('"') && refusal.size() > 2) {
    Part part;
    part.kind = PartKind::refusal;
    part.native = {Api::openai_chat, refusal, "refusal", false};
    part.text = escaped_text(refusal);
    reading.add_part(message, std::move(part));
  }
  for_each_json_element(
      calls, [&](std::string_view call) { reading.add_part(message, read_call(reading, call)); });
  settle_stop(message);
}

}  // namespace

void read_chat_message(Reading& reading, std::string_view json) {
  const auto [role_token, content, name, call_id] =
      json_members(json, {"role", "content", "name", "tool_call_id"});
  const std::string_view role = escaped_text(role_token).inside;
  if (role == "assistant") return read_assistant_message(reading, json, content);
  if (role == "tool") {
    Part part;
    part.kind = PartKind::tool_result;
    part.native = {Api::openai_chat, json, {}, false};
    part.call_id = reading.plain(call_id);
    part.name = reading.name_of_call(part.call_id);
    part.content = read_content(reading, content, read_part);
    reading.add_part(reading.add_message(Role::tool), std::move(part));
    return;
  }
  const bool is_developers = role == "developer";
  if ((role == "system" || is_developers) && reading.is_at_start()) {
    for (Part& part : read_content(reading, content, read_part)) {
      part.is_developers = is_developers;
      reading.request().system.push_back(std::move(part));
    }
    return;
  }
  Message& message =
      reading.add_message(role == "system" || is_developers ? Role::system : Role::user);
  message.is_developers = is_developers;
  if (message.role == Role::user) message.name = escaped_text(name);
  message.spelling = spelling_of(content);
  for (Part& part : read_content(reading, content, read_part))
    reading.add_part(message, std::move(part));
}

JsonCheck read_chat_body(Reading& reading, std::string_view body) {
  JsonValues<2> members;
  const JsonCheck check = check_json(body, {"tools", "messages"}, members);
  if (!check) return check;
  const auto& [tools, messages] = members;
  read_tools(reading, Api::openai_chat, tools);
  for_each_json_element(messages,
                        [&](std::string_view message) { read_chat_message(reading, message); });
  return check;
}

}  // namespace logwood::providers
