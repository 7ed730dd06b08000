// A session for Claude Code: each block of an answer on a line of its own, and every line a child
// of the one before it.
#include <fmt/format.h>

#include <unordered_map>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/unicode.hpp"
#include "exchange/writing.hpp"

namespace logwood::exchange {
namespace {

// The version whose files these are like.
constexpr std::string_view agent_version = "2.1.245";

class Writer {
 public:
  Writer(const SessionToWrite& session, const WriteOptions& options)
      : session_(session), options_(options) {}

  WrittenSession write() {
    ConvertedPath path = convert_path(session_, "anthropic-messages", "claude-sonnet-4-5");
    for (const ConvertedMessage& message : path.messages) {
      if (message.json.empty()) {
        put_compaction(message);
      } else {
        put_message(message);
      }
    }
    if (!session_.title.empty()) {
      JsonWriter json;
      json.begin_object().key("type").text("custom-title");
      json.key("customTitle").text(session_.title);
      json.key("sessionId").text(options_.session_id).end_object();
      bytes_ += json.take() + "\n";
    }
    return {std::move(bytes_), path.messages.size(), path.kept, std::move(path.report)};
  }

 private:
  JsonWriter line(std::string_view type, bool is_root = false) {
    JsonWriter json;
    json.begin_object().key("parentUuid");
    if (is_root || last_.empty()) {
      json.json("null");
    } else {
      json.text(last_);
    }
    json.key("isSidechain").boolean(false).key("userType").text("external");
    json.key("cwd").text(options_.cwd).key("sessionId").text(options_.session_id);
    json.key("version").text(agent_version);
    json.key("gitBranch").text(session_.header.origin ? session_.header.origin->git_branch : "");
    json.key("type").text(type);
    return json;
  }

  void put(JsonWriter& json, std::string_view timestamp) {
    last_ = derived_uuid(options_.session_id, ++lines_);
    json.key("uuid").text(last_).key("timestamp").text(timestamp);
    bytes_ += json.end_object().take() + "\n";
  }

  void put_message(const ConvertedMessage& message) {
    const auto [role, content] = json_members(message.json, {"role", "content"});
    if (role == "\"assistant\"") return put_assistant(message, content);
    // Results come one to a line, as the agent gets them.
    std::string others;
    for_each_json_element(content, [&](std::string_view block) {
      if (json_member(block, "type") != "\"tool_result\"") {
        others += (others.empty() ? "" : ",") + std::string(block);
        return;
      }
      put_user("[" + std::string(block) + "]", message);
    });
    if (content.starts_with('"')) {
      put_user(content, message);
    } else if (!others.empty()) {
      put_user("[" + others + "]", message);
    }
  }

  void put_user(std::string_view content, const ConvertedMessage& message) {
    JsonWriter json = line("user");
    json.key("message").begin_object().key("role").text("user").key("content").json(content);
    json.end_object();
    put(json, message.timestamp);
    note_place(message);
  }

  void put_assistant(const ConvertedMessage& message, std::string_view content) {
    const std::string id = "msg_" + derived_hex(options_.session_id, ++lines_, 24);
    std::vector<std::string> blocks;
    if (content.starts_with('"'))
      blocks.push_back(fmt::format(R"({{"type":"text","text":{}}})", content));
    bool calls = false;
    for_each_json_element(content, [&](std::string_view block) {
      calls = calls || json_member(block, "type") == "\"tool_use\"";
      blocks.emplace_back(block);
    });
    for (const std::string& block : blocks) {
      JsonWriter json = line("assistant");
      json.key("message").begin_object();
      json.key("model").text(message.model ? message.model->model : "unknown");
      json.key("id").text(id).key("type").text("message").key("role").text("assistant");
      json.key("content").begin_array().json(block).end_array();
      json.key("stop_reason").text(calls ? "tool_use" : "end_turn");
      json.key("stop_sequence").json("null");
      json.key("usage").json(R"({"input_tokens":0,"output_tokens":0})").end_object();
      put(json, message.timestamp);
      note_place(message);
    }
  }

  void put_compaction(const ConvertedMessage& message) {
    const std::string before = last_;
    JsonWriter boundary = line("system", true);
    boundary.key("subtype").text("compact_boundary").key("content").text("Conversation compacted");
    boundary.key("level").text("info").key("isMeta").boolean(false);
    if (!before.empty()) boundary.key("logicalParentUuid").text(before);
    boundary.key("compactMetadata").begin_object().key("trigger").text("manual");
    boundary.key("preTokens").number(0);
    put_kept(boundary, message);
    boundary.end_object();
    put(boundary, message.timestamp);
    JsonWriter json = line("user");
    json.key("message").begin_object().key("role").text("user");
    json.key("content").text(message.summary).end_object();
    json.key("isCompactSummary").boolean(true).key("isVisibleInTranscriptOnly").boolean(true);
    put(json, message.timestamp);
  }

  // What the compaction keeps follows its summary, whose line comes after this one.
  void put_kept(JsonWriter& boundary, const ConvertedMessage& message) {
    const auto first = places_of_entries_.find(message.first_kept);
    if (first == places_of_entries_.end()) return;
    boundary.key("preservedMessages").begin_object();
    boundary.key("anchorUuid").text(derived_uuid(options_.session_id, lines_ + 2));
    boundary.key("uuids").begin_array();
    for (std::size_t i = first->second; i < uuids_.size(); ++i) boundary.text(uuids_[i]);
    boundary.end_array().end_object();
  }

  // The line that was put last begins what came from an entry.
  void note_place(const ConvertedMessage& message) {
    if (!message.entry.empty()) places_of_entries_.emplace(message.entry, uuids_.size());
    uuids_.push_back(last_);
  }

  const SessionToWrite& session_;
  const WriteOptions& options_;
  std::string bytes_;
  std::string last_;
  std::uint64_t lines_ = 0;
  std::vector<std::string> uuids_;                                  // of messages
  std::unordered_map<std::string, std::size_t> places_of_entries_;  // among those
};

}  // namespace

// The agent goes by the units of UTF-16 of the folder: each that is no letter or digit of ASCII is
// a dash in the name, and a long name ends with a hash of all of them.
std::string file_name_of_claude(const WriteOptions& options) {
  constexpr std::size_t slug_size_max = 200;
  std::string slug;
  std::uint32_t hash = 0;
  const auto add = [&](std::uint32_t unit) {
    const bool stays = (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z') ||
                       (unit >= '0' && unit <= '9');
    slug += stays ? static_cast<char>(unit) : '-';
    hash = hash * 31 + unit;
  };
  for (std::string_view left = options.cwd; !left.empty();) {
    const CodePoint character = first_code_point(left);
    left.remove_prefix(character.size);
    if (character.value < 0x10000) {
      add(character.value);
    } else {
      add(0xd800 + ((character.value - 0x10000) >> 10U));
      add(0xdc00 + ((character.value - 0x10000) & 0x3ffU));
    }
  }
  if (slug.size() > slug_size_max) {
    // Of a number with a sign, without it.
    std::uint32_t rest = hash > 0x80000000U ? 0U - hash : hash;
    std::string digits;
    for (; rest > 0 || digits.empty(); rest /= 36)
      digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[rest % 36]);
    slug = slug.substr(0, slug_size_max) + "-" + digits;
  }
  return fmt::format("{}/{}.jsonl", slug, options.session_id);
}

WrittenSession write_claude(const SessionToWrite& session, const WriteOptions& options) {
  return Writer(session, options).write();
}

}  // namespace logwood::exchange
