#include "model/draft.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"
#include "model/label_mark.hpp"
#include "model/long_strings.hpp"
#include "model/redaction.hpp"

namespace logwood {
namespace {

Error invalid(std::string why) { return {ErrorCode::invalid_argument, std::move(why)}; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) + 1 - first);
}

bool is_object(std::string_view token) { return token.starts_with('{'); }

Result<> check_members(const EntryFields& fields) {
  if (!fields.repeated.empty()) return invalid(fmt::format("\"{}\" occurs twice", fields.repeated));
  if (!fields.reserved.empty()) {
    return invalid(fmt::format("\"{}\" is a name that only the store writes", fields.reserved));
  }
  if (!fields.id.empty() && !id_in(fields.id)) {
    return invalid(fmt::format("\"id\" must be a string that is an id, without escapes"));
  }
  if (!is_object(fields.payload)) return invalid("\"payload\" is missing or is not an object");
  if (!fields.meta.empty() && !is_object(fields.meta)) return invalid("\"meta\" is not an object");
  if (!fields.run_id.empty() && !json_string_value(fields.run_id)) {
    return invalid("\"runId\" is not a string");
  }
  const auto timestamp = json_string_value(fields.timestamp);
  if (!fields.timestamp.empty() && (!timestamp || !is_timestamp(*timestamp))) {
    return invalid("\"timestamp\" is not of the form 2026-01-31T23:59:59.999Z");
  }
  return {};
}

Result<Parent> parent_in(std::string_view token) {
  if (token.empty()) return Parent::head();
  if (token == "null") return Parent::root();
  const auto id = id_in(token);
  if (!id) return invalid("\"parentId\" must be an id or null");
  return Parent::of({std::string(*id)});
}

}  // namespace

Result<CheckedDraft> check_draft(std::string_view text, Newlines newlines) {
  if (text.size() > entry_size_max) {
    return invalid(
        fmt::format("it has {} bytes; an entry has at most {}", text.size(), entry_size_max));
  }
  CheckedDraft draft;
  draft.text = trimmed(text);
  EntryFields fields = find_fields(draft.text);
  if (!fields.json) return invalid("it " + describe(fields.json));
  if (!fields.is_object) return invalid("it is not a JSON object");
  if (fields.json.has_newline) {
    if (newlines == Newlines::refuse) {
      return invalid("it has a line break between two tokens; an entry is one line of its file");
    }
    // Same length, so the fields found above still lie where they lay.
    std::replace(draft.text.begin(), draft.text.end(), '\n', ' ');
    std::replace(draft.text.begin(), draft.text.end(), '\r', ' ');
  }
  LOGWOOD_CHECK(check_members(fields));

  const auto type = json_string_value(fields.type);
  if (!type || type->empty()) return invalid("\"type\" is missing or is not a string");
  draft.kind = kind_of(*type);
  draft.moves_head = *type == "head";
  if (draft.kind == EntryKind::header)
    return invalid("a session has one session_header, its first line");

  if (const auto id = id_in(fields.id)) draft.id = EntryId{std::string(*id)};
  LOGWOOD_TRY(draft.parent, parent_in(fields.parent_id));
  draft.has_parent = !fields.parent_id.empty();
  draft.has_timestamp = !fields.timestamp.empty();
  if (draft.kind == EntryKind::mark && draft.parent.at == Parent::At::entry) {
    return invalid(
        fmt::format("a {} mark stands outside the tree; its \"parentId\" is null", *type));
  }
  if (draft.moves_head) {
    const auto target = head_target(draft.text);
    if (!target) return invalid("the payload of a head mark has \"target\": an entry id or null");
    draft.target = *target;
  }
  if (*type == "label") {
    auto label = read_label(draft.text);
    if (!label) {
      return invalid(fmt::format(
          "the payload of a label has \"name\", a text of 1 to {} bytes, and \"target\", an entry "
          "id or null",
          label_name_size_max));
    }
    draft.target = std::move(label->target);
  }
  if (*type == "redaction") {
    LOGWOOD_TRY(draft.redacted, check_redaction(fields.payload));
  }
  return draft;
}

std::string stamps_of(const CheckedDraft& draft, const EntryId& id,
                      const std::optional<EntryId>& parent_id, std::string_view timestamp) {
  std::string stamps;
  stamps.reserve(64 + id.text.size() + (parent_id ? parent_id->text.size() : 0) + timestamp.size());
  stamps += '{';
  if (!draft.id) stamps.append("\"id\":\"").append(id.text).append("\",");
  if (!draft.has_parent) {
    stamps += "\"parentId\":";
    if (parent_id) {
      stamps.append("\"").append(parent_id->text).append("\",");
    } else {
      stamps += "null,";
    }
  }
  if (!draft.has_timestamp) stamps.append("\"timestamp\":\"").append(timestamp).append("\",");
  return stamps;
}

std::string_view members_of(const CheckedDraft& draft) {
  return std::string_view(draft.text).substr(1, draft.text.size() - 2);
}

std::string stamped_body(const CheckedDraft& draft, const EntryId& id,
                         const std::optional<EntryId>& parent_id, std::string_view timestamp) {
  return stamps_of(draft, id, parent_id, timestamp).append(members_of(draft));
}

bool is_same(const CheckedDraft& draft, std::string_view stored) {
  const std::string_view body = stored.substr(0, stored.size() - 1);
  const bool has_blobs = find_blobs(body).has_value();
  const std::string_view given = members_of(draft);
  if (!has_blobs && !body.ends_with(given)) return false;
  // What stands in front must be stamps only: the text with its stamps is found
  // again when the same draft is stamped with the stored values.
  const EntryFields fields = find_fields(stored);
  const auto id = id_in(fields.id);
  const auto timestamp = json_string_value(fields.timestamp);
  if (!id || !timestamp) return false;
  std::optional<EntryId> parent_id;
  if (const auto parent = id_in(fields.parent_id)) parent_id = EntryId{std::string(*parent)};
  const std::string again = stamped_body(draft, {std::string(*id)}, parent_id, *timestamp);
  return body == (has_blobs ? spill(again).body : again);
}

}  // namespace logwood
