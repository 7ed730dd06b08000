#pragma once

#include <cstdint>
#include <string>
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

/// What an erasure did. As JSON (`to_json`) it is a receipt that somebody else can hold
/// against the session later.
struct Erasure {
  SessionId session_id;
  EntryId redaction_id;  ///< of the mark that accounts for it
  std::string timestamp;
  std::vector<ErasedEntry> entries;  ///< none: all of them had been erased before
  std::uint64_t last_seq = 0;        ///< of the redaction
  std::string link;                  ///< of the redaction's line: an anchor for the chain

  bool operator==(const Erasure&) const = default;
};

[[nodiscard]] std::string to_json(const Erasure& erasure);

}  // namespace logwood
