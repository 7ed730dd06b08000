#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logwood/erasure.hpp"
#include "logwood/ids.hpp"

namespace logwood {

struct SubjectOptions {
  /// Only sessions made at or before this timestamp; empty: all. With the timestamp of an earlier
  /// erasure it can be repeated after a backup was restored, and what came later stays.
  std::string until = {};
};

/// What the erasure of everything about one person did. As JSON (`to_json`) it is a line of a
/// ledger.
struct SubjectErasure {
  struct Session {
    SessionId id;
    std::string key;
    std::uint64_t last_seq = 0;
    std::string link;  ///< of its last line; empty where it could not be read
  };
  std::string key_prefix;
  std::string timestamp;          ///< when it began
  std::vector<Session> sessions;  ///< that are gone
  std::vector<Copy>
      copies;  ///< forks of them with other keys, and what cannot be read: still there
};

[[nodiscard]] std::string to_json(const SubjectErasure& erasure);

}  // namespace logwood
