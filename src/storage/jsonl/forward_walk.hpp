// Walking a session file from a boundary towards its end, as a reader or under
// a lock.
//
// A reader holds no lock, so what looks bad may be a write that is happening or
// a torn end that is being cut. It therefore goes on without a lock only while
// everything is regular. At the first bad line it takes the shared lock, reads
// again from the last commit, and believes what it then sees. Only at the very
// end it does not wait: there, a lock that is taken means a write that is
// happening, and what is not whole is not there yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "format/fold.hpp"
#include "format/line_reader.hpp"
#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// A place between two batches where a walk can begin.
struct Boundary {
  format::Fold::Start start;
  std::uint64_t next_line = 1;
};

struct WalkOptions {
  bool locked = false;              ///< the caller holds the lock
  std::uint64_t trusted_until = 0;  ///< links before this offset were verified before
  std::chrono::milliseconds patience{5000};
};

enum class Going : std::uint8_t { on, stop };

/// Told each line of the session in order; `text` is the line without its LF.
using LineVisitor =
    std::function<Result<Going>(const format::PlacedLine& line, std::string_view text)>;

struct Walked {
  format::Fold fold;         ///< as it stands where the walk ended
  Boundary boundary;         ///< after the last batch whose lines were all told
  std::uint64_t end = 0;     ///< of the bytes that were looked at
  bool reached_end = false;  ///< of the file; else the visitor stopped
  bool open_ended = false;   ///< the last line has no LF
};

Result<Walked> walk_forward(io::File& file, std::string_view session_id, const Boundary& from,
                            const WalkOptions& options, const LineVisitor& visit);

/// The file as the format layer wants to read it. The file must outlive it.
[[nodiscard]] format::ReadAt reader_of(const io::File& file);

}  // namespace logwood::storage::jsonl
