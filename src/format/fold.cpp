#include "format/fold.hpp"

#include <algorithm>

#include "base/seeded_bugs.hpp"

namespace logwood::format {
namespace {

ProblemKind problem_of(PieceKind kind) {
  switch (kind) {
    case PieceKind::sound:
    case PieceKind::fused:
    case PieceKind::unended:
      return ProblemKind::line_end;
    case PieceKind::newer:
      return ProblemKind::newer;
    case PieceKind::torn:
      return ProblemKind::torn;
    case PieceKind::blank:
      return ProblemKind::blank;
    case PieceKind::nul:
      return ProblemKind::nul;
    case PieceKind::foreign:
      return ProblemKind::foreign;
    case PieceKind::damaged:
      return ProblemKind::damaged;
  }
  return ProblemKind::damaged;
}

Problem at(const Piece& piece, ProblemKind kind, std::uint64_t first_seq = 0,
           std::uint64_t last_seq = 0) {
  return {kind, piece.offset, piece.line_number, first_seq, last_seq, GapCause::unknown};
}

PlacedLine placed(const Piece& piece, const SealedLine& line) {
  return {piece.offset,
          piece.line_number,
          line.seq,
          static_cast<std::uint32_t>(line.text.size()),
          static_cast<std::uint32_t>(line.body.size()),
          line.place,
          line.count,
          false,
          line.is_tombstone};
}

}  // namespace

void keep_problem(std::vector<Problem>& kept, const Problem& problem) {
  if (kept.size() < problems_kept_max) {
    kept.push_back(problem);
  } else if (is_loss(problem.kind) && !is_loss(kept.back().kind)) {
    kept.back() = problem;
  }
}

Fold::Fold(std::string session_id, const Start& start)
    : session_id_(std::move(session_id)),
      last_seq_(start.last_seq),
      link_(start.link),
      committed_end_(start.end) {}

void Fold::take(const Piece& piece) {
  ready_.clear();
  last_place_ = at(piece, ProblemKind::part);
  if (piece.line) {
    take_line(piece, *piece.line);
  } else {
    pass_over(piece);
  }
}

void Fold::pass_over(const Piece& piece) {
  note(at(piece, problem_of(piece.kind)));
  newer_ = newer_ || piece.kind == PieceKind::newer;
  if (piece.kind == PieceKind::damaged || piece.kind == PieceKind::nul) ++lost_lines_;
  if (piece.kind == PieceKind::foreign && !batch_.empty() && LOGWOOD_SEEDED(foreign_counted)) {
    ++last_seq_;
  }
  if (piece.kind == PieceKind::torn || piece.kind == PieceKind::nul ||
      (piece.kind == PieceKind::damaged && LOGWOOD_SEEDED(damage_cut))) {
    if (!zeros_from_) zeros_from_ = piece.offset;
    if (!torn_from_) torn_from_ = piece.offset;
  } else {
    zeros_from_.reset();
    torn_from_.reset();
  }
}

void Fold::take_line(const Piece& piece, const SealedLine& line) {
  if (piece.kind != PieceKind::sound) note(at(piece, ProblemKind::line_end, line.seq, line.seq));
  if (line.seq <= last_seq_) {
    note(at(piece, ProblemKind::repeated, line.seq, line.seq));
    const bool of_open_batch = !batch_.empty() && line.seq > batch_base_;
    if (!of_open_batch || !whole_) {
      torn_from_.reset();
    } else if (!torn_from_) {
      torn_from_ = piece.offset;
    }
    zeros_from_.reset();
    return;
  }
  const bool gap = line.seq > last_seq_ + 1;
  const bool linked = chain_ == Chain::trust ? !gap : follows(session_id_, view(link_), line);

  if (!batch_.empty() && (line.base() != batch_base_ || line.count != batch_count_)) {
    note(at(piece, ProblemKind::part, batch_.front().seq, batch_.back().seq));
    whole_ = false;
    close_batch(piece.offset);
    torn_from_ = zeros_from_;
  }
  if (batch_.empty()) {
    batch_base_ = line.base();
    batch_count_ = line.count;
    whole_ = line.place == 1;
  } else if (!linked || gap) {
    whole_ = false;
  }
  if (gap) {
    note(at(piece, ProblemKind::missing, last_seq_ + 1, line.seq - 1));
    if (problems_.size() == problem_count_) open_gaps_.push_back(problems_.size() - 1);
  } else if (!linked) {
    note(at(piece, ProblemKind::out_of_chain, line.seq, line.seq));
  }
  if (line.place == 1) {  // the first batch that starts after a gap says what it was
    for (const std::size_t index : open_gaps_) {
      problems_[index].cause = line.after_sync ? GapCause::corruption : GapCause::power_cut;
    }
    open_gaps_.clear();
  }
  if (!torn_from_) torn_from_ = piece.offset;
  if (!whole_) torn_from_.reset();
  zeros_from_.reset();

  batch_.push_back(placed(piece, line));
  last_seq_ = line.seq;
  std::copy(line.link.begin(), line.link.end(), link_.begin());
  lost_lines_ = 0;
  if (line.place == line.count || LOGWOOD_SEEDED(commit_at_first_line)) {
    if (!whole_ || batch_.size() != batch_count_) {
      note(at(piece, ProblemKind::part, batch_.front().seq, line.seq));
    }
    close_batch(piece.end);
    torn_from_.reset();
  }
}

void Fold::close_batch(std::uint64_t end) {
  const bool complete = batch_.size() == batch_count_ || LOGWOOD_SEEDED(commit_at_first_line);
  if (whole_ && complete) {
    for (PlacedLine& line : waiting_) {
      line.flagged = !LOGWOOD_SEEDED(parts_not_flagged);
      ready_.push_back(line);
    }
    ready_.insert(ready_.end(), batch_.begin(), batch_.end());
    waiting_.clear();
    committed_end_ = end;
  } else {
    waiting_.insert(waiting_.end(), batch_.begin(), batch_.end());
    reserved_seq_ = std::max(reserved_seq_, batch_base_ + batch_count_);
  }
  batch_.clear();
}

void Fold::note(const Problem& problem) {
  ++problem_count_;
  keep_problem(problems_, problem);
}

void Fold::take_over(const Fold& before, std::uint64_t count) {
  const auto kept =
      static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, before.problems_.size()));
  problems_.insert(problems_.end(), before.problems_.begin(), before.problems_.begin() + kept);
  problem_count_ += count;
}

std::optional<Problem> Fold::problem_at_end() const {
  if (batch_.empty()) return std::nullopt;
  Problem problem = last_place_;
  problem.first_seq = batch_.front().seq;
  problem.last_seq = batch_.back().seq;
  // Whole lines of a batch whose write was cut short: nothing that was ever there
  // is lost, and the next writer cuts them.
  const auto torn = torn_from();
  if (torn && *torn <= batch_.back().offset) problem.kind = ProblemKind::torn;
  return problem;
}

std::optional<std::uint64_t> Fold::torn_from() const {
  if (newer_) return std::nullopt;
  return torn_from_;
}

std::uint64_t Fold::next_seq() const {
  std::uint64_t reserved = reserved_seq_;
  if (!batch_.empty()) reserved = std::max(reserved, batch_base_ + batch_count_);
  if (LOGWOOD_SEEDED(seq_reused)) return 1 + last_seq_;
  return 1 + std::max(last_seq_ + lost_lines_, reserved);
}

}  // namespace logwood::format
