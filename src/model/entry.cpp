#include "logwood/entry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/entry_fields.hpp"

namespace logwood {
namespace {

constexpr std::string_view marks[] = {"head",      "label",    "session_info",
                                      "redaction", "tool_run", "agent_line"};

}  // namespace

EntryKind kind_of(std::string_view type) {
  if (type == "session_header") return EntryKind::header;
  const bool is_mark = std::find(std::begin(marks), std::end(marks), type) != std::end(marks);
  return is_mark ? EntryKind::mark : EntryKind::tree;
}

std::string_view Entry::payload() const { return find_fields(text).payload; }
std::string_view Entry::meta() const { return find_fields(text).meta; }

Draft Draft::of(const DraftFields& fields) {
  std::string text = "{";
  const auto put = [&](std::string_view name, std::string_view token) {
    if (text.size() > 1) text += ',';
    text += fmt::format("\"{}\":{}", name, token);
  };
  if (fields.id) put("id", json_quoted(fields.id->text));
  if (fields.parent.at == Parent::At::root) put("parentId", "null");
  if (fields.parent.at == Parent::At::entry) put("parentId", json_quoted(fields.parent.id.text));
  if (fields.timestamp) put("timestamp", json_quoted(*fields.timestamp));
  put("type", json_quoted(fields.type));
  if (fields.run_id) put("runId", json_quoted(*fields.run_id));
  put("payload", fields.payload);
  if (!fields.meta.empty()) put("meta", fields.meta);
  return {text + '}'};
}

Result<Entry> parse_entry(std::string text) {
  const EntryFields fields = find_fields(text);
  LOGWOOD_CHECK(check_entry(fields));
  Entry entry;
  entry.id = {std::string(*id_in(fields.id))};
  if (const auto parent = id_in(fields.parent_id)) entry.parent_id = EntryId{std::string(*parent)};
  entry.type = *json_string_value(fields.type);
  entry.timestamp = json_text_or_empty(fields.timestamp);
  entry.run_id = json_string_value(fields.run_id);
  entry.erased = !fields.erased.empty();
  entry.text = std::move(text);
  return entry;
}

}  // namespace logwood
