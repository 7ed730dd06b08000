#include "model/message_shape.hpp"

#include "base/json_text.hpp"

namespace logwood {
namespace {

using Kind = MessagePiece::Kind;
using Visitor = std::function<void(const MessagePiece&)>;

// The first that is there.
std::string_view either(std::string_view first, std::string_view second) {
  return first.empty() ? second : first;
}

// A block of Anthropic, pi or OpenAI responses.
void read_block(std::string_view block, const Visitor& visit) {
  const auto [type_token, text, thinking, id, call_id, name, input, arguments, result_id, failed,
              content, output] =
      json_members(block, {"type", "text", "thinking", "id", "call_id", "name", "input",
                           "arguments", "tool_use_id", "is_error", "content", "output"});
  const std::string type = json_text_or_empty(type_token);
  if (type == "text" || type == "input_text" || type == "output_text") {
    visit({Kind::text, block, text});
  } else if (type == "thinking") {
    visit({Kind::thinking, block, thinking});
  } else if (type == "tool_use" || type == "toolCall" || type == "function_call") {
    visit({Kind::call, block, either(input, arguments), either(call_id, id), name});
  } else if (type == "tool_result" || type == "function_call_output") {
    visit({Kind::result,
           block,
           either(content, output),
           either(result_id, call_id),
           {},
           failed == "true"});
  } else if (type == "image" || type == "image_url" || type == "input_image" ||
             type == "document") {
    visit({Kind::bytes, block});
  } else {
    visit({Kind::other, block});
  }
}

// Gemini, which calls by name where it gives no id.
void read_gemini(std::string_view part, const Visitor& visit) {
  const auto [text, thought, call, result, data] =
      json_members(part, {"text", "thought", "functionCall", "functionResponse", "inlineData"});
  if (!text.empty()) visit({thought == "true" ? Kind::thinking : Kind::text, part, text});
  if (!call.empty()) {
    const auto [id, name, given] = json_members(call, {"id", "name", "args"});
    visit({Kind::call, part, given, either(id, name), name});
  }
  if (!result.empty()) {
    const auto [id, name, response] = json_members(result, {"id", "name", "response"});
    const bool failed = !json_member(response, "error").empty();
    visit({Kind::result, part, response, either(id, name), name, failed});
  }
  if (text.empty() && call.empty() && result.empty())
    visit({data.empty() ? Kind::other : Kind::bytes, part});
}

}  // namespace

MessageShape shape_of(std::string_view payload) {
  const auto [role, content, parts, calls, chat_id, pi_id, pi_name, failed, type, call_id, name,
              arguments, output, model, usage, gemini_usage, id] =
      json_members(payload, {"role", "content", "parts", "tool_calls", "tool_call_id", "toolCallId",
                             "toolName", "isError", "type", "call_id", "name", "arguments",
                             "output", "model", "usage", "usageMetadata", "id"});
  MessageShape shape;
  shape.payload = payload;
  shape.role = role;
  shape.model = model;
  shape.usage = either(usage, gemini_usage);
  shape.id = id;
  shape.type = type;
  shape.content = content;
  shape.parts = parts;
  shape.calls = calls;
  shape.result_id = either(chat_id, pi_id);
  shape.result_name = pi_name;
  shape.call_id = call_id;
  shape.name = name;
  shape.arguments = arguments;
  shape.output = output;
  shape.failed = failed == "true";
  return shape;
}

void for_each_block(std::string_view blocks, const Visitor& visit) {
  for_each_json_element(blocks, [&](std::string_view block) { read_block(block, visit); });
}

void for_each_piece(const MessageShape& shape, const Visitor& visit) {
  if (!shape.result_id.empty()) {  // the message is a result: OpenAI chat, pi
    visit({Kind::result, shape.payload, shape.content, shape.result_id, shape.result_name,
           shape.failed});
  } else if (shape.content.starts_with('"')) {
    visit({Kind::text, shape.payload, shape.content});
  } else {
    for_each_block(shape.content, visit);
  }
  for_each_json_element(shape.parts, [&](std::string_view part) { read_gemini(part, visit); });
  for_each_json_element(shape.calls, [&](std::string_view call) {
    const auto [id, function] = json_members(call, {"id", "function"});
    const auto [name, arguments] = json_members(function, {"name", "arguments"});
    visit({Kind::call, call, arguments, id, name});
  });
  if (shape.type == "\"function_call\"") {
    visit({Kind::call, shape.payload, shape.arguments, shape.call_id, shape.name});
  } else if (shape.type == "\"function_call_output\"") {
    visit({Kind::result, shape.payload, shape.output, shape.call_id});
  } else if (!shape.type.empty() && shape.content.empty() && shape.parts.empty()) {
    read_block(shape.payload, visit);  // another responses item
  }
}

}  // namespace logwood
