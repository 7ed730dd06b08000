#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// What can be wrong with, or unusual about, a place in a session file.
enum class ProblemKind : std::uint8_t {
  torn,          ///< bytes at the very end that never became a batch; the next append removes them
  nul,           ///< a run of NULs where a write did not reach the disk
  damaged,       ///< bytes that were one of our lines, or cannot be read at all
  line_end,      ///< a sound line whose line break was lost or changed
  blank,         ///< an empty line
  foreign,       ///< somebody else's JSON; kept, not part of the session
  newer,         ///< sealed by a newer version; the session is read-only
  repeated,      ///< a sound line whose place is taken already; not returned
  missing,       ///< lines that were here once are gone
  out_of_chain,  ///< a sound line that does not continue the one before it
  part,          ///< a batch that is not whole; its sound lines are returned flagged
  unaccounted,   ///< an erased line that no redaction names
  not_erased,    ///< a redaction names this line as erased, and it is not
  renamed,       ///< the file holds a session of another name; read-only
  not_an_entry,  ///< a sound line whose text is not an entry; not returned
  blob,          ///< a blob of this entry is missing or altered; its long strings are empty
  // Only of files of other agents:
  cut_off,   ///< the last line is not whole
  joined,    ///< an entry whose parent is not there was put behind the one before it
  same_id,   ///< a line whose id is taken already; kept outside the tree
  too_long,  ///< a line longer than any of ours; left out
};

[[nodiscard]] std::string_view name_of(ProblemKind kind);

/// Why lines are missing, as far as the file itself can tell.
enum class GapCause : std::uint8_t {
  unknown,     ///< nothing follows that would tell
  power_cut,   ///< what follows was written when the lines before were not yet synced
  corruption,  ///< what follows was written after the lines before were synced
};

struct Problem {
  ProblemKind kind = ProblemKind::damaged;
  std::uint64_t offset = 0;     ///< in the file, bytes
  std::uint64_t line = 0;       ///< from 1; 0 when it concerns no single line
  std::uint64_t first_seq = 0;  ///< the entries concerned, where known
  std::uint64_t last_seq = 0;
  GapCause cause = GapCause::unknown;  ///< with `missing`

  bool operator==(const Problem&) const = default;
};

/// The problem as a sentence for a person.
[[nodiscard]] std::string describe(const Problem& problem);

/// What a complete walk over a session found.
struct VerifyReport {
  SessionId session_id;
  std::uint64_t entries = 0;  ///< returned by a complete load, flagged ones included
  std::uint64_t flagged = 0;
  std::uint64_t tombstones = 0;
  std::uint64_t blobs = 0;  ///< long strings that lie beside the session
  std::uint64_t size_bytes = 0;
  std::string link;               ///< of the last line: an anchor to keep elsewhere
  std::vector<Problem> problems;  ///< the first 10,000
  std::uint64_t problem_count = 0;

  /// Nothing is damaged, missing or unaccounted for. Foreign and blank lines, a
  /// lost line break and a torn end lose nothing and count as sound.
  [[nodiscard]] bool is_sound() const;
};

/// Whether a problem of this kind means that something stored is lost or untrue.
[[nodiscard]] bool is_loss(ProblemKind kind);

}  // namespace logwood
