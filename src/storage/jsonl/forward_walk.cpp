#include "storage/jsonl/forward_walk.hpp"

#include <optional>

#include "base/seeded_bugs.hpp"
#include "format/pieces.hpp"
#include "storage/jsonl/shared_lock.hpp"

namespace logwood::storage::jsonl {
namespace {

using format::Chain;
using format::Fold;
using format::Piece;
using format::PieceKind;

enum class Outcome : std::uint8_t {
  end,
  stopped,
  irregular,  // a line that only the holder of a lock may judge
  ragged,     // the same at the very end: torn, or a write that is happening
};

// One pass. Without a lock it ends at the first line that it may not judge.
class Pass {
 public:
  Pass(io::File& file, std::string_view session_id, const Boundary& from,
       const WalkOptions& options, bool locked, const LineVisitor& visit)
      : session_id_(session_id),
        options_(options),
        locked_(locked || LOGWOOD_SEEDED(bad_lines_unlocked)),
        visit_(visit),
        reader_(reader_of(file), {from.start.end, from.next_line}),
        walked_{Fold(std::string(session_id), from.start), from, from.start.end, false, false} {}

  Result<Outcome> run() {
    while (true) {
      LOGWOOD_TRY(const std::optional<format::PhysicalLine> line, reader_.next());
      if (!line) break;
      format::cut_line(session_id_, *line, [&](const Piece& piece) {
        if (outcome_ == Outcome::end && !failure_) take(piece);
      });
      if (failure_) return *std::move(failure_);
      if (outcome_ != Outcome::end) return outcome_;
      walked_.end = line->end;
      walked_.open_ended = !line->ended;
    }
    walked_.reached_end = true;
    // Lines of a batch whose last one is not there.
    if (!locked_ && walked_.fold.has_hole()) return Outcome::ragged;
    return Outcome::end;
  }

  Walked take_walked() { return std::move(walked_); }
  [[nodiscard]] const Boundary& boundary() const { return walked_.boundary; }

  // Begins where `before` came to a boundary, with what it met on the way there.
  void go_on_after(const Pass& before) {
    walked_.fold.take_over(before.walked_.fold, before.problems_before_boundary_);
    problems_before_boundary_ = before.problems_before_boundary_;
  }

 private:
  void take(const Piece& piece) {
    if (!locked_ && (piece.kind == PieceKind::unended || piece.kind == PieceKind::torn)) {
      walked_.reached_end = true;
      outcome_ = Outcome::ragged;
      return;
    }
    if (piece.kind == PieceKind::damaged && LOGWOOD_SEEDED(stops_at_damage)) {
      outcome_ = Outcome::stopped;
      return;
    }
    Fold& fold = walked_.fold;
    fold.set_chain(piece.end <= options_.trusted_until ? Chain::trust : Chain::verify);
    const std::uint64_t problems = fold.problem_count();
    fold.take(piece);
    const bool harmless = piece.kind == PieceKind::foreign || piece.kind == PieceKind::blank;
    if (!locked_ && !harmless && fold.problem_count() != problems) {
      outcome_ = Outcome::irregular;
      return;
    }
    if (!fold.ready().empty()) tell(piece);
  }

  void tell(const Piece& piece) {
    for (const format::PlacedLine& line : walked_.fold.ready()) {
      auto text = reader_.text_at(line.offset, line.size);
      if (!text) {
        failure_ = std::move(text).error();
        return;
      }
      auto going = visit_(line, *text);
      if (!going) {
        failure_ = std::move(going).error();
        return;
      }
      if (*going == Going::stop) {
        outcome_ = Outcome::stopped;
        return;
      }
    }
    // Only the end of a physical line is a place to begin from again.
    if (piece.kind == PieceKind::sound) {
      walked_.boundary = {{walked_.fold.last_seq(), walked_.fold.link(), piece.end},
                          piece.line_number + 1};
      problems_before_boundary_ = walked_.fold.problem_count();
    }
  }

  std::string_view session_id_;
  const WalkOptions& options_;
  bool locked_;
  const LineVisitor& visit_;
  format::LineReader reader_;
  Walked walked_;
  std::uint64_t problems_before_boundary_ = 0;
  Outcome outcome_ = Outcome::end;
  std::optional<Error> failure_;
};

}  // namespace

format::ReadAt reader_of(const io::File& file) {
  return [&file](std::uint64_t offset, std::span<char> into) { return file.read_at(offset, into); };
}

Result<Walked> walk_forward(io::File& file, std::string_view session_id, const Boundary& from,
                            const WalkOptions& options, const LineVisitor& visit) {
  Pass first(file, session_id, from, options, options.locked, visit);
  LOGWOOD_TRY(const Outcome outcome, first.run());
  if (outcome == Outcome::end || outcome == Outcome::stopped) return first.take_walked();

  // At the end of the file a lock that is taken says that somebody is writing:
  // what is not whole is not there yet. Elsewhere it has to be waited for.
  const bool ragged = outcome == Outcome::ragged;
  auto locked =
      file.lock(io::LockKind::shared, ragged ? std::chrono::milliseconds(0) : options.patience);
  if (!locked) {
    if (ragged && locked.error().code == ErrorCode::busy) return first.take_walked();
    return std::move(locked).error();
  }
  const SharedLock held(file);
  Pass second(file, session_id, first.boundary(), options, true, visit);
  second.go_on_after(first);
  LOGWOOD_CHECK(second.run());
  return second.take_walked();
}

}  // namespace logwood::storage::jsonl
