#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/error.hpp"
#include "logwood/ids.hpp"
#include "logwood/report.hpp"
#include "logwood/session.hpp"
#include "logwood/tree.hpp"

namespace logwood {

/// What a session is now.
struct SessionStatus {
  SessionHeader header;
  std::optional<EntryId> tail;  ///< what an append may expect
  std::optional<EntryId> head;  ///< where the next entry grows; nothing: before the first entry
  std::string read_only;        ///< why nothing can be appended; empty when it can
  bool archived = false;
  std::string file = {};  ///< of another agent, in which it lies; empty: it is in the store
};

/// Entries in the order they were appended.
struct EntryPage {
  std::vector<Entry> entries;
  std::vector<Problem> problems;  ///< what was passed over on the way to them
  bool has_more = false;
};

/// Entries from the newest to the oldest.
struct BackwardPage {
  std::vector<Entry> entries;
  /// The entries join a place that an earlier complete walk accepted. Without
  /// it, a diverged copy of the session that somebody put at the end would not
  /// be noticed before verify.
  bool anchored = false;
  bool has_more = false;
};

/// Whether a reader is shown what redactions hide.
enum class View : std::uint8_t {
  shown,   ///< redactions apply
  stored,  ///< what was stored, for copying and repairing it
};

enum class Along : std::uint8_t {
  append_order,  ///< every entry, as appended
  path,          ///< only those on the path of the head
};

struct OpenedSession {
  SessionHeader header;
  bool created = false;
};

struct ListOptions {
  std::size_t limit = 100;
  std::optional<SessionId> after = std::nullopt;   ///< the last id of the page before
  std::string key = {};                            ///< only sessions with this key
  std::string key_prefix = {};                     ///< only sessions whose key begins so
  std::string cwd = {};                            ///< only sessions of this folder
  std::optional<SessionId> parent = std::nullopt;  ///< only its sub-agents' sessions
  std::optional<SessionId> forked_from = std::nullopt;
  /// The ids are enough: what else headers say may be missing, where it would have to be read.
  bool ids_only = false;

  [[nodiscard]] bool wants(const SessionHeader& header) const;
};

/// A session that is in the store but cannot be read, and why.
struct UnreadableSession {
  SessionId id;
  Error error;
};

/// Sessions by id, the newest first (generated ids sort by time).
struct SessionPage {
  std::vector<SessionHeader> sessions;
  std::vector<UnreadableSession> unreadable;
  bool has_more = false;
};

/// The tree of a session as of now.
struct SessionTree {
  Tree tree;
  std::optional<EntryId> head;
  std::vector<Problem> problems;  ///< what was passed over on the way through the session
};

/// A tip and its path.
struct Branch {
  EntryId tip;
  std::size_t length = 0;  ///< entries on its path
  std::string timestamp;   ///< of the tip
  std::string role;        ///< of the last message on it that has text
  std::string preview;     ///< the beginning of that text, on one line
  bool is_head = false;    ///< the head is its tip
};

/// A name that stands on an entry.
struct Label {
  std::string name;
  EntryId entry_id;
  std::string timestamp;  ///< of when it was put there
};

/// What archiving a session, or bringing it back, came to.
struct ArchiveResult {
  std::uint64_t session_bytes = 0;  ///< of its file, without blobs
  std::uint64_t archive_bytes = 0;  ///< of the archive it is in, or was in; 0 when in none
  bool changed = false;             ///< false: it was so already
};

struct MigrationResult {
  std::uint32_t from_version = 0;
  std::uint32_t to_version = 0;
  std::uint64_t entries = 0;
};

}  // namespace logwood
