#include "logwood/entry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/entry_fields.hpp"

namespace logwood {
namespace {

constexpr std::string_view marks[] = {"head", "label", "session_info", "redaction", "tool_run"};

Error not_an_entry(std::string why) { return {ErrorCode::damaged, std::move(why)}; }

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

Result<Entry> parse_entry(std::string_view text) {
  const EntryFields fields = find_fields(text);
  if (!fields.json) return not_an_entry("the entry " + describe(fields.json));
  if (!fields.is_object) return not_an_entry("the entry is not a JSON object");
  if (!fields.repeated.empty()) {
    return not_an_entry(fmt::format("the entry has \"{}\" twice", fields.repeated));
  }
  const auto id = id_in(fields.id);
  if (!id) return not_an_entry("the entry has no \"id\"");
  auto type = json_string_value(fields.type);
  if (!type) return not_an_entry(fmt::format("entry {} has no \"type\"", *id));

  Entry entry;
  entry.id = {std::string(*id)};
  if (!fields.parent_id.empty() && fields.parent_id != "null") {
    const auto parent = id_in(fields.parent_id);
    if (!parent) return not_an_entry(fmt::format("entry {} has a \"parentId\" that is no id", *id));
    entry.parent_id = EntryId{std::string(*parent)};
  }
  entry.type = *std::move(type);
  entry.timestamp = json_string_value(fields.timestamp).value_or("");
  entry.run_id = json_string_value(fields.run_id);
  entry.erased = !fields.erased.empty();
  entry.text = text;
  return entry;
}

}  // namespace logwood
