#include "model/message.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "model/usage.hpp"

namespace logwood {
namespace {

// Of the first that is there.
std::string text_of_either(std::string_view first, std::string_view second) {
  return json_text_or_empty(first.empty() ? second : first);
}

class Reader {
 public:
  Reader(Message& message, MessageText text) : message_(message), text_(text) {}

  void read(std::string_view payload) {
    const auto [role, content, parts, calls, chat_id, pi_id, failed, type, call_id, name, arguments,
                output, model, usage, gemini_usage] =
        json_members(payload, {"role", "content", "parts", "tool_calls", "tool_call_id",
                               "toolCallId", "isError", "type", "call_id", "name", "arguments",
                               "output", "model", "usage", "usageMetadata"});
    message_.role = json_text_or_empty(role);
    message_.model = json_text_or_empty(model);
    // A message that is itself a result: OpenAI chat, pi.
    if (!chat_id.empty() || !pi_id.empty()) {
      message_.tool_results.push_back({text_of_either(chat_id, pi_id), failed == "true", content});
    }
    // An item of OpenAI responses.
    if (type == "\"function_call\"") {
      message_.tool_calls.push_back(
          {json_text_or_empty(call_id), json_text_or_empty(name), arguments});
    } else if (type == "\"function_call_output\"") {
      message_.tool_results.push_back({json_text_or_empty(call_id), false, output});
    }
    if (content.starts_with('"')) add_text(content);
    for_each_json_element(content, [&](std::string_view block) { read_block(block); });
    for_each_json_element(parts, [&](std::string_view part) { read_part(part); });
    for_each_json_element(calls, [&](std::string_view call) {
      const auto [id, function] = json_members(call, {"id", "function"});
      const auto [called, given] = json_members(function, {"name", "arguments"});
      message_.tool_calls.push_back({json_text_or_empty(id), json_text_or_empty(called), given});
    });
    message_.usage = read_usage(usage.empty() ? gemini_usage : usage);
  }

 private:
  void read_block(std::string_view block) {
    const auto [type_token, text, id, name, input, arguments, result_id, failed, content] =
        json_members(block, {"type", "text", "id", "name", "input", "arguments", "tool_use_id",
                             "is_error", "content"});
    const std::string type = json_text_or_empty(type_token);
    if (type == "text" || type == "input_text" || type == "output_text") {
      add_text(text);
    } else if (type == "tool_use" || type == "toolCall") {
      message_.tool_calls.push_back(
          {json_text_or_empty(id), json_text_or_empty(name), input.empty() ? arguments : input});
    } else if (type == "tool_result") {
      message_.tool_results.push_back({json_text_or_empty(result_id), failed == "true", content});
    }
  }

  // Gemini, which calls by name where it gives no id.
  void read_part(std::string_view part) {
    const auto [text, thought, call, result] =
        json_members(part, {"text", "thought", "functionCall", "functionResponse"});
    if (thought != "true") add_text(text);
    if (!call.empty()) {
      const auto [id, name, args] = json_members(call, {"id", "name", "args"});
      message_.tool_calls.push_back({text_of_either(id, name), json_text_or_empty(name), args});
    }
    if (!result.empty()) {
      const auto [id, name, response] = json_members(result, {"id", "name", "response"});
      message_.tool_results.push_back(
          {text_of_either(id, name), !json_member(response, "error").empty(), response});
    }
  }

  void add_text(std::string_view token) {
    if (text_ == MessageText::skipped) return;
    const std::string text = json_text_or_empty(token);
    if (text.empty()) return;
    if (!message_.text.empty()) message_.text += "\n\n";
    message_.text += text;
  }

  Message& message_;
  MessageText text_;
};

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
  Message message;
  Reader(message, text).read(payload);
  return message;
}

}  // namespace logwood
