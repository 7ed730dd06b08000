#include "model/message_parts.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace logwood {
namespace {

using Kind = MessagePart::Kind;

class Reader {
 public:
  std::vector<MessagePart> read(std::string_view payload) {
    const auto [content, parts, calls, chat_id, pi_id, pi_name, type] = json_members(
        payload,
        {"content", "parts", "tool_calls", "tool_call_id", "toolCallId", "toolName", "type"});
    if (!chat_id.empty() || !pi_id.empty()) {  // the message is a result: OpenAI chat, pi
      add_value(Kind::result, json_text_or_empty(pi_name), content);
    } else if (content.starts_with('"')) {
      add_text(Kind::text, content);
    } else {
      for_each_json_element(content, [&](std::string_view block) { read_block(block); });
    }
    for_each_json_element(parts, [&](std::string_view part) { read_gemini(part); });
    for_each_json_element(calls, [&](std::string_view call) {
      const auto [name, arguments] =
          json_members(json_member(call, "function"), {"name", "arguments"});
      add_value(Kind::call, json_text_or_empty(name), arguments);
    });
    if (content.empty() && parts.empty() && !type.empty()) read_block(payload);  // a responses item
    return std::move(found_);
  }

 private:
  void read_block(std::string_view block) {
    const auto [type_token, text, thinking, name, input, arguments, content, output, source, data,
                mime, url] =
        json_members(block, {"type", "text", "thinking", "name", "input", "arguments", "content",
                             "output", "source", "data", "mimeType", "image_url"});
    const std::string type = json_text_or_empty(type_token);
    if (type == "text" || type == "input_text" || type == "output_text") {
      add_text(Kind::text, text);
    } else if (type == "thinking") {
      add_text(Kind::thinking, thinking);
    } else if (type == "tool_use" || type == "toolCall" || type == "function_call") {
      add_value(Kind::call, json_text_or_empty(name), input.empty() ? arguments : input);
    } else if (type == "tool_result" || type == "function_call_output") {
      add_value(Kind::result, "", content.empty() ? output : content);
    } else if (type == "image" || type == "image_url" || type == "input_image" ||
               type == "document") {
      const auto [inner_data, inner_mime] = json_members(source, {"data", "media_type"});
      add_bytes(inner_mime.empty() ? mime : inner_mime, inner_data.empty() ? data : inner_data,
                url);
    } else {
      found_.push_back({Kind::other, type, std::string(block), true});
    }
  }

  void read_gemini(std::string_view part) {
    const auto [text, thought, call, result, data] =
        json_members(part, {"text", "thought", "functionCall", "functionResponse", "inlineData"});
    if (!text.empty()) {
      add_text(thought == "true" ? Kind::thinking : Kind::text, text);
    } else if (!call.empty()) {
      const auto [name, arguments] = json_members(call, {"name", "args"});
      add_value(Kind::call, json_text_or_empty(name), arguments);
    } else if (!result.empty()) {
      const auto [name, response] = json_members(result, {"name", "response"});
      add_value(Kind::result, json_text_or_empty(name), response);
    } else if (!data.empty()) {
      const auto [mime, bytes] = json_members(data, {"mimeType", "data"});
      add_bytes(mime, bytes, {});
    } else {
      found_.push_back({Kind::other, "", std::string(part), true});
    }
  }

  void add_text(Kind kind, std::string_view token) {
    if (std::string text = json_text_or_empty(token); !text.empty())
      found_.push_back({kind, "", std::move(text), false});
  }

  // What a tool was given or said: text, blocks with text, or JSON.
  void add_value(Kind kind, std::string name, std::string_view token) {
    if (token.starts_with('"')) {
      std::string text = json_text_or_empty(token);
      const bool is_json = kind == Kind::call && static_cast<bool>(check_json(text));
      found_.push_back({kind, std::move(name), std::move(text), is_json});
      return;
    }
    std::string text;
    bool only_text = token.starts_with('[');
    for_each_json_element(token, [&](std::string_view block) {
      const auto [type, said] = json_members(block, {"type", "text"});
      only_text = only_text && (type == "\"text\"" || type == "\"output_text\"");
      text += (text.empty() ? "" : "\n") + json_text_or_empty(said);
    });
    if (only_text) {
      found_.push_back({kind, std::move(name), std::move(text), false});
    } else {
      found_.push_back({kind, std::move(name), std::string(token), true});
    }
  }

  void add_bytes(std::string_view mime, std::string_view base64, std::string_view url) {
    std::string what = json_text_or_empty(mime);
    if (what.empty()) what = "an image";
    if (base64.size() > 2) {
      what += fmt::format(", {} bytes", (base64.size() - 2) / 4 * 3);
    } else if (!url.empty()) {
      what += ", by its address";
    }
    found_.push_back({Kind::image, "", std::move(what), false});
  }

  std::vector<MessagePart> found_;
};

}  // namespace

std::vector<MessagePart> read_parts(std::string_view payload) { return Reader().read(payload); }

}  // namespace logwood
