// Reading the newest entries without reading the rest.
//
// The walk goes backwards from the end and believes a batch when its lines are
// adjacent, linked to each other and linked to the line before them. Anything
// irregular ends it; the caller then folds the file from its start. So what it
// returns is always the end of what the fold would return, with one exception:
// two or more batches of a diverged copy of this very session, put at the end.
// Against that stands the anchor, a line that an earlier fold accepted: the walk
// goes on until it meets it, and returns nothing before. Behind it links need no
// second look, since that fold has verified them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/fold.hpp"
#include "format/line_reader.hpp"
#include "format/seal.hpp"
#include "logwood/result.hpp"

namespace logwood::format {

/// A line that an earlier fold accepted as the end of a committed batch.
struct Anchor {
  std::uint64_t end = 0;  ///< offset after its LF
  std::uint64_t seq = 0;
  Link link = first_link();
};

struct TailLine {
  PlacedLine place;
  std::string text;  ///< the whole line, without LF
};

/// Told the batches from the newest to the oldest, each with its lines in order.
/// Returns whether to go on.
using TailVisitor = std::function<bool(std::vector<TailLine>&& batch)>;

enum class TailEnd : std::uint8_t {
  stopped,    ///< the visitor had enough
  start,      ///< came to the start of the file, which needs no anchor
  irregular,  ///< fold the file instead; what was told so far stands
};

/// Whether the last bytes can be mid-write: only the holder of a lock knows that
/// they are not.
enum class AtRest : std::uint8_t { no, yes };

/// `expected_bytes`: about how much the visitor will want to see.
Result<TailEnd> walk_back(const ReadAt& read, std::uint64_t size_bytes, std::string_view session_id,
                          const std::optional<Anchor>& anchor, AtRest at_rest,
                          const TailVisitor& visit, std::size_t expected_bytes = 0);

}  // namespace logwood::format
