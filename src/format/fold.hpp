// Step two of reading a session file: what the sound lines mean together.
//
// A batch exists when its lines 1/n … n/n are all there, consecutive and linked.
// Place never hides a sound line: a gap or a link that does not follow is
// reported and the line is taken; only a seq that is taken already is not. The
// sound lines of a batch that is not whole wait, and are returned flagged once a
// later batch commits: until then they may be a write that was cut short.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/pieces.hpp"
#include "format/seal.hpp"
#include "logwood/report.hpp"

namespace logwood::format {

/// A line that belongs to the session, and where it lies.
struct PlacedLine {
  std::uint64_t offset = 0;
  std::uint64_t line_number = 0;
  std::uint64_t seq = 0;
  std::uint32_t size = 0;  ///< of its text, without LF
  std::uint32_t body_size = 0;
  std::uint32_t place = 0;
  std::uint32_t count = 0;
  bool flagged = false;
  bool is_tombstone = false;
};

/// Problems are kept up to here and counted beyond, so that a file made of
/// nothing else cannot fill the memory.
inline constexpr std::size_t problems_kept_max = 10'000;

/// Keeps a problem while there is room. After that a loss takes the last place, unless one has it:
/// whether something is lost must not depend on how much else there is to report.
void keep_problem(std::vector<Problem>& kept, const Problem& problem);

/// How much of the chain a walk checks.
enum class Chain : std::uint8_t {
  verify,  ///< that every link follows from the line and the link before it
  trust,   ///< CRC, places and numbers only: for a stretch that was verified before
};

class Fold {
 public:
  explicit Fold(std::string session_id) : session_id_(std::move(session_id)) {}

  /// Where a walk begins that does not begin at the first line: after a batch
  /// that an earlier walk found committed.
  struct Start {
    std::uint64_t last_seq = 0;
    Link link = first_link();
    std::uint64_t end = 0;  ///< offset after that batch
  };
  Fold(std::string session_id, const Start& start);

  /// Forgets everything and begins there.
  void restart(const Start& start) { *this = Fold(std::move(session_id_), start); }

  void set_chain(Chain chain) { chain_ = chain; }

  /// Takes the next piece of the file. Lines that are committed by it are in
  /// ready() afterwards, until the next call.
  void take(const Piece& piece);
  [[nodiscard]] const std::vector<PlacedLine>& ready() const { return ready_; }

  /// Problems so far; at_end() adds what holds if the file ends here.
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] std::uint64_t problem_count() const { return problem_count_; }
  [[nodiscard]] std::optional<Problem> problem_at_end() const;
  void note(const Problem& problem);
  /// Counts the first `count` problems of a fold that came before this one as met by this one.
  void take_over(const Fold& before, std::uint64_t count);

  /// After the last committed batch.
  [[nodiscard]] std::uint64_t committed_end() const { return committed_end_; }
  [[nodiscard]] std::uint64_t last_seq() const { return last_seq_; }
  /// Of the last sound line.
  [[nodiscard]] const Link& link() const { return link_; }
  [[nodiscard]] bool is_newer() const { return newer_; }

  /// Where the torn end begins, if the file ends here: bytes that a crash left
  /// and the next writer cuts. Nothing when there is none.
  [[nodiscard]] std::optional<std::uint64_t> torn_from() const;

  /// For the next batch, once the torn end is cut.
  [[nodiscard]] std::uint64_t next_seq() const;

  /// Something lies between the last committed batch and the next one.
  [[nodiscard]] bool has_hole() const {
    return lost_lines_ > 0 || !waiting_.empty() || !batch_.empty();
  }

 private:
  void pass_over(const Piece& piece);
  void take_line(const Piece& piece, const SealedLine& line);
  void close_batch(std::uint64_t end);

  std::string session_id_;
  Chain chain_ = Chain::verify;

  std::uint64_t last_seq_ = 0;
  Link link_ = first_link();
  std::uint64_t committed_end_ = 0;
  bool newer_ = false;

  // The open batch: its lines so far, and whether none of them is missing.
  std::vector<PlacedLine> batch_;
  std::uint64_t batch_base_ = 0;
  std::uint32_t batch_count_ = 0;
  bool whole_ = true;

  std::vector<PlacedLine> waiting_;  // sound lines of batches that are not whole
  std::uint64_t reserved_seq_ = 0;   // last seq of any batch that is not whole
  std::uint64_t lost_lines_ = 0;     // damaged lines since the last sound one

  // The torn end, tracked while walking: it is the longest run of pieces up to
  // here that are torn, NUL, or lines of the open whole batch. zeros_from_ is
  // the part of it that holds no line.
  std::optional<std::uint64_t> torn_from_;
  std::optional<std::uint64_t> zeros_from_;

  std::vector<PlacedLine> ready_;
  std::vector<Problem> problems_;
  std::uint64_t problem_count_ = 0;
  std::vector<std::size_t> open_gaps_;  // problems whose cause the next batch tells
  Problem last_place_;                  // offset and line of the piece seen last
};

}  // namespace logwood::format
