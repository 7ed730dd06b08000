#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/ids.hpp"
#include "logwood/pages.hpp"
#include "logwood/session.hpp"
#include "logwood/turn.hpp"

namespace logwood {

/// What somebody who goes on with a session finds at its head.
enum class SessionState : std::uint8_t {
  ok,          ///< the last word is the assistant's, or nothing was said yet
  open,        ///< a message of the user, or a result, waits for an answer
  unfinished,  ///< a tool call has no result
  damaged,     ///< something stored is lost; verify says what
};

[[nodiscard]] std::string_view name_of(SessionState state);

/// The parts of a key: `agent:channel:peer`, or with the kind of peer before it. A key that begins
/// with the word `agent` has that word and then the same.
struct KeyParts {
  std::string agent;
  std::string channel;
  std::string peer_kind;
  std::string peer;
  bool operator==(const KeyParts&) const = default;
};
[[nodiscard]] KeyParts parts_of_key(const std::string& key);

/// What was said about a session, by `session_info` marks; the last word counts.
struct SessionInfo {
  std::optional<std::string> title = std::nullopt;
  std::optional<std::vector<std::string>> tags = std::nullopt;
  std::optional<std::string> cwd = std::nullopt;
  std::optional<std::string> expires_at = std::nullopt;  ///< a timestamp; empty: never
};

struct ToolUse {
  std::string name;
  std::uint64_t calls = 0;
  bool operator==(const ToolUse&) const = default;
};

/// A session in a few words and numbers, as a list shows it.
struct SessionSummary {
  SessionHeader header;
  std::string title;  ///< what was set, else the beginning of the first message of the user
  std::string cwd;    ///< what was set, else that of the header
  std::vector<std::string> tags;
  std::string expires_at;   ///< empty: never
  std::string last_active;  ///< timestamp of the newest entry
  std::uint64_t entries = 0;
  std::uint64_t user_messages = 0;
  std::uint64_t turns = 0;
  SessionUsage usage;
  std::vector<ToolUse> tools;  ///< by name
  std::uint64_t branches = 0;
  std::uint64_t size_bytes = 0;
  SessionState state = SessionState::ok;
  /// It is too long to be gone through for a list, or could not be read: numbers and state are not
  /// known, and the title is what its beginning says.
  bool is_brief = false;
};

/// A place in a list of summaries: behind this session.
struct SummaryPosition {
  std::string last_active;
  SessionId id;
};

/// Which sessions are wanted; those active last come first.
struct SummaryQuery {
  std::size_t limit = 50;
  std::size_t skip = 0;
  std::string cwd = {};
  std::string key = {};
  std::string agent = {};
  std::string channel = {};
  std::string peer_kind = {};
  std::string tag = {};
  std::string since = {};           ///< timestamp: active at or after it
  std::string expired_at = {};      ///< timestamp: expires at or before it
  std::string inactive_since = {};  ///< timestamp: not active at or after it
  bool counted = false;             ///< the page says how many fit in all
  /// Not 0: where there are very many sessions, a look at all of them that is no older than this is
  /// good enough. New ones are found, and those that were active last are looked at, in any case.
  std::chrono::milliseconds max_age{0};
  /// Where the page begins. Unlike `skip` it costs the same however far down that is, and what
  /// becomes active meanwhile moves nothing.
  std::optional<SummaryPosition> after = std::nullopt;
};

struct SummaryPage {
  std::vector<SessionSummary> sessions;
  std::uint64_t count = 0;  ///< of all that fit, whatever the limit, if that was asked for
  std::vector<UnreadableSession> unreadable;
  bool has_more = false;
};

/// Words that must all stand in an entry; "several words" together; -word that must not; word* for
/// a beginning; and type: role: tool: key: since: for what the entry is.
struct SearchOptions {
  std::string query;
  std::size_t limit = 20;
  std::size_t skip = 0;
  std::string cwd = {};  ///< only sessions of this folder
  /// `since:2d` and the like count from here; not given: from now.
  std::optional<std::chrono::system_clock::time_point> now = std::nullopt;
};

struct SearchHit {
  SessionId session_id;
  EntryId entry_id;
  std::string title;                            ///< of the session
  std::string cwd = {};                         ///< of the session
  std::optional<Origin> origin = std::nullopt;  ///< of the session
  std::string type;
  std::string role;
  std::string tool;  ///< that was called or answered, if one was
  std::string timestamp;
  /// A piece of the text with what was looked for. It is untrusted, as all text.
  std::string before;
  std::string found;
  std::string after;
};

struct SearchPage {
  std::vector<SearchHit> hits;  ///< the newest first
  std::uint64_t count = 0;      ///< of all hits
  std::uint64_t sessions = 0;   ///< that have one
  /// Could not be read up to their end: what they say since they last could is not searched.
  std::vector<UnreadableSession> unreadable;
  bool has_more = false;
};

/// What was used, in all sessions together. A message that forks have copied counts once.
struct UsageOf {
  std::string name;  ///< a day, a model, a tool
  std::uint64_t sessions = 0;
  std::uint64_t user_messages = 0;
  std::uint64_t messages = 0;  ///< of the assistant; calls of a tool
  Usage tokens;
};

struct StoreTotals {
  std::uint64_t sessions = 0;
  std::uint64_t user_messages = 0;
  std::uint64_t messages = 0;
  std::uint64_t tool_calls = 0;
  std::uint64_t size_bytes = 0;
  Usage tokens;
  std::vector<UsageOf> by_day;    ///< the oldest first
  std::vector<UsageOf> by_model;  ///< the most used first
  std::vector<UsageOf> by_tool;   ///< the most used first
};

/// The catalog is derived from the sessions, and brought up to date by whoever asks it something.
enum class CatalogPart : std::uint8_t {
  summaries,
  text,  ///< and what is searched; costs several times as much
};

}  // namespace logwood
