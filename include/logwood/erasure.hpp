#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// An entry whose bytes were removed, and what is left to prove that.
struct ErasedEntry {
  EntryId id;
  std::uint64_t seq = 0;
  std::string digest;  ///< of the line that was removed, in hex
  std::string line;    ///< SHA-256 of its tombstone up to the CRC, in hex

  bool operator==(const ErasedEntry&) const = default;
};

/// What else of a store can hold bytes of an entry.
enum class CopyKind : std::uint8_t {
  session,     ///< a fork, or what this session was forked from; or one that cannot be read
  trash,       ///< a removed one of those
  quarantine,  ///< torn bytes that were cut from one of those
  unfinished,  ///< a session that somebody died over while making it
  archive,     ///< one that somebody died over while making it, or while bringing a session back
};

[[nodiscard]] std::string_view name_of(CopyKind kind);

struct Copy {
  CopyKind kind = CopyKind::session;
  std::string name;     ///< the id of a session; else a name below the store's folder
  bool erased = false;  ///< it is gone, or holds none of it any more

  bool operator==(const Copy&) const = default;
};

struct EraseOptions {
  std::string reason = {};  ///< kept in the redaction that accounts for it
  /// Erases the copies too, and removes those of the kinds `quarantine`, `unfinished` and
  /// `archive`.
  bool everywhere = false;
};

/// What an erasure did. As JSON (`to_json`) it is a receipt that somebody else can hold
/// against the session later.
struct Erasure {
  SessionId session_id;
  EntryId redaction_id;  ///< of the mark that accounts for it
  std::string timestamp;
  std::vector<ErasedEntry> entries;  ///< none: all of them had been erased before
  std::uint64_t last_seq = 0;        ///< of the redaction
  std::string link;                  ///< of the redaction's line: an anchor for the chain
  std::vector<Copy> copies;          ///< in this store, outside this session
  std::vector<Erasure> elsewhere;    ///< what was erased of copies, each a receipt of its own

  bool operator==(const Erasure&) const = default;
};

[[nodiscard]] std::string to_json(const Erasure& erasure);

}  // namespace logwood
