#include "model/entry_fields.hpp"

#include <fmt/format.h>

#include "logwood/ids.hpp"

namespace logwood {
namespace {

struct Name {
  std::string_view text;
  std::string_view EntryFields::* member;
};

constexpr Name names[] = {
    {"id", &EntryFields::id},         {"parentId", &EntryFields::parent_id},
    {"type", &EntryFields::type},     {"timestamp", &EntryFields::timestamp},
    {"runId", &EntryFields::run_id},  {"payload", &EntryFields::payload},
    {"meta", &EntryFields::meta},     {"erased", &EntryFields::erased},
    {"digest", &EntryFields::digest},
};

constexpr std::string_view reserved_names[] = {"seal", "digest", "erased", "blobs"};

// Consumes `literal` if the text goes on with it.
bool skip(std::string_view& text, std::string_view literal) {
  if (!text.starts_with(literal)) return false;
  text.remove_prefix(literal.size());
  return true;
}
bool skip(std::string_view& text, char literal) {
  if (!text.starts_with(literal)) return false;
  text.remove_prefix(1);
  return true;
}

// Consumes the inside of a string and its closing quote; nothing at an escape.
std::optional<std::string_view> take_plain(std::string_view& text) {
  const std::size_t end = text.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(0, end);
  if (inside.find('\\') != std::string_view::npos) return std::nullopt;
  text.remove_prefix(end + 1);
  return inside;
}

// `spelled` is how the type is written, `type` what it says.
EntryPlace place_of(std::string_view id, std::string_view parent_id, std::string_view spelled,
                    std::string_view type) {
  if (!check_id(id)) return {};
  return {id, parent_id, spelled, kind_of(type), type == "head", type == "redaction"};
}

// These members are short and mostly come first, in one order or another (stamped ones stand in
// front of given ones), so a look at the front nearly always tells.
std::optional<EntryPlace> place_at_front(std::string_view text) {
  std::optional<std::string_view> id, parent_id, type;
  char before = '{';
  while (!id || !parent_id || !type) {
    if (!skip(text, before) || !skip(text, '"')) return std::nullopt;
    const auto name = take_plain(text);
    if (!name || !skip(text, ':')) return std::nullopt;
    if (*name == "parentId" && skip(text, "null")) {
      parent_id = "";
    } else {
      if (!skip(text, '"')) return std::nullopt;
      const auto value = take_plain(text);
      if (!value) return std::nullopt;
      if (*name == "id") {
        id = value;
      } else if (*name == "parentId") {
        parent_id = value;
      } else if (*name == "type") {
        type = value;
      } else if (*name != "timestamp" && *name != "runId") {
        return std::nullopt;
      }
    }
    before = ',';
  }
  return place_of(*id, *parent_id, *type, *type);
}

bool is_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

void take(const JsonMember& member, EntryFields& fields) {
  for (const Name& name : names) {
    if (!member.is(name.text)) continue;
    if (!(fields.*name.member).empty() && fields.repeated.empty()) fields.repeated = name.text;
    fields.*name.member = member.value;
  }
  for (const std::string_view name : reserved_names) {
    if (fields.reserved.empty() && member.is(name)) fields.reserved = name;
  }
}

}  // namespace

EntryFields find_fields(std::string_view text) {
  EntryFields fields;
  fields.is_object = is_object(text);
  fields.json = check_json(text, [&](const JsonMember& member) { take(member, fields); });
  return fields;
}

EntryFields find_fields_of_stored(std::string_view text) {
  EntryFields fields;
  fields.is_object = is_object(text);
  for_each_json_member(text, [&](const JsonMember& member) { take(member, fields); });
  return fields;
}

Result<> check_entry(const EntryFields& fields) {
  const auto not_an_entry = [](std::string why) {
    return Error{ErrorCode::damaged, std::move(why)};
  };
  if (!fields.json) return not_an_entry("the entry " + describe(fields.json));
  if (!fields.is_object) return not_an_entry("the entry is not a JSON object");
  if (!fields.repeated.empty()) {
    return not_an_entry(fmt::format("the entry has \"{}\" twice", fields.repeated));
  }
  const auto id = id_in(fields.id);
  if (!id) return not_an_entry("the entry has no \"id\"");
  if (!json_string_value(fields.type))
    return not_an_entry(fmt::format("entry {} has no \"type\"", *id));
  if (!fields.parent_id.empty() && fields.parent_id != "null" && !id_in(fields.parent_id)) {
    return not_an_entry(fmt::format("entry {} has a \"parentId\" that is no id", *id));
  }
  return {};
}

std::optional<std::string_view> id_in(std::string_view token) {
  if (token.size() < 3 || token.front() != '"' || token.back() != '"') return std::nullopt;
  const std::string_view id = token.substr(1, token.size() - 2);
  if (!check_id(id)) return std::nullopt;
  return id;
}

EntryPlace find_place(std::string_view text) {
  if (const auto place = place_at_front(text)) return *place;
  const EntryFields fields = find_fields(text);
  const auto type = json_string_value(fields.type);
  if (!fields.json || !type) return {};
  return place_of(id_in(fields.id).value_or(""), id_in(fields.parent_id).value_or(""),
                  fields.type.substr(1, fields.type.size() - 2), *type);
}

}  // namespace logwood
