// Gemini CLI: a line for each version of each message, so all lines have to be known before the
// first can be told; older versions wrote one document, and checkpoints are what the API was sent.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "exchange/format.hpp"
#include "exchange/times.hpp"
#include "exchange/usage.hpp"

namespace logwood::exchange {
namespace {

struct Document {
  std::string_view session_id, hash, started, messages, history;
  bool is_lines = false;
};

// It is the whole session, and no metadata of one.
bool has_list(std::string_view document) {
  const auto [messages, history] = json_members(document, {"messages", "history"});
  return messages.starts_with('[') || history.starts_with('[');
}

// Metadata on the first line, or all of it in one object; a checkpoint may be a bare list.
Document read_document(std::string_view bytes) {
  Document document;
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  const bool is_one_line = bytes.find_first_not_of(" \t\r\n", first.size()) == bytes.npos;
  document.is_lines = first.starts_with('{') && static_cast<bool>(check_json(first)) &&
                      !(is_one_line && has_list(first));
  const std::string_view whole = document.is_lines ? first : bytes;
  const std::size_t begin = std::min(whole.find_first_not_of(" \t\r\n"), whole.size());
  if (!document.is_lines && !check_json(whole)) return document;
  const std::string_view value = whole.substr(begin);
  const auto [id, hash, started, messages, history] =
      json_members(value, {"sessionId", "projectHash", "startTime", "messages", "history"});
  document.session_id = id;
  document.hash = hash;
  document.started = started;
  document.messages = messages;
  document.history = value.starts_with('[') ? value : history;
  return document;
}

bool is_content(std::string_view element) {
  const auto [role, parts] = json_members(element, {"role", "parts"});
  return role.starts_with('"') && parts.starts_with('[');
}

bool is_gemini(const FileSight& file) {
  const Document document = read_document(file.beginning);
  if (!document.session_id.empty() && !document.hash.empty()) return true;
  bool found = false;
  for_each_json_element(document.history,
                        [&](std::string_view element) { found = found || is_content(element); });
  return found;
}

FileHead head_of(const FileSight& file) {
  FileHead head;
  const Document document = read_document(file.beginning);
  head.session_id = json_text_or_empty(document.session_id);
  head.created = timestamp_of_token(document.started).value_or("");
  // A checkpoint has a name and no id.
  if (head.session_id.empty()) head.session_id = without_ending(file_name(file.path), ".json");
  return head;
}

std::vector<Place> places(const Variables& variable) {
  return below_home(variable, "/.gemini/tmp", 3);
}

// <project>/chats/session-….jsonl, <project>/chats/<session>/<id>.jsonl, or .json. The name has a
// minute and the beginning of the id, so two may be called alike: all of the path counts.
std::string name_in_path(std::string_view path) {
  const std::size_t chats = path.find("/chats/");
  if (chats == std::string_view::npos) return "";
  std::string_view name = path.substr(chats + 7);
  for (const std::string_view ending : {".jsonl", ".json"}) {
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    constexpr std::size_t hash_size = 8;
    return to_hex(sha256({path.substr(0, chats)})).substr(0, hash_size) + "-" +
           std::string(file_name(name));
  }
  return "";
}

void split(std::string_view bytes, const PieceVisitor& visit) {
  const Document document = read_document(bytes);
  if (!document.is_lines) {
    return split_array(bytes, document.messages.empty() ? document.history : document.messages,
                       visit);
  }
  std::vector<Piece> pieces;
  std::unordered_map<std::string, std::size_t> last;  // version of each message
  split_lines(bytes, [&](const Piece& piece) {
    Piece one = piece;
    if (check_json(piece.json)) {
      const auto [id, type] = json_members(piece.json, {"id", "type"});
      if (id.starts_with('"') && type.starts_with('"')) {
        const auto [known, is_new] = last.try_emplace(std::string(id), pieces.size());
        if (!is_new) pieces[std::exchange(known->second, pieces.size())].is_superseded = true;
      }
    }
    pieces.push_back(one);
  });
  for (const Piece& piece : pieces) visit(piece);
}

// Content may be one text, one part, or a list of both.
template <class Visit>
void for_each_part(std::string_view content, Visit visit) {
  if (!content.starts_with('[')) return visit(content);
  for_each_json_element(content, visit);
}

std::string text_of_content(std::string_view content) {
  std::string text;
  for_each_part(content, [&](std::string_view part) {
    const std::string said =
        json_text_or_empty(part.starts_with('"') ? part : json_member(part, "text"));
    if (said.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += said;
  });
  return text;
}

void put_parts(JsonWriter& json, std::string_view content) {
  for_each_part(content, [&](std::string_view part) {
    if (part.starts_with('"')) {
      json.begin_object().key("text").json(part).end_object();
    } else if (part.starts_with('{')) {
      json.json(part);
    }
  });
}

void put_call(JsonWriter& json, std::string_view call) {
  const auto [id, name, args] = json_members(call, {"id", "name", "args"});
  json.begin_object().key("functionCall").begin_object();
  if (!id.empty()) json.key("id").json(id);
  json.key("name").json(name.empty() ? "\"\"" : name);
  json.key("args").json(args.starts_with('{') ? args : "{}").end_object().end_object();
}

// What a tool answered is parts of the API already, pictures among them, or a text.
void put_result(JsonWriter& json, std::string_view call) {
  const auto [id, name, result] = json_members(call, {"id", "name", "result"});
  bool is_response = false;
  for_each_part(result, [&](std::string_view part) {
    is_response = is_response || !json_member(part, "functionResponse").empty();
  });
  if (is_response) return put_parts(json, result);
  if (result.empty() || result == "null") return;
  json.begin_object().key("functionResponse").begin_object();
  if (!id.empty()) json.key("id").json(id);
  json.key("name").json(name.empty() ? "\"\"" : name).key("response").begin_object();
  json.key("output").text(text_of_content(result)).end_object().end_object().end_object();
}

void tell_answer(std::string_view line, ToldLine& told) {
  const auto [content, calls, thoughts, tokens, model] =
      json_members(line, {"content", "toolCalls", "thoughts", "tokens", "model"});
  JsonWriter json;
  json.begin_object().key("role").text("model").key("parts").begin_array();
  for_each_json_element(thoughts, [&](std::string_view thought) {
    const auto [subject, description] = json_members(thought, {"subject", "description"});
    json.begin_object().key("text").text(
        fmt::format("**{}**\n{}", json_text_or_empty(subject), json_text_or_empty(description)));
    json.key("thought").boolean(true).end_object();
  });
  put_parts(json, content);
  JsonWriter results;
  results.begin_object().key("role").text("user").key("parts").begin_array();
  const std::size_t empty = results.size();
  for_each_json_element(calls, [&](std::string_view call) {
    put_call(json, call);
    put_result(results, call);
  });
  told.made_payload = json.end_array().end_object().take();
  if (results.size() > empty) told.results = results.end_array().end_object().take();
  if (tokens.starts_with('{')) {
    const auto [input, output, cached, thought] =
        json_members(tokens, {"input", "output", "cached", "thoughts"});
    told.usage = usage_with_cache(input, cached, {output, thought});
  }
  if (model.starts_with('"')) {
    told.origin = fmt::format(R"({{"api":"gemini","provider":"google","model":{}}})", model);
  }
}

void tell_message(std::string_view line, std::string_view type, ToldLine& told) {
  told.type = "agent_entry";
  if (type == "\"gemini\"") {
    told.type = "message";
    tell_answer(line, told);
  } else if (type == "\"user\"") {
    JsonWriter json;
    json.begin_object().key("role").text("user").key("parts").begin_array();
    put_parts(json, json_member(line, "content"));
    told.type = "message";
    told.made_payload = json.end_array().end_object().take();
    told.begins_turn = true;
  }
}

// Messages take the place of all before: new ones that sum up what was said, and those of before
// that are kept, which say it again.
void tell_replacement(std::string_view messages, const Memory& memory, ToldLine& told) {
  std::string text;
  std::string kept;
  bool is_new = false;
  for_each_json_element(messages, [&](std::string_view message) {
    const auto [id_token, content] = json_members(message, {"id", "content"});
    const std::string id = id_of_token(id_token);
    if (memory.parents.contains(id)) {
      if (kept.empty()) kept = id;
      return;
    }
    is_new = true;
    const std::string said = text_of_content(content);
    if (said.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += said;
  });
  if (!is_new && !kept.empty() && memory.parents.at(kept).empty()) return;  // nothing is replaced
  told.type = "compaction_summary";
  told.made_payload = compaction_payload(text, kept);
}

void tell_set(std::string_view set, const Memory& memory, ToldLine& told) {
  const auto [messages, summary] = json_members(set, {"messages", "summary"});
  if (summary.starts_with('"')) {
    told.marks.push_back({"session_info", fmt::format(R"({{"title":{}}})", summary)});
  }
  if (messages.starts_with('[')) tell_replacement(messages, memory, told);
}

ToldLine tell(const Line& line, Memory& memory) {
  const std::string_view object = object_of(line);
  const auto [id, type, timestamp, set, rewind, summary, session, role, parts] = json_members(
      object,
      {"id", "type", "timestamp", "$set", "$rewindTo", "summary", "sessionId", "role", "parts"});
  ToldLine told;
  told.timestamp = timestamp;
  if (!set.empty()) {
    tell_set(set, memory, told);
  } else if (!rewind.empty()) {
    told.is_rewound = true;
    told.rewound_to = id_of_token(rewind);
  } else if (!session.empty()) {
    tell_set(object, memory, told);
  } else if (id.starts_with('"') && type.starts_with('"')) {
    told.id = id_of_token(id);
    tell_message(object, type, told);
  } else if ((role == "\"user\"" || role == "\"model\"") && parts.starts_with('[')) {
    told.type = "message";
    told.payload = object;
    told.begins_turn = role == "\"user\"";
  }
  return told;
}

}  // namespace

const Format gemini_format{"gemini", "Gemini CLI", is_gemini, head_of, places, name_in_path,
                           split,    tell,         nullptr,   nullptr, nullptr};

}  // namespace logwood::exchange
