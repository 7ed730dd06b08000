// opencode: what `opencode export` prints, which is also what its files and its database are put
// together to: the session, and its messages with their parts.
#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/format.hpp"
#include "exchange/times.hpp"

namespace logwood::exchange {
namespace {

bool is_opencode(const FileSight& file) {
  const auto [info, messages] = json_members(file.beginning, {"info", "messages"});
  return json_member(info, "id").starts_with("\"ses_") && messages.starts_with('[');
}

FileHead head_of(const FileSight& file) {
  const auto [id, directory, time, version, parent] = json_members(
      json_member(file.beginning, "info"), {"id", "directory", "time", "version", "parentID"});
  FileHead head;
  head.session_id = json_text_or_empty(id);
  head.cwd = json_text_or_empty(directory);
  head.version = json_text_or_empty(version);
  head.created = timestamp_of_token(json_member(time, "created")).value_or("");
  head.parent_session = json_text_or_empty(parent);
  return head;
}

std::vector<Place> places(const Variables& variable) {
  // storage/session/<project>/<session>.json
  if (const std::string set = variable("XDG_DATA_HOME"); set.starts_with('/'))
    return {{set + "/opencode/storage/session", 1}};
  return below_home(variable, "/.local/share/opencode/storage/session", 1);
}

std::string name_in_path(std::string_view path) {
  const std::string_view name = without_ending(file_name(path), ".json");
  return name.starts_with("ses_") ? std::string(name) : "";
}

std::vector<std::string> resume_words(const std::string& session_id) {
  return {"opencode", "--session", session_id};
}

// A text of the file, or an empty one where it has something else.
std::string_view text_token(std::string_view token) {
  return token.starts_with('"') ? token : std::string_view("\"\"");
}

void put_text(JsonWriter& json, std::string_view said) {
  json.begin_object().key("type").text("text").key("text").json(text_token(said)).end_object();
}

void split(std::string_view bytes, const PieceVisitor& visit) {
  if (!check_json(bytes)) return visit({bytes, {}});
  split_array(bytes, json_member(bytes, "messages"), visit);
}

// Pictures and documents by their bytes. Of other files opencode tells a model what it reads in
// them, as texts of its own.
void put_file(JsonWriter& json, std::string_view part) {
  const auto [mime, url] = json_members(part, {"mime", "url"});
  const std::string address = json_text_or_empty(url);
  const std::size_t comma = address.find(";base64,");
  const bool is_picture = address.starts_with("data:image/");
  if ((!is_picture && !address.starts_with("data:application/pdf")) || comma == std::string::npos)
    return;
  json.begin_object().key("type").text(is_picture ? "image" : "document");
  json.key("source").begin_object().key("type").text("base64");
  json.key("media_type").json(text_token(mime));
  json.key("data").text(std::string_view(address).substr(comma + 8)).end_object().end_object();
}

// What a tool said, and files it attached to that.
void put_output(JsonWriter& json, std::string_view said, std::string_view attachments) {
  if (!attachments.starts_with('[')) {
    json.json(text_token(said));
    return;
  }
  json.begin_array();
  put_text(json, said);
  for_each_json_element(attachments, [&](std::string_view part) { put_file(json, part); });
  json.end_array();
}

// Calls and their results, which opencode keeps in one part.
void put_call(JsonWriter& json, JsonWriter& results, std::string_view part) {
  const auto [id, tool, state] = json_members(part, {"callID", "tool", "state"});
  const auto [status, input, output, error, attachments] =
      json_members(state, {"status", "input", "output", "error", "attachments"});
  json.begin_object().key("type").text("tool_use").key("id").json(text_token(id));
  json.key("name").json(text_token(tool));
  json.key("input").json(input.starts_with('{') ? input : "{}").end_object();
  const bool has_failed = status == "\"error\"";
  if (!has_failed && status != "\"completed\"") return;
  results.begin_object().key("type").text("tool_result").key("tool_use_id");
  results.json(text_token(id)).key("content");
  put_output(results, has_failed ? error : output, attachments);
  if (has_failed) results.key("is_error").boolean(true);
  results.end_object();
}

std::string usage_of(std::string_view tokens) {
  const auto [input, output, reasoning, cache] =
      json_members(tokens, {"input", "output", "reasoning", "cache"});
  const auto [read, written] = json_members(cache, {"read", "write"});
  const auto number = [](std::string_view token) { return json_unsigned(token).value_or(0); };
  return fmt::format(
      R"({{"input_tokens":{},"output_tokens":{},"cache_read_input_tokens":{},"cache_creation_input_tokens":{}}})",
      number(input), number(output) + number(reasoning), number(read), number(written));
}

ToldLine tell(const Line& line, Memory& memory) {
  const auto [info, parts] = json_members(object_of(line), {"info", "parts"});
  const auto [id, role, time, model, provider, tokens, summary, finish, error] = json_members(
      info,
      {"id", "role", "time", "modelID", "providerID", "tokens", "summary", "finish", "error"});
  ToldLine told;
  told.timestamp = json_member(time, "created");
  told.id = id_of_token(id);
  if (told.id.empty()) return told;
  told.type = "agent_entry";
  if (role != "\"user\"" && role != "\"assistant\"") return told;
  JsonWriter json;
  JsonWriter results;
  json.begin_object().key("role").json(role).key("content").begin_array();
  results.begin_object().key("role").text("user").key("content").begin_array();
  const std::size_t empty = json.size();
  const std::size_t no_results = results.size();
  std::string text;
  for_each_json_element(parts, [&](std::string_view part) {
    const auto [type, said, synthetic, ignored, kept] =
        json_members(part, {"type", "text", "synthetic", "ignored", "tail_start_id"});
    // What opencode says in the user's name, and what it keeps from the model.
    if (synthetic == "true" || ignored == "true") return;
    if (type == "\"text\"") {
      put_text(json, said);
      text += json_text_or_empty(said);
    } else if (type == "\"reasoning\"") {
      json.begin_object().key("type").text("thinking");
      json.key("thinking").json(text_token(said)).end_object();
    } else if (type == "\"file\"") {
      put_file(json, part);
    } else if (type == "\"tool\"") {
      put_call(json, results, part);
    } else if (type == "\"compaction\"") {
      memory.first_kept = id_of_token(kept);
    }
  });
  if (json.size() == empty) return told;
  if (summary == "true" && !finish.empty() && error.empty()) {  // what a compaction says
    told.type = "compaction_summary";
    told.made_payload = compaction_payload(text, std::exchange(memory.first_kept, {}));
    return told;
  }
  told.type = "message";
  told.begins_turn = role == "\"user\"";
  told.made_payload = json.end_array().end_object().take();
  if (results.size() > no_results) told.results = results.end_array().end_object().take();
  if (tokens.starts_with('{')) told.usage = usage_of(tokens);
  if (model.starts_with('"') && role == "\"assistant\"") {
    told.origin = fmt::format(R"({{"api":"anthropic-messages","provider":{},"model":{}}})",
                              provider.starts_with('"') ? provider : "\"\"", model);
  }
  return told;
}

}  // namespace

const Format opencode_format{"opencode", "opencode",   is_opencode, head_of,
                             places,     name_in_path, split,       tell,
                             nullptr,    nullptr,      resume_words};

}  // namespace logwood::exchange
