#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/report.hpp"

namespace logwood {

/// One thing that an examination of a store has found.
struct Finding {
  enum class Kind : std::uint8_t {
    store,         ///< what store this is
    disk_use,      ///< of a part of it
    permissions,   ///< other users can do something with a file or folder
    odd_file,      ///< something that no store has
    damage,        ///< a session of which something is lost or untrue
    unreadable,    ///< a session that cannot be examined now
    orphan_blobs,  ///< that no session names
    unfinished,    ///< a file of somebody who died while making it
    secrets,       ///< suspected in a session; they are never told
    catalog,       ///< it cannot be brought up to date
  };
  Kind kind = Kind::store;
  std::string name = {};               ///< the session or the file it is about
  std::string what = {};               ///< a clause for a person
  std::string todo = {};               ///< what the person can do; empty: nothing
  std::string done = {};               ///< what was done about it, with `repair`
  std::uint64_t count = 0;             ///< of files, problems, blobs or secrets
  std::uint64_t size_bytes = 0;        ///< with disk_use
  std::vector<Problem> problems = {};  ///< with damage
};

[[nodiscard]] std::string_view name_of(Finding::Kind kind);

struct ExamineOptions {
  /// Put the sound entries of damaged sessions into new ones, and take from other users what they
  /// can do with the files. Nothing is removed, and no session is changed.
  bool repair = false;
};

using FindingVisitor = std::function<void(const Finding&)>;

}  // namespace logwood
