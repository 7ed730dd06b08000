#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "logwood/ids.hpp"

namespace logwood {

/// What an acknowledgement means.
enum class Durability : std::uint8_t {
  /// The batch survives a power cut.
  synced,
  /// The batch survives the end of this process, however it ends. It is synced
  /// after 64 entries or 100 ms, or by flush and close; a power cut before that
  /// may take it, and the gap is reported.
  buffered,
};

/// The tail a caller has seen: append only if nobody has appended since.
struct ExpectedTail {
  std::optional<EntryId> id;  ///< nothing: the session has no tail yet
};

/// The head a caller has seen: append only if it is still there.
struct ExpectedHead {
  std::optional<EntryId> id;  ///< nothing: before the first entry
};

/// What to do with raw line breaks between the tokens of a draft.
enum class Newlines : std::uint8_t { refuse, to_spaces };

struct AppendOptions {
  std::optional<ExpectedTail> expected_tail = std::nullopt;
  std::optional<ExpectedHead> expected_head = std::nullopt;

  /// Names this append, so that repeating it is harmless even though the drafts
  /// carry no ids: their ids are derived from this text. Same text, same entries.
  std::string operation_id = {};

  Durability durability = Durability::synced;
  Newlines newlines = Newlines::refuse;
};

struct AppendResult {
  SessionId session_id;
  EntryId last_appended_entry_id;
  std::uint64_t appended_count = 0;  ///< 0 when the batch was there already
  bool replayed = false;             ///< the batch was there already
};

}  // namespace logwood
