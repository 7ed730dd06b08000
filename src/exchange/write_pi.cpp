// A session for pi: a header, then a list in which each line names the one before it as its parent.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/timestamp.hpp"
#include "exchange/writing.hpp"

namespace logwood::exchange {
namespace {

// What pi calls the APIs.
std::string_view pi_api(std::string_view api) {
  if (api == "openai-chat") return "openai-completions";
  if (api == "gemini") return "google-generative-ai";
  return api;
}

constexpr std::string_view no_usage =
    R"({"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,)"
    R"("cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}})";

std::uint64_t milliseconds_of(std::string_view timestamp) {
  const auto time = parse_timestamp(timestamp);
  return time ? static_cast<std::uint64_t>(time->time_since_epoch().count()) : 0;
}

class Writer {
 public:
  Writer(const SessionToWrite& session, const WriteOptions& options)
      : session_(session), options_(options) {}

  WrittenSession write() {
    ConvertedPath path =
        convert_path(session_, "anthropic-messages", "claude-sonnet-4-5", Documents::left_out);
    report_ = &path.report;
    put_header();
    for (const ConvertedMessage& message : path.messages) {
      sources_ = &message.sources;
      if (message.json.empty()) {
        put_compaction(message);
      } else {
        put_model(message);
        put_message(message);
      }
    }
    if (!session_.title.empty()) {
      JsonWriter json = line("session_info", options_.now);
      json.key("name").text(session_.title);
      put(json);
    }
    return {std::move(bytes_), path.messages.size(), path.kept, std::move(path.report)};
  }

 private:
  void put_header() {
    JsonWriter json;
    json.begin_object().key("type").text("session").key("version").number(3);
    json.key("id").text(options_.session_id).key("timestamp").text(options_.now);
    json.key("cwd").text(options_.cwd).end_object();
    bytes_ += json.take() + "\n";
  }

  std::string new_id() {
    constexpr std::size_t id_size = 8;
    while (true) {
      std::string id = derived_hex(options_.session_id, ++ids_made_, id_size);
      if (ids_.insert(id).second) return id;
    }
  }

  JsonWriter line(std::string_view type, std::string_view timestamp) {
    JsonWriter json;
    const std::string id = new_id();
    json.begin_object().key("type").text(type).key("id").text(id).key("parentId");
    if (last_.empty()) {
      json.json("null");
    } else {
      json.text(last_);
    }
    json.key("timestamp").text(timestamp);
    last_ = id;
    return json;
  }

  void put(JsonWriter& json) { bytes_ += json.end_object().take() + "\n"; }

  // Before the first message of each model.
  void put_model(const ConvertedMessage& message) {
    if (!message.model || message.model->model == model_) return;
    if (json_member(message.json, "role") != "\"assistant\"") return;
    model_ = message.model->model;
    JsonWriter json = line("model_change", message.timestamp);
    json.key("provider").text(message.model->provider).key("modelId").text(model_);
    put(json);
  }

  void put_block(JsonWriter& json, std::string_view block) {
    const auto [type, text, thinking, signature, data, id, name, input, source] = json_members(
        block, {"type", "text", "thinking", "signature", "data", "id", "name", "input", "source"});
    json.begin_object();
    if (type == "\"text\"") {
      json.key("type").text("text").key("text").json(text);
    } else if (type == "\"image\"" && json_member(source, "type") == "\"base64\"") {
      const auto [bytes, media_type] = json_members(source, {"data", "media_type"});
      json.key("type").text("image").key("data").json(bytes).key("mimeType").json(media_type);
    } else if (type == "\"image\"" || type == "\"document\"") {
      put_omitted(json, type, source);
    } else if (type == "\"thinking\"") {
      json.key("type").text("thinking").key("thinking").json(thinking);
      if (!signature.empty()) json.key("thinkingSignature").json(signature);
    } else if (type == "\"redacted_thinking\"") {
      json.key("type").text("thinking").key("thinking").text("");
      json.key("thinkingSignature").json(data).key("redacted").boolean(true);
    } else if (type == "\"tool_use\"") {
      json.key("type").text("toolCall").key("id").json(id).key("name").json(name);
      json.key("arguments").json(input);
      names_[json_text_or_empty(id)] = json_text_or_empty(name);
    } else {  // what its provider ran or said, which pi has no word for
      json.key("type").text("text").key("text").text(
          fmt::format("[{}] {}", json_text_or_empty(type), block));
      warn(providers::Code::server_tool_flattened, json_text_or_empty(name));
    }
    json.end_object();
  }

  // Which of several entries it was is not known any more.
  void warn(providers::Code code, const std::string& detail) {
    for (const std::string& source : *sources_) {
      report_->warnings.push_back({code, source, {}, {detail, ""}});
    }
  }

  // pi has pictures by their bytes, and text.
  void put_omitted(JsonWriter& json, std::string_view type, std::string_view source) {
    const auto [kind, url, data] = json_members(source, {"type", "url", "data"});
    json.key("type").text("text").key("text");
    if (kind == "\"text\"" && data.starts_with('"')) {
      json.json(data);
      return;
    }
    json.text(fmt::format("[{} {}]", json_text_or_empty(type),
                          url.empty() ? "left out" : json_text_or_empty(url)));
    warn(providers::Code::image_omitted, json_text_or_empty(type));
  }

  void put_content(JsonWriter& json, std::string_view content) {
    json.key("content");
    json.begin_array();
    if (content.starts_with('"')) {
      json.begin_object().key("type").text("text").key("text").json(content).end_object();
    }
    for_each_json_element(content, [&](std::string_view block) { put_block(json, block); });
    json.end_array();
  }

  void put_result(std::string_view block, std::string_view timestamp) {
    const auto [call, content, failed] =
        json_members(block, {"tool_use_id", "content", "is_error"});
    JsonWriter json = line("message", timestamp);
    json.key("message").begin_object().key("role").text("toolResult").key("toolCallId").json(call);
    json.key("toolName").text(names_[json_text_or_empty(call)]);
    put_content(json, content);
    json.key("isError").boolean(failed == "true");
    json.key("timestamp").number(milliseconds_of(timestamp)).end_object();
    put(json);
  }

  void put_message(const ConvertedMessage& message) {
    const auto [role, content] = json_members(message.json, {"role", "content"});
    if (role == "\"assistant\"") return put_assistant(message, content);
    // Results are messages of their own; what else was said comes after them.
    std::string others;
    for_each_json_element(content, [&](std::string_view block) {
      if (json_member(block, "type") == "\"tool_result\"") {
        put_result(block, message.timestamp);
      } else {
        others += (others.empty() ? "" : ",") + std::string(block);
      }
    });
    if (others.empty() && !content.starts_with('"')) return;
    JsonWriter json = line("message", message.timestamp);
    note_place(message);
    json.key("message").begin_object().key("role").text("user");
    put_content(json, content.starts_with('"') ? std::string(content) : "[" + others + "]");
    json.key("timestamp").number(milliseconds_of(message.timestamp)).end_object();
    put(json);
  }

  void put_assistant(const ConvertedMessage& message, std::string_view content) {
    bool calls = false;
    for_each_json_element(content, [&](std::string_view block) {
      calls = calls || json_member(block, "type") == "\"tool_use\"";
    });
    const ModelRef model =
        message.model.value_or(ModelRef{"anthropic-messages", "anthropic", "unknown"});
    JsonWriter json = line("message", message.timestamp);
    note_place(message);
    json.key("message").begin_object().key("role").text("assistant");
    put_content(json, content);
    json.key("api").text(pi_api(model.api)).key("provider").text(model.provider);
    json.key("model").text(model.model).key("usage").json(no_usage);
    json.key("stopReason").text(calls ? "toolUse" : "stop");
    json.key("timestamp").number(milliseconds_of(message.timestamp)).end_object();
    put(json);
  }

  void put_compaction(const ConvertedMessage& message) {
    const auto kept = ids_of_entries_.find(message.first_kept);
    JsonWriter json = line("compaction", message.timestamp);
    json.key("summary").text(message.summary).key("firstKeptEntryId");
    // Its own id keeps nothing before it.
    json.text(kept == ids_of_entries_.end() ? last_ : kept->second);
    json.key("tokensBefore").number(0);
    put(json);
  }

  // The line that begins what came from an entry.
  void note_place(const ConvertedMessage& message) {
    if (!message.entry.empty()) ids_of_entries_.emplace(message.entry, last_);
  }

  const SessionToWrite& session_;
  const WriteOptions& options_;
  providers::Report* report_ = nullptr;
  const std::vector<std::string>* sources_ = nullptr;  // entries of what is being written
  std::string bytes_;
  std::string last_;
  std::string model_;
  std::uint64_t ids_made_ = 0;
  std::unordered_set<std::string> ids_;
  std::unordered_map<std::string, std::string> names_;           // of tools, by call
  std::unordered_map<std::string, std::string> ids_of_entries_;  // by entry
};

}  // namespace

std::string file_name_of_pi(const WriteOptions& options) {
  std::string folder = options.cwd;
  if (folder.starts_with('/')) folder.erase(0, 1);
  std::replace_if(
      folder.begin(), folder.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
  std::string time = options.now;
  std::replace_if(time.begin(), time.end(), [](char c) { return c == ':' || c == '.'; }, '-');
  return fmt::format("--{}--/{}_{}.jsonl", folder, time, options.session_id);
}

WrittenSession write_pi(const SessionToWrite& session, const WriteOptions& options) {
  return Writer(session, options).write();
}

}  // namespace logwood::exchange
