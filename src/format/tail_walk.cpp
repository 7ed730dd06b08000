#include "format/tail_walk.hpp"

#include <algorithm>

#include "format/backward_lines.hpp"

namespace logwood::format {
namespace {

// Batches between the end and the anchor wait for it. An index is never far
// behind, so more than this means that folding forwards is the better way.
constexpr std::size_t held_bytes_max = 32U << 20U;

// What the next older line is checked against.
struct Newer {
  std::uint64_t seq;
  std::uint32_t place;
  std::uint32_t count;
  Sha256 digest;
  Link link;
};

class Walk {
 public:
  Walk(std::string_view session_id, const std::optional<Anchor>& anchor, const TailVisitor& visit)
      : session_id_(session_id), anchor_(anchor), visit_(visit) {}

  // Takes the next older line, or nothing for the start of the file. Returns how
  // the walk ended, if it did.
  std::optional<TailEnd> take(const Piece* piece) {
    const SealedLine* const line = piece != nullptr ? &*piece->line : nullptr;
    if (newer_ && !joins(line)) return TailEnd::irregular;
    if (newer_ && newer_->place == 1) {
      if (!batch_.empty() && batch_.size() == newer_->count) {
        std::reverse(batch_.begin(), batch_.end());
        hold(std::move(batch_));
      }
      batch_.clear();
    } else if (newer_ && (line == nullptr || line->place != newer_->place - 1 ||
                          line->count != newer_->count)) {
      return TailEnd::irregular;
    }
    if (anchor_) {
      // The anchor names the byte after the line's LF, which is where it is
      // looked for even if the LF itself was lost.
      const bool met =
          line == nullptr || (piece->offset + line->text.size() + 1 == anchor_->end &&
                              line->seq == anchor_->seq && line->link == view(anchor_->link));
      if (met) {
        anchor_.reset();
        met_anchor_ = true;
      } else if (line->seq <= anchor_->seq || piece->offset < anchor_->end) {
        return TailEnd::irregular;
      }
    }
    if (!anchor_ && batch_.empty() && !tell_held()) {
      return line == nullptr ? TailEnd::start : TailEnd::stopped;
    }
    if (line == nullptr) return TailEnd::start;
    if (held_bytes_ > held_bytes_max) return TailEnd::irregular;

    if (line->place == line->count) {
      batch_.clear();
      keep(*piece, *line);
      started_ = true;
    } else if (!batch_.empty()) {
      keep(*piece, *line);
    } else if (started_) {
      return TailEnd::irregular;
    }
    // Behind the anchor a fold has been before: places and CRCs are enough.
    const bool verified = met_anchor_ && line->place == line->count;
    is_verified_ = is_verified_ || verified;
    newer_ = Newer{line->seq, line->place, line->count, {}, {}};
    if (!is_verified_) newer_->digest = digest_of(session_id_, *line);
    std::copy(line->link.begin(), line->link.end(), newer_->link.begin());
    return std::nullopt;
  }

  // Lines were believed already, so bytes that hold none cannot be the torn end.
  [[nodiscard]] bool has_started() const { return started_; }

 private:
  [[nodiscard]] bool joins(const SealedLine* older) const {
    const Link none = first_link();
    const std::string_view link = older != nullptr ? older->link : view(none);
    const std::uint64_t seq = older != nullptr ? older->seq : 0;
    if (newer_->seq != seq + 1) return false;
    return is_verified_ || link_after(link, newer_->digest) == newer_->link;
  }

  void keep(const Piece& piece, const SealedLine& line) {
    PlacedLine place{piece.offset,
                     piece.line_number,
                     line.seq,
                     static_cast<std::uint32_t>(line.text.size()),
                     static_cast<std::uint32_t>(line.body.size()),
                     line.place,
                     line.count,
                     false,
                     line.is_tombstone};
    batch_.push_back({place, std::string(line.text)});
  }

  void hold(std::vector<TailLine>&& batch) {
    for (const TailLine& line : batch) held_bytes_ += line.text.size();
    held_.push_back(std::move(batch));
  }

  bool tell_held() {
    for (auto& batch : held_) {
      if (!visit_(std::move(batch))) return false;
    }
    held_.clear();
    held_bytes_ = 0;
    return true;
  }

  std::string_view session_id_;
  std::optional<Anchor> anchor_;
  const TailVisitor& visit_;
  bool met_anchor_ = false;
  bool is_verified_ = false;  // the links from here on were verified by an earlier fold
  std::optional<Newer> newer_;
  std::vector<TailLine> batch_;  // newest line first, until it is whole
  std::vector<std::vector<TailLine>> held_;
  std::size_t held_bytes_ = 0;
  bool started_ = false;
};

std::optional<TailEnd> judge(const Piece& piece, AtRest at_rest, Walk& walk) {
  switch (piece.kind) {
    case PieceKind::sound:
      return walk.take(&piece);
    case PieceKind::unended:
      if (at_rest == AtRest::yes) return walk.take(&piece);
      return std::nullopt;
    case PieceKind::blank:
    case PieceKind::foreign:
      return std::nullopt;
    case PieceKind::torn:
    case PieceKind::nul:
      if (walk.has_started()) return TailEnd::irregular;
      return std::nullopt;
    case PieceKind::newer:
    case PieceKind::damaged:
    case PieceKind::fused:
      return TailEnd::irregular;
  }
  return TailEnd::irregular;
}

}  // namespace

Result<TailEnd> walk_back(const ReadAt& read, std::uint64_t size_bytes, std::string_view session_id,
                          const std::optional<Anchor>& anchor, AtRest at_rest,
                          const TailVisitor& visit, std::size_t expected_bytes) {
  BackwardLines lines(read, size_bytes, expected_bytes);
  Walk walk(session_id, anchor, visit);
  while (true) {
    LOGWOOD_TRY(const std::optional<PhysicalLine> line, lines.previous());
    if (!line) return walk.take(nullptr).value_or(TailEnd::start);
    if (line->oversize) return TailEnd::irregular;

    // A line that falls into several pieces lost a line end; only the fold sorts
    // that out.
    std::optional<Piece> only;
    int pieces = 0;
    cut_line(session_id, *line, [&](const Piece& piece) {
      only = piece;
      ++pieces;
    });
    if (pieces != 1) return TailEnd::irregular;
    if (const auto end = judge(*only, at_rest, walk)) return *end;
  }
}

}  // namespace logwood::format
