#include "model.hpp"

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "http.hpp"

namespace {

using Json = nlohmann::ordered_json;
using OnText = std::function<void(std::string_view)>;

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

// The request is sent as logwood made it: only what asks for a stream is put behind it.
std::string streamed(std::string body) {
  body.back() = ',';
  return body + R"("stream":true})";
}

// Collects the blocks of an Anthropic message from its events.
class AnthropicMessage {
 public:
  explicit AnthropicMessage(const OnText& on_text) : on_text_(on_text) {}

  void take(const Json& event) {
    const std::string type = event.value("type", "");
    if (type == "message_start") {
      message_ = event["message"];
      message_["content"] = Json::array();
    } else if (type == "content_block_start") {
      message_["content"].push_back(event["content_block"]);
      input_.clear();
    } else if (type == "content_block_delta") {
      take_delta(event["delta"], message_["content"].back());
    } else if (type == "content_block_stop") {
      Json& block = message_["content"].back();
      if (block["type"] == "tool_use" && !input_.empty()) block["input"] = Json::parse(input_);
    } else if (type == "message_delta") {
      message_["stop_reason"] = event["delta"].value("stop_reason", Json());
      if (event.contains("usage")) message_["usage"].update(event["usage"]);
    } else if (type == "message_stop") {
      is_whole_ = true;
    }
  }

  [[nodiscard]] std::string text() const { return is_whole_ ? message_.dump() : ""; }

 private:
  void take_delta(const Json& delta, Json& block) {
    if (delta.contains("text")) on_text_(delta["text"].get_ref<const std::string&>());
    for (const char* const name : {"text", "thinking", "signature"}) {
      if (delta.contains(name)) block[name] = block.value(name, "") + delta.value(name, "");
    }
    input_ += delta.value("partial_json", "");
  }

  const OnText& on_text_;
  Json message_;
  std::string input_;
  bool is_whole_ = false;
};

class ChatMessage {
 public:
  explicit ChatMessage(const OnText& on_text) : on_text_(on_text) {}

  void take(const Json& chunk) {
    if (chunk.contains("usage") && chunk["usage"].is_object()) usage_ = chunk["usage"];
    for (const Json& choice : chunk.value("choices", Json::array())) {
      const Json& delta = choice["delta"];
      if (delta.contains("content") && delta["content"].is_string()) {
        on_text_(delta["content"].get_ref<const std::string&>());
        content_ += delta["content"].get<std::string>();
      }
      for (const Json& part : delta.value("tool_calls", Json::array())) {
        Call& call = calls_[part.value("index", 0)];
        if (part.contains("id")) call.id = part["id"];
        const Json function = part.value("function", Json::object());
        call.name += function.value("name", "");
        call.arguments += function.value("arguments", "");
      }
      const Json finish = choice.value("finish_reason", Json());
      if (finish.is_string()) finish_ = finish;
    }
  }

  [[nodiscard]] std::string text() const {
    if (finish_.empty()) return "";
    Json message = {{"role", "assistant"}, {"content", content_.empty() ? Json() : Json(content_)}};
    for (const auto& [index, call] : calls_) {
      message["tool_calls"].push_back(
          {{"id", call.id},
           {"type", "function"},
           {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
    }
    message["finish_reason"] = finish_;
    if (!usage_.is_null()) message["usage"] = usage_;
    return message.dump();
  }

 private:
  struct Call {
    std::string id, name, arguments;
  };
  const OnText& on_text_;
  std::string content_;
  std::map<int, Call> calls_;
  std::string finish_;
  Json usage_;
};

class GeminiContent {
 public:
  explicit GeminiContent(const OnText& on_text) : on_text_(on_text) {}

  void take(const Json& chunk) {
    if (chunk.contains("usageMetadata")) usage_ = chunk["usageMetadata"];
    for (const Json& candidate : chunk.value("candidates", Json::array())) {
      for (const Json& part :
           candidate.value("content", Json::object()).value("parts", Json::array())) {
        take_part(part);
      }
      finish_ = candidate.value("finishReason", finish_);
    }
  }

  [[nodiscard]] std::string text() const {
    if (finish_.empty()) return "";
    Json message = {{"role", "model"}, {"parts", parts_}, {"finishReason", finish_}};
    if (!usage_.is_null()) message["usageMetadata"] = usage_;
    return message.dump();
  }

 private:
  void take_part(const Json& part) {
    const bool is_text = part.size() == 1 && part.contains("text");
    if (is_text) on_text_(part["text"].get_ref<const std::string&>());
    // Pieces of one text are one text; whatever carries a signature stays as it came.
    const bool joins =
        is_text && !parts_.empty() && parts_.back().size() == 1 && parts_.back().contains("text");
    if (!joins) return parts_.push_back(part);
    parts_.back()["text"] = parts_.back().value("text", "") + part.value("text", "");
  }

  const OnText& on_text_;
  Json parts_ = Json::array();
  std::string finish_;
  Json usage_;
};

template <typename Message>
Answer stream(const std::string& url, const std::vector<std::string>& headers,
              const std::string& body, const OnText& on_text) {
  Message message(on_text);
  const HttpAnswer done = post_for_events(url, headers, body, [&](std::string_view data) {
    if (data == "[DONE]") return;
    const Json event = Json::parse(data, nullptr, false);
    if (!event.is_discarded()) message.take(event);
  });
  if (done.status == 0) return {"", done.error};
  if (done.status != 200) return {"", std::to_string(done.status) + ": " + done.error};
  const std::string text = message.text();
  return {text, text.empty() ? "the answer broke off" : ""};
}

// Says again what was said; "run COMMAND" becomes a call of a tool.
Answer echo(const std::string& body, const OnText& on_text) {
  const Json request = Json::parse(body);
  const Json& last = request["messages"].back();
  const std::string said = last["content"].is_string() ? last["content"].get<std::string>() : "";
  Json message = {
      {"role", "assistant"}, {"content", "You said: " + said}, {"finish_reason", "stop"}};
  if (last["role"] == "user" && said.starts_with("run ")) {
    static int number = 0;
    message["content"] = nullptr;
    message["tool_calls"] = {
        {{"id",
          "call_" + std::to_string(request["messages"].size()) + "_" + std::to_string(++number)},
         {"type", "function"},
         {"function", {{"name", "run"}, {"arguments", Json{{"command", said.substr(4)}}.dump()}}}}};
  }
  if (message["content"].is_string()) on_text(message["content"].get<std::string>());
  return {message.dump(), ""};
}

}  // namespace

Answer ask(const logwood::ModelRef& model, const std::string& body, const OnText& on_text) {
  if (model.provider == "echo") return echo(body, on_text);
  if (model.api == "anthropic-messages") {
    return stream<AnthropicMessage>(
        variable("ANTHROPIC_BASE_URL", "https://api.anthropic.com") + "/v1/messages",
        {"anthropic-version: 2023-06-01", "x-api-key: " + variable("ANTHROPIC_API_KEY", "")},
        streamed(body), on_text);
  }
  if (model.api == "openai-chat") {
    return stream<ChatMessage>(
        variable("OPENAI_BASE_URL", "https://api.openai.com/v1") + "/chat/completions",
        {"authorization: Bearer " + variable("OPENAI_API_KEY", "")}, streamed(body), on_text);
  }
  if (model.api == "gemini") {
    return stream<GeminiContent>(
        variable("GEMINI_BASE_URL", "https://generativelanguage.googleapis.com") +
            "/v1beta/models/" + model.model + ":streamGenerateContent?alt=sse",
        {"x-goog-api-key: " + variable("GEMINI_API_KEY", "")}, body, on_text);
  }
  return {"", "this example does not speak " + model.api};
}
