#include "exchange/carried_line.hpp"

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"

namespace logwood::exchange {
namespace {

// Where the words about a line stand in an entry.
std::string_view words_about_line(const Entry& entry) {
  return entry.type == "agent_line" ? entry.payload() : json_member(entry.meta(), "source");
}

// What our lines may hold between two tokens.
bool fits_in_our_line(std::string_view text) {
  return text.find_first_of("\r\n") == std::string_view::npos;
}

void write_place(JsonWriter& json, const Line& line) {
  if (!line.other_file.empty()) json.key("file").text(line.other_file);
  if (!line.has_end) json.key("end").boolean(false);
}

}  // namespace

std::string source_member(std::string_view agent, const Line& line, std::string_view payload) {
  JsonWriter json;
  json.key("source").begin_object().key("agent").text(agent);
  if (payload.empty()) {
    json.key("line").text(line.text);
  } else {
    const auto at = static_cast<std::size_t>(payload.data() - line.text.data());
    json.key("before").text(line.text.substr(0, at));
    json.key("after").text(line.text.substr(at + payload.size()));
  }
  write_place(json, line);
  return json.end_object().take();
}

std::string agent_line_payload(std::string_view agent, const Line& line, bool is_json) {
  JsonWriter json;
  json.begin_object().key("agent").text(agent);
  if (is_json && fits_in_our_line(line.text)) {
    json.key("json").json(line.text);
  } else if (is_utf8(line.text)) {
    json.key("line").text(line.text);
  } else {
    json.key("base64").text(to_base64(line.text));
  }
  write_place(json, line);
  return json.end_object().take();
}

bool is_of_other_file(const Entry& entry) {
  return !json_member(words_about_line(entry), "file").empty();
}

std::optional<std::string> carried_line(const Entry& entry, std::string_view agent) {
  const std::string_view words = words_about_line(entry);
  const auto [name, line, before, after, json, base64, end] =
      json_members(words, {"agent", "line", "before", "after", "json", "base64", "end"});
  if (json_text_or_empty(name) != agent || entry.redacted || entry.erased || entry.incomplete)
    return std::nullopt;
  std::string text;
  if (!line.empty()) {
    text = json_text_or_empty(line);
  } else if (!before.empty()) {
    text = json_text_or_empty(before);
    text += entry.payload();
    text += json_text_or_empty(after);
  } else if (!json.empty()) {
    text = json;
  } else if (!base64.empty()) {
    auto bytes = from_base64(json_text_or_empty(base64));
    if (!bytes) return std::nullopt;
    text = *std::move(bytes);
  } else {
    return std::nullopt;
  }
  if (end != "false") text += '\n';
  return text;
}

}  // namespace logwood::exchange
