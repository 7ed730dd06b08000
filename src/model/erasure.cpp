#include "model/erasure.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/json_text.hpp"

namespace logwood {
namespace {

std::string targets_of(const Erasure& erasure) {
  std::string targets;
  for (const ErasedEntry& entry : erasure.entries) {
    targets += fmt::format(R"({}{{"id":{},"seq":{},"digest":"{}","line":"{}"}})",
                           targets.empty() ? "" : ",", json_quoted(entry.id.text), entry.seq,
                           entry.digest, entry.line);
  }
  return targets;
}

std::uint64_t number_in(std::string_view token) {
  std::uint64_t value = 0;
  std::from_chars(token.data(), token.data() + token.size(), value);
  return value;
}

}  // namespace

std::string redaction_body(const Erasure& erasure, std::string_view reason) {
  std::string body = fmt::format(
      R"({{"id":{},"parentId":null,"timestamp":"{}","type":"redaction","payload":{{"targets":[{}])",
      json_quoted(erasure.redaction_id.text), erasure.timestamp, targets_of(erasure));
  if (!reason.empty()) body += ",\"reason\":" + json_quoted(reason);
  return body + "}";
}

std::string to_json(const Erasure& erasure) {
  return fmt::format(
      R"({{"receipt":"erasure","version":1,"sessionId":{},"redactionId":{},"timestamp":"{}","lastSeq":{},"link":"{}","entries":[{}]}})",
      json_quoted(erasure.session_id.text), json_quoted(erasure.redaction_id.text),
      erasure.timestamp, erasure.last_seq, erasure.link, targets_of(erasure));
}

Result<Erasure> parse_erasure(std::string_view json) {
  const auto text_of = [](std::string_view token) { return json_string_value(token).value_or(""); };
  if (!check_json(json)) {
    return Error{ErrorCode::invalid_argument, "the receipt is not valid JSON"};
  }
  const auto [receipt, version, session, redaction, timestamp, last_seq, link, entries] =
      json_members(json, {"receipt", "version", "sessionId", "redactionId", "timestamp", "lastSeq",
                          "link", "entries"});
  if (text_of(receipt) != "erasure" || version != "1") {
    return Error{ErrorCode::invalid_argument, "this is no receipt of an erasure, version 1"};
  }
  Erasure erasure;
  erasure.session_id = {text_of(session)};
  erasure.redaction_id = {text_of(redaction)};
  erasure.timestamp = text_of(timestamp);
  erasure.last_seq = number_in(last_seq);
  erasure.link = text_of(link);
  for_each_json_element(entries, [&](std::string_view entry) {
    const auto [id, seq, digest, line] = json_members(entry, {"id", "seq", "digest", "line"});
    erasure.entries.push_back({{text_of(id)}, number_in(seq), text_of(digest), text_of(line)});
  });
  return erasure;
}

}  // namespace logwood
