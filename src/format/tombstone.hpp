#pragma once

#include <string>
#include <string_view>

#include "format/seal.hpp"
#include "logwood/ids.hpp"

namespace logwood::format {

/// What stands where an erased line stood (docs/format.md, F12), and what its redaction
/// has to say about it.
struct Tombstone {
  std::string text;    ///< the line, without LF
  std::string digest;  ///< of the erased line, in hex
  std::string line;    ///< SHA-256 of the tombstone up to its CRC, in hex
};

/// `line` is sound and no tombstone. Place, link and batch stay; content and salt go.
[[nodiscard]] Tombstone make_tombstone(std::string_view session_id, const SealedLine& line,
                                       const EntryId& redaction);

}  // namespace logwood::format
