#include "model/message.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "model/message_shape.hpp"
#include "model/usage.hpp"

namespace logwood {
namespace {

void add_text(Message& message, std::string_view token) {
  const std::string text = json_text_or_empty(token);
  if (text.empty()) return;
  if (!message.text.empty()) message.text += "\n\n";
  message.text += text;
}

void add_strings(std::string_view value, std::string& text) {
  if (value.empty()) return;
  if (value.front() == '{') {
    for_each_json_member(value, [&](const JsonMember& member) {
      // Bytes in base64 are no text: images, documents, signatures.
      if (member.is("data") || member.is("signature") || member.is("thinkingSignature")) return;
      add_strings(member.value, text);
    });
  } else if (value.front() == '[') {
    for_each_json_element(value, [&](std::string_view element) { add_strings(element, text); });
  } else if (value != "true" && value != "false" && value != "null") {
    if (!text.empty()) text += '\n';
    text += value.front() == '"' ? json_text_or_empty(value) : std::string(value);
  }
}

// Every string, decoded, and every number, each on a line of its own.
std::string strings_in(std::string_view value) {
  std::string text;
  add_strings(value, text);
  return text;
}

}  // namespace

std::string text_of(const ToolCall& call) {
  // OpenAI writes the arguments as a string that holds JSON.
  const std::string written = json_text_or_empty(call.arguments);
  const bool is_json = written.starts_with('{') && check_json(written);
  return strings_in(is_json ? std::string_view(written) : call.arguments);
}

std::string text_of(const ToolResult& result) {
  if (!result.content.starts_with('[')) return strings_in(result.content);
  std::string text;
  for_each_json_element(result.content, [&](std::string_view block) {
    const std::string_view said = json_member(block, "text");
    add_strings(said.empty() ? block : said, text);
  });
  return text;
}

std::string answer_payload(std::string_view asking, const ToolCall& call, std::string_view text,
                           bool failed) {
  const std::string id = json_quoted(call.id);
  const std::string name = json_quoted(call.name);
  const std::string said = json_quoted(text);
  const auto [parts, calls, type, content] =
      json_members(asking, {"parts", "tool_calls", "type", "content"});
  if (type == "\"function_call\"") {  // OpenAI responses
    return fmt::format(R"({{"type":"function_call_output","call_id":{},"output":{}}})", id, said);
  }
  if (!calls.empty()) {  // OpenAI chat
    return fmt::format(R"({{"role":"tool","tool_call_id":{},"content":{}}})", id, said);
  }
  if (!parts.empty()) {  // Gemini
    return fmt::format(
        R"({{"role":"user","parts":[{{"functionResponse":{{{}"name":{},"response":{{"{}":{}}}}}}}]}})",
        call.id == call.name ? "" : "\"id\":" + id + ",", name, failed ? "error" : "output", said);
  }
  bool is_pi = false;
  for_each_json_element(content, [&](std::string_view block) {
    is_pi = is_pi || json_member(block, "type") == "\"toolCall\"";
  });
  if (is_pi) {
    return fmt::format(
        R"({{"role":"toolResult","toolCallId":{},"toolName":{},"content":[{{"type":"text","text":{}}}],"isError":{}}})",
        id, name, said, failed);
  }
  return fmt::format(
      R"({{"role":"user","content":[{{"type":"tool_result","tool_use_id":{},"content":{},"is_error":{}}}]}})",
      id, said, failed);
}

Message read_message(std::string_view payload, MessageText text) {
  using Kind = MessagePiece::Kind;
  const MessageShape shape = shape_of(payload);
  Message message;
  message.role = json_text_or_empty(shape.role);
  message.model = json_text_or_empty(shape.model);
  message.id = json_text_or_empty(shape.id);
  message.usage = read_usage(shape.usage);
  const auto take = [&](const MessagePiece& piece) {
    if (piece.kind == Kind::text) {
      if (text == MessageText::read) add_text(message, piece.value);
    } else if (piece.kind == Kind::call) {
      message.tool_calls.push_back(
          {json_text_or_empty(piece.id), json_text_or_empty(piece.name), piece.value});
    } else if (piece.kind == Kind::result) {
      message.tool_results.push_back({json_text_or_empty(piece.id), piece.failed, piece.value});
    }
  };
  for_each_piece(shape, take);
  // A message that is itself a result says it, too.
  if (!shape.result_id.empty() && text == MessageText::read) {
    if (shape.content.starts_with('"')) add_text(message, shape.content);
    for_each_block(shape.content, take);
  }
  return message;
}

}  // namespace logwood
