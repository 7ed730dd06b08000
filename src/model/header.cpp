#include "model/header.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "logwood/entry.hpp"
#include "model/entry_fields.hpp"

namespace logwood {
namespace {

constexpr std::size_t text_size_max = 64U << 10U;  // of a key, a folder, an agent's name

Result<> check_text(std::string_view name, std::string_view text) {
  if (text.size() > text_size_max || !is_utf8(text)) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("{} must be valid UTF-8 of at most {} bytes", name, text_size_max)};
  }
  return {};
}

std::string text_in(std::string_view object, std::string_view name) {
  return json_text_or_empty(json_member(object, name));
}

Error bad_header(std::string why) { return {ErrorCode::damaged, "the header " + std::move(why)}; }

Result<std::string> with_version(std::string_view entry_text, std::string_view from,
                                 std::string_view to) {
  const EntryFields fields = find_fields(entry_text);
  if (!fields.json) return bad_header(describe(fields.json));
  const std::string_view version = json_member(fields.payload, "version");
  if (version != from) return bad_header(fmt::format("does not say version {}", from));
  std::string changed(entry_text);
  changed.replace(static_cast<std::size_t>(version.data() - entry_text.data()), version.size(), to);
  return changed;
}

}  // namespace

Result<> check_new_session(const NewSession& session) {
  if (session.id) LOGWOOD_CHECK(check_id(session.id->text));
  LOGWOOD_CHECK(check_text("the key", session.key));
  LOGWOOD_CHECK(check_text("the cwd", session.cwd));
  if (session.parent) {
    LOGWOOD_CHECK(check_id(session.parent->session_id.text));
    if (session.parent->entry_id) LOGWOOD_CHECK(check_id(session.parent->entry_id->text));
  }
  if (session.origin) {
    LOGWOOD_CHECK(check_text("the origin's agent", session.origin->agent));
    LOGWOOD_CHECK(check_text("the origin's session id", session.origin->session_id));
    LOGWOOD_CHECK(check_text("the origin's version", session.origin->version));
    LOGWOOD_CHECK(check_text("the origin's git branch", session.origin->git_branch));
    if (session.origin->entry_id) LOGWOOD_CHECK(check_id(session.origin->entry_id->text));
  }
  return {};
}

SessionHeader header_for(const NewSession& session, const SessionId& id, std::string created) {
  SessionHeader header;
  header.id = id;
  header.version = session_version;
  header.created = std::move(created);
  header.key = session.key;
  header.cwd = session.cwd;
  header.parent = session.parent;
  header.origin = session.origin;
  return header;
}

std::string header_body(const SessionHeader& header) {
  std::string required;
  for (const std::string& name : header.required) {
    required += (required.empty() ? "" : ",") + json_quoted(name);
  }
  std::string body = fmt::format(
      R"({{"id":"{}","parentId":null,"timestamp":"{}","type":"session_header","payload":{{"version":{},"requires":[{}])",
      header.id.text, header.created, header.version, required);
  const auto put = [&](std::string_view name, std::string_view value) {
    body += fmt::format(",\"{}\":{}", name, value);
  };
  if (!header.key.empty()) put("key", json_quoted(header.key));
  if (!header.cwd.empty()) put("cwd", json_quoted(header.cwd));
  if (header.parent) {
    std::string parent = "{\"sessionId\":" + json_quoted(header.parent->session_id.text);
    if (header.parent->entry_id)
      parent += ",\"entryId\":" + json_quoted(header.parent->entry_id->text);
    put("parent", parent + "}");
  }
  if (header.origin) {
    std::string origin =
        fmt::format(R"({{"agent":{},"sessionId":{},"version":{},"gitBranch":{})",
                    json_quoted(header.origin->agent), json_quoted(header.origin->session_id),
                    json_quoted(header.origin->version), json_quoted(header.origin->git_branch));
    if (header.origin->entry_id)
      origin += ",\"entryId\":" + json_quoted(header.origin->entry_id->text);
    put("origin", origin + "}");
  }
  return body + "}";
}

Result<SessionHeader> parse_header(std::string_view entry_text) {
  LOGWOOD_TRY(const Entry entry, parse_entry(std::string(entry_text)));
  if (entry.type != "session_header")
    return bad_header("is missing: the first line is another entry");
  const std::string_view payload = entry.payload();

  SessionHeader header;
  const std::string_view version = json_member(payload, "version");
  const auto [end, status] =
      std::from_chars(version.data(), version.data() + version.size(), header.version);
  if (status != std::errc() || end != version.data() + version.size()) {
    return bad_header("has no \"version\" number");
  }
  header.id = {entry.id.text};
  for_each_json_element(json_member(payload, "requires"), [&](std::string_view name) {
    // A requirement that is no string is one we cannot know: its text stands for it.
    header.required.push_back(json_string_value(name).value_or(std::string(name)));
  });
  header.created = entry.timestamp;
  header.key = text_in(payload, "key");
  header.cwd = text_in(payload, "cwd");
  if (const auto parent = json_member(payload, "parent"); parent.starts_with('{')) {
    ParentSession from{{text_in(parent, "sessionId")}, std::nullopt};
    if (auto id = text_in(parent, "entryId"); !id.empty()) from.entry_id = EntryId{std::move(id)};
    header.parent = std::move(from);
  }
  if (const auto origin = json_member(payload, "origin"); origin.starts_with('{')) {
    header.origin = Origin{text_in(origin, "agent"), text_in(origin, "sessionId"),
                           text_in(origin, "version"), text_in(origin, "gitBranch")};
    if (auto id = text_in(origin, "entryId"); !id.empty())
      header.origin->entry_id = EntryId{std::move(id)};
  }
  return header;
}

Result<std::string> upgraded_header(std::string_view entry_text) {
  return with_version(entry_text, "0", "1");
}

Result<std::string> downgraded_header(std::string_view entry_text) {
  return with_version(entry_text, "1", "0");
}

std::string limits_in_header(const SessionHeader& header) {
  if (header.version > session_version) {
    return fmt::format(
        "the session has format version {}, this program writes {}; use a newer logwood",
        header.version, session_version);
  }
  if (!header.required.empty()) {
    return fmt::format(
        "the session requires \"{}\", which this program does not know; use a newer logwood",
        header.required.front());
  }
  return {};
}

std::optional<SessionId> fork_source(const SessionHeader& header) {
  if (!header.origin || header.origin->agent != fork_agent) return std::nullopt;
  return SessionId{header.origin->session_id};
}

}  // namespace logwood
