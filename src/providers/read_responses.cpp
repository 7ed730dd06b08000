// OpenAI Responses: a flat list of items. What the model says between two things said to it, be it
// text, reasoning or calls, is one message here.
#include <array>
#include <string>
#include <utility>

#include "providers/reading.hpp"
#include "providers/stop_reason.hpp"

namespace logwood::providers {
namespace {

// The stream broke off in it.
bool is_unfinished(std::string_view status) {
  return status == "\"in_progress\"" || status == "\"incomplete\"";
}

constexpr Native in_previous = {Api::openai_responses, {}, {}, true};

Source read_source(const Reading& reading, std::string_view file_id, std::string_view data,
                   std::string_view url) {
  const bool is_at_address = !file_id.starts_with('"') && url.starts_with('"');
  return is_at_address ? source_at(reading, url) : openai_file(reading, file_id, data);
}

Part read_part(const Reading& reading, std::string_view json) {
  const auto [type_token, text, annotations, refusal, image_url, detail, file_id, file_data,
              file_url, filename] =
      json_members(json, {"type", "text", "annotations", "refusal", "image_url", "detail",
                          "file_id", "file_data", "file_url", "filename"});
  const std::string_view type = escaped_text(type_token).inside;
  Part part;
  part.native = {Api::openai_responses, json, {}, false};
  if (type == "input_text" || type == "output_text") {
    part.text = escaped_text(text);
    for_each_json_element(annotations, [&](std::string_view annotation) {
      const auto [kind, title, name, url] =
          json_members(annotation, {"type", "title", "filename", "url"});
      part.citations.push_back({escaped_text(kind),
                                escaped_text(title.starts_with('"') ? title : name),
                                escaped_text(url),
                                {}});
    });
  } else if (type == "refusal") {
    part.kind = PartKind::refusal;
    part.text = escaped_text(refusal);
  } else if (type == "input_image") {
    part.kind = PartKind::image;
    part.source = read_source(reading, file_id, {}, image_url);
    part.detail = escaped_text(detail);
  } else if (type == "input_file") {
    part.kind = PartKind::document;
    part.source = read_source(reading, file_id, file_data, file_url);
    part.title = escaped_text(filename);
  } else if (!reading.read_attachment(json, part)) {
    part.kind = PartKind::opaque;
  }
  return part;
}

void read_input_message(Reading& reading, std::string_view role, std::string_view content,
                        bool is_typed) {
  const bool is_developers = role == "developer";
  const bool is_system = role == "system" || is_developers;
  std::vector<Part> parts = read_content(reading, content, read_part);
  if (is_system && reading.is_at_start()) {
    for (Part& part : parts) {
      part.is_developers = is_developers;
      part.was_item = true;
      reading.request().system.push_back(std::move(part));
    }
    return;
  }
  Message& message = reading.add_message(is_system ? Role::system : Role::user);
  message.is_developers = is_developers;
  message.spelling = content.starts_with('"') ? Spelling::string : Spelling::array;
  message.is_typed = is_typed && !is_system;
  for (Part& part : parts) reading.add_part(message, std::move(part));
}

// The item's bytes belong to the first of its parts; the others are in them.
void read_output_message(Reading& reading, std::string_view item, std::string_view content) {
  std::vector<Part> parts = read_content(reading, content, read_part);
  Message& message = reading.open_assistant();
  bool is_first = true;
  for (Part& part : parts) {
    part.native = is_first ? Native{Api::openai_responses, item, {}, false} : in_previous;
    if (is_first) part.phase = escaped_text(json_member(item, "phase"));
    is_first = false;
    reading.add_part(message, std::move(part));
  }
}

void read_reasoning(Reading& reading, std::string_view item) {
  const auto [summary, content, encrypted, status] =
      json_members(item, {"summary", "content", "encrypted_content", "status"});
  std::string all;
  for (const std::string_view texts : {summary, content}) {
    for_each_json_element(texts, [&](std::string_view text) {
      if (!all.empty()) all += '\n';
      all += unescaped(escaped_text(json_member(text, "text")));
    });
  }
  Part part;
  part.kind = PartKind::reasoning;
  part.native = {Api::openai_responses, item, {}, false};
  part.scope = Scope::model;
  part.text = reading.escaped(all);
  part.is_incomplete = is_unfinished(status);
  part.is_on_server = !encrypted.starts_with('"') || encrypted.size() == 2;
  if (part.is_on_server) part.scope = Scope::server;
  reading.add_part(reading.open_assistant(), std::move(part));
}

void read_call(Reading& reading, std::string_view item, bool is_custom) {
  const auto [id, name, arguments, input, status] =
      json_members(item, {"call_id", "name", "arguments", "input", "status"});
  Part call;
  call.kind = PartKind::tool_call;
  call.native = {Api::openai_responses, item, {}, false};
  call.call_id = reading.plain(id);
  call.name = reading.plain(name);
  call.is_custom = is_custom;
  call.is_incomplete = is_unfinished(status);
  if (is_custom) {
    call.arguments =
        reading.request().keep("{\"input\":" + std::string(input.empty() ? "\"\"" : input) + "}");
  } else {
    take_arguments(reading, arguments, call);
  }
  reading.remember_call(call.call_id, call.name);
  reading.add_part(reading.open_assistant(), std::move(call));
}

void read_output(Reading& reading, std::string_view item, bool is_custom) {
  const auto [id, output] = json_members(item, {"call_id", "output"});
  Part part;
  part.kind = PartKind::tool_result;
  part.native = {Api::openai_responses, item, {}, false};
  part.call_id = reading.plain(id);
  part.name = reading.name_of_call(part.call_id);
  part.is_custom = is_custom;
  part.content = read_content(reading, output, read_part);
  reading.add_part(reading.add_message(Role::tool), std::move(part));
}

// A tool that OpenAI runs itself: one item is the call and, as far as it can be read, the result.
void read_hosted_call(Reading& reading, std::string_view item, std::string_view type) {
  const auto [id, name, action, code, queries, arguments, outputs, output, error] = json_members(
      item, {"id", "name", "action", "code", "queries", "arguments", "outputs", "output", "error"});
  const auto object_of = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return std::string_view("{}");
    return reading.request().keep("{\"" + std::string(key) + "\":" + std::string(value) + "}");
  };
  Part call;
  call.kind = PartKind::tool_call;
  call.native = {Api::openai_responses, item, {}, false};
  call.is_providers = true;
  call.call_id = reading.plain(id);
  call.name = type == "mcp_call" ? reading.plain(name) : type.substr(0, type.size() - 5);
  call.arguments = "{}";
  std::vector<Part> content;
  if (type == "web_search_call") {
    call.arguments = object_of("query", json_member(action, "query"));
  } else if (type == "file_search_call") {
    call.arguments = object_of("queries", queries);
  } else if (type == "code_interpreter_call") {
    call.arguments = object_of("code", code);
    for_each_json_element(outputs, [&](std::string_view told) {
      const auto [kind, logs] = json_members(told, {"type", "logs"});
      if (kind == "\"logs\"") content.emplace_back().text = escaped_text(logs);
    });
  } else if (type == "mcp_call") {
    Part written;
    take_arguments(reading, arguments, written);
    call.arguments = written.arguments;
    if (output.starts_with('"') && output.size() > 2) {
      content.emplace_back().text = escaped_text(output);
    }
  }
  reading.remember_call(call.call_id, call.name);
  Message& message = reading.open_assistant();
  reading.add_part(message, call);
  if (content.empty()) return;
  Part result;
  result.kind = PartKind::tool_result;
  result.native = in_previous;
  result.is_providers = true;
  result.call_id = call.call_id;
  result.has_failed = !error.empty() && error != "null";
  result.content = std::move(content);
  reading.add_part(message, std::move(result));
}

constexpr std::array<std::string_view, 5> hosted_calls = {"web_search_call", "file_search_call",
                                                          "code_interpreter_call",
                                                          "image_generation_call", "mcp_call"};

}  // namespace

void read_responses_item(Reading& reading, std::string_view item) {
  const auto [type_token, role_token, content] = json_members(item, {"type", "role", "content"});
  const std::string_view type = type_token.empty() ? "message" : escaped_text(type_token).inside;
  const std::string_view role = escaped_text(role_token).inside;
  if (type == "message" && role != "assistant") {
    return read_input_message(reading, role, content, !type_token.empty());
  }
  if (type == "message") return read_output_message(reading, item, content);
  if (type == "reasoning") return read_reasoning(reading, item);
  if (type == "function_call" || type == "custom_tool_call") {
    return read_call(reading, item, type == "custom_tool_call");
  }
  if (type == "function_call_output" || type == "custom_tool_call_output") {
    return read_output(reading, item, type == "custom_tool_call_output");
  }
  for (const std::string_view hosted : hosted_calls) {
    if (type == hosted) return read_hosted_call(reading, item, hosted);
  }
  Part part;
  part.kind = type == "compaction" ? PartKind::compaction : PartKind::opaque;
  part.native = {Api::openai_responses, item, {}, false};
  reading.add_part(reading.open_assistant(), std::move(part));
}

JsonCheck read_responses_body(Reading& reading, std::string_view body) {
  JsonValues<3> members;
  const JsonCheck check = check_json(body, {"instructions", "tools", "input"}, members);
  if (!check) return check;
  const auto& [instructions, tools, input] = members;
  if (instructions.starts_with('"') && instructions.size() > 2) {
    reading.request().system.emplace_back().text = escaped_text(instructions);
  }
  read_tools(reading, Api::openai_responses, tools);
  if (input.starts_with('"')) read_input_message(reading, "user", input, false);
  for_each_json_element(input, [&](std::string_view item) { read_responses_item(reading, item); });
  return check;
}

}  // namespace logwood::providers
