#include "model/erasure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"

namespace logwood {
namespace {

constexpr std::string_view copy_names[] = {"session", "trash", "quarantine", "unfinished",
                                           "archive"};

std::string targets_of(const Erasure& erasure) {
  std::string targets;
  for (const ErasedEntry& entry : erasure.entries) {
    targets += fmt::format(R"({}{{"id":{},"seq":{},"digest":"{}","line":"{}"}})",
                           targets.empty() ? "" : ",", json_quoted(entry.id.text), entry.seq,
                           entry.digest, entry.line);
  }
  return targets;
}

std::vector<ErasedEntry> read_targets(std::string_view array) {
  std::vector<ErasedEntry> entries;
  for_each_json_element(array, [&](std::string_view entry) {
    const auto [id, seq, digest, line] = json_members(entry, {"id", "seq", "digest", "line"});
    entries.push_back({{json_text_or_empty(id)},
                       json_unsigned(seq).value_or(0),
                       json_text_or_empty(digest),
                       json_text_or_empty(line)});
  });
  return entries;
}

// A receipt without those of copies.
Result<Erasure> parse_one(std::string_view json) {
  const auto [receipt, version, session, redaction, timestamp, last_seq, link, entries] =
      json_members(json, {"receipt", "version", "sessionId", "redactionId", "timestamp", "lastSeq",
                          "link", "entries"});
  if (json_text_or_empty(receipt) != "erasure" || version != "1") {
    return Error{ErrorCode::invalid_argument, "this is no receipt of an erasure, version 1"};
  }
  Erasure erasure;
  erasure.session_id = {json_text_or_empty(session)};
  erasure.redaction_id = {json_text_or_empty(redaction)};
  erasure.timestamp = json_text_or_empty(timestamp);
  erasure.last_seq = json_unsigned(last_seq).value_or(0);
  erasure.link = json_text_or_empty(link);
  erasure.entries = read_targets(entries);
  return erasure;
}

}  // namespace

bool is_empty_copy(const Entry& entry) {
  return entry.meta() == erased_meta && entry.payload() == "{}";
}

bool is_made_of(std::string_view entry, const std::set<EntryId>& sources) {
  if (entry.find("\"migratedFrom\"") == std::string_view::npos) return false;
  const std::string_view from = json_member(find_fields(entry).meta, "migratedFrom");
  bool is_made = false;
  for_each_json_element(json_member(from, "entryIds"), [&](std::string_view id) {
    is_made = is_made || sources.contains({json_text_or_empty(id)});
  });
  return is_made;
}

std::string redaction_body(const Erasure& erasure, std::string_view reason) {
  std::string body = fmt::format(
      R"({{"id":{},"parentId":null,"timestamp":"{}","type":"redaction","payload":{{"targets":[{}])",
      json_quoted(erasure.redaction_id.text), erasure.timestamp, targets_of(erasure));
  if (!reason.empty()) body += ",\"reason\":" + json_quoted(reason);
  return body + "}";
}

std::vector<ErasedEntry> accounted_for(std::string_view redaction) {
  return read_targets(json_member(json_member(redaction, "payload"), "targets"));
}

std::string_view name_of(CopyKind kind) { return copy_names[static_cast<std::size_t>(kind)]; }

std::string to_json(const Erasure& erasure) {
  std::string json = fmt::format(
      R"({{"receipt":"erasure","version":1,"sessionId":{},"redactionId":{},"timestamp":"{}","lastSeq":{},"link":"{}","entries":[{}])",
      json_quoted(erasure.session_id.text), json_quoted(erasure.redaction_id.text),
      erasure.timestamp, erasure.last_seq, erasure.link, targets_of(erasure));
  std::string copies;
  for (const Copy& copy : erasure.copies) {
    copies += fmt::format(R"({}{{"kind":"{}","name":{},"erased":{}}})", copies.empty() ? "" : ",",
                          name_of(copy.kind), json_quoted(copy.name), copy.erased);
  }
  if (!copies.empty()) json += ",\"copies\":[" + copies + "]";
  std::string elsewhere;
  for (const Erasure& other : erasure.elsewhere) {  // copies have no copies of their own
    elsewhere += (elsewhere.empty() ? "" : ",") + to_json(other);
  }
  if (!elsewhere.empty()) json += ",\"elsewhere\":[" + elsewhere + "]";
  return json + "}";
}

Result<Erasure> parse_erasure(std::string_view json) {
  if (!check_json(json)) {
    return Error{ErrorCode::invalid_argument, "the receipt is not valid JSON"};
  }
  LOGWOOD_TRY(Erasure erasure, parse_one(json));
  const auto [copies, elsewhere] = json_members(json, {"copies", "elsewhere"});
  for_each_json_element(copies, [&](std::string_view token) {
    const auto [kind, name, erased] = json_members(token, {"kind", "name", "erased"});
    const auto known =
        std::find(std::begin(copy_names), std::end(copy_names), json_text_or_empty(kind));
    if (known == std::end(copy_names)) return;
    erasure.copies.push_back({static_cast<CopyKind>(known - std::begin(copy_names)),
                              json_text_or_empty(name), erased == "true"});
  });
  Result<> first_failure;
  for_each_json_element(elsewhere, [&](std::string_view token) {
    auto other = parse_one(token);
    if (other) {
      erasure.elsewhere.push_back(*std::move(other));
    } else if (first_failure) {
      first_failure = std::move(other).error();
    }
  });
  LOGWOOD_CHECK(first_failure);
  return erasure;
}

}  // namespace logwood
