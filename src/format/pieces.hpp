// Step one of reading a session file: what each physical line is, by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "format/seal.hpp"

namespace logwood::format {

enum class PieceKind : std::uint8_t {
  sound,    ///< a whole line of ours
  fused,    ///< a whole line of ours whose LF was lost, with more bytes after it
  unended,  ///< the last bytes: a whole line of ours but for its LF
  newer,    ///< sealed by a version we do not know
  torn,     ///< the last bytes, no LF, nothing whole
  blank,
  nul,      ///< a run of NULs where a write did not reach the disk
  foreign,  ///< somebody else's JSON
  damaged,
};

struct Piece {
  PieceKind kind = PieceKind::damaged;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;           ///< after the LF, if there is one
  std::uint64_t line_number = 0;   ///< of the physical line, from 1
  std::optional<SealedLine> line;  ///< for sound, fused and unended
};

/// A line of the file as it lies there.
struct PhysicalLine {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;  ///< after the LF, if there is one
  std::uint64_t number = 0;
  std::string_view text;  ///< without the LF; only the start of it when oversize
  bool ended = false;     ///< there is an LF
  bool oversize = false;  ///< longer than any line of ours
};

/// No line of ours is longer: 16 MiB of entry and what a seal and stamps add.
inline constexpr std::size_t line_size_max = (16U << 20U) + (4U << 10U);

/// Lines whose LFs were lost are told apart, up to this many in a row.
inline constexpr int splits_max = 1024;

using PieceVisitor = std::function<void(const Piece&)>;

/// Tells `visit` the pieces of one physical line, mostly one.
void cut_line(std::string_view session_id, const PhysicalLine& line, const PieceVisitor& visit);

}  // namespace logwood::format
