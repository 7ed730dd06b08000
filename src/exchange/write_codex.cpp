// A session for Codex: what models are sent as response items, and beside them the events that its
// screen is made of.
#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/writing.hpp"
#include "model/message.hpp"

namespace logwood::exchange {
namespace {

// The version whose files these are like.
constexpr std::string_view agent_version = "0.166.0";

class Writer {
 public:
  Writer(const SessionToWrite& session, const WriteOptions& options)
      : session_(session), options_(options) {}

  WrittenSession write() {
    ConvertedPath path = convert_path(session_, "openai-responses", "gpt-5.1-codex");
    put_meta();
    for (const ConvertedMessage& message : path.messages) {
      if (message.json.empty()) {
        put_compaction(message);
      } else {
        put_item(message);
      }
    }
    return {std::move(bytes_), path.messages.size(), path.kept, std::move(path.report)};
  }

 private:
  JsonWriter line(std::string_view type, std::string_view timestamp) {
    JsonWriter json;
    json.begin_object().key("timestamp").text(timestamp).key("type").text(type).key("payload");
    return json;
  }

  void put(JsonWriter& json) { bytes_ += json.end_object().take() + "\n"; }

  void put_meta() {
    JsonWriter json = line("session_meta", options_.now);
    json.begin_object().key("id").text(options_.session_id).key("timestamp").text(options_.now);
    json.key("cwd").text(options_.cwd).key("originator").text("logwood");
    // No provider: a session that names another one than is configured is refused.
    json.key("cli_version").text(agent_version).key("source").text("cli").end_object();
    put(json);
  }

  void put_event(std::string_view type, std::string_view text, std::string_view timestamp) {
    JsonWriter json = line("event_msg", timestamp);
    json.begin_object().key("type").text(type);
    json.key("message").text(text);
    if (type == "user_message") {
      json.key("images").json("[]").key("local_images").json("[]").key("text_elements").json("[]");
    }
    json.end_object();
    put(json);
  }

  // Items of the agent always have a type, and content that is a list.
  static std::string agent_item(std::string_view item) {
    const auto [role, content] = json_members(item, {"role", "content"});
    if (role.empty()) return std::string(item);
    JsonWriter json;
    // What has the role of the system is left out without a word by the agent.
    json.begin_object().key("type").text("message").key("role");
    json.json(role == "\"system\"" ? "\"developer\"" : role).key("content");
    if (content.starts_with('"')) {
      json.begin_array().begin_object();
      json.key("type").text(role == "\"assistant\"" ? "output_text" : "input_text");
      json.key("text").json(content).end_object().end_array();
    } else {
      json.json(content.empty() ? "[]" : content);
    }
    return json.end_object().take();
  }

  void put_item(const ConvertedMessage& message) {
    const Message read = read_message(message.json);
    if (read.role == "assistant") put_event("agent_message", read.text, message.timestamp);
    if (!message.entry.empty()) places_of_entries_.emplace(message.entry, items_.size());
    items_.push_back(agent_item(message.json));
    JsonWriter json = line("response_item", message.timestamp);
    json.json(items_.back());
    put(json);
    if (read.role == "user") put_event("user_message", read.text, message.timestamp);
  }

  void put_compaction(const ConvertedMessage& message) {
    JsonWriter json = line("compacted", message.timestamp);
    json.begin_object().key("message").text(message.summary);
    // What models are sent from here on: the summary, and what it keeps.
    json.key("replacement_history").begin_array();
    json.begin_object().key("type").text("message").key("role").text("user").key("content");
    json.begin_array().begin_object().key("type").text("input_text");
    json.key("text").text(message.summary).end_object().end_array().end_object();
    const auto first = places_of_entries_.find(message.first_kept);
    if (first != places_of_entries_.end()) {
      for (std::size_t i = first->second; i < items_.size(); ++i) json.json(items_[i]);
    }
    json.end_array().end_object();
    put(json);
  }

  const SessionToWrite& session_;
  const WriteOptions& options_;
  std::string bytes_;
  std::vector<std::string> items_;
  std::unordered_map<std::string, std::size_t> places_of_entries_;  // among those
};

}  // namespace

std::string file_name_of_codex(const WriteOptions& options) {
  std::string time = options.now.substr(0, 19);
  for (char& c : time) c = c == ':' ? '-' : c;
  return fmt::format("{}/{}/{}/rollout-{}-{}.jsonl", time.substr(0, 4), time.substr(5, 2),
                     time.substr(8, 2), time, options.session_id);
}

WrittenSession write_codex(const SessionToWrite& session, const WriteOptions& options) {
  return Writer(session, options).write();
}

}  // namespace logwood::exchange
