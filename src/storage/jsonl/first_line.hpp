#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "logwood/session.hpp"

namespace logwood::storage::jsonl {

/// What the first line of a session file says about all the others.
struct FirstLine {
  /// What the lines are sealed with: the file's name, or, in a file that was
  /// renamed, the id inside it.
  std::string session_id;
  std::optional<SessionHeader> header;  ///< nothing when the line is damaged or missing
  bool unsealed = false;                ///< version 0
  bool renamed = false;
  std::string read_only;  ///< why nothing may be appended; empty when it may

  /// The header, or as much of one as the name tells.
  [[nodiscard]] SessionHeader header_or_name() const;
};

/// Reads the first line and judges it. `name` is the id in the file's name.
Result<FirstLine> read_first_line(const io::File& file, const SessionId& name);

}  // namespace logwood::storage::jsonl
