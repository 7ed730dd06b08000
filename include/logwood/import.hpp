#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/ids.hpp"
#include "logwood/session.hpp"

namespace logwood {

struct ImportOptions {
  /// Of the new session; nothing: that of the file. With another id than that of the file the
  /// session names the file's as its origin.
  std::optional<SessionId> id = std::nullopt;
  std::optional<std::string> key = std::nullopt;  ///< nothing: that of the file

  /// Take what is sound although not everything is.
  bool partial = false;
};

/// A line that is not part of what was imported, and why.
struct LeftOut {
  std::uint64_t line = 0;  ///< of the file, from 1; 0: it concerns no single line
  std::string why;         ///< for a person, with the place
};

struct Imported {
  SessionHeader header;
  std::uint64_t entries = 0;      ///< the header not counted
  std::uint64_t added = 0;        ///< of those; fewer where an earlier import had the others
  bool already_there = false;     ///< a session with these entries was; nothing was done
  bool refused = false;           ///< because of what is in `left_out`; nothing was done
  std::vector<LeftOut> left_out;  ///< the first 1,000
  std::uint64_t left_out_count = 0;
};

}  // namespace logwood
