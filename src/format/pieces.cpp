#include "format/pieces.hpp"

#include "base/json_text.hpp"

namespace logwood::format {
namespace {

constexpr std::string_view nul_run("\0\0\0\0\0\0\0\0", 8);

bool is_foreign(std::string_view text) {
  bool has_seal = false;
  const JsonCheck json = check_json(text, [&](const JsonMember& member) {
    if (member.is("seal")) has_seal = true;
  });
  return json && !has_seal && !has_seal_shape(text);
}

// The kind of a line that is not sound.
PieceKind classify(std::string_view session_id, std::string_view text, bool ended) {
  if (is_newer(session_id, text)) return PieceKind::newer;
  if (!ended) return PieceKind::torn;
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return PieceKind::blank;
  if (text.find(nul_run) != std::string_view::npos && !has_seal_shape(text)) return PieceKind::nul;
  return is_foreign(text) ? PieceKind::foreign : PieceKind::damaged;
}

// How many bytes stand between a line that lost its LF and what follows: the one
// that the LF became, or none when the next object begins at once.
std::size_t lost_line_end(std::string_view rest, bool ended) {
  if (!rest.starts_with('{')) return 1;
  const bool object_follows = rest.size() >= 2 ? rest[1] != '{' : ended;
  return object_follows ? 0 : 1;
}

}  // namespace

void cut_line(std::string_view session_id, const PhysicalLine& line, const PieceVisitor& visit) {
  std::string_view text = line.text;
  std::uint64_t offset = line.offset;
  for (int splits = 0;; ++splits) {
    Piece piece{PieceKind::sound, offset, line.end, line.number, std::nullopt};
    if (!line.oversize) piece.line = parse_sealed(session_id, text);
    if (piece.line) {
      if (!line.ended) piece.kind = PieceKind::unended;
      return visit(piece);
    }
    const auto cut = splits < splits_max ? sound_prefix(session_id, text) : std::nullopt;
    if (!cut) {
      piece.kind = classify(session_id, text, line.ended);
      if (line.oversize) piece.kind = line.ended ? PieceKind::damaged : PieceKind::torn;
      return visit(piece);
    }
    piece.kind = PieceKind::fused;
    piece.end = offset + *cut;
    piece.line = parse_sealed(session_id, text.substr(0, *cut));
    visit(piece);
    const std::size_t skipped = *cut + lost_line_end(text.substr(*cut), line.ended);
    offset += skipped;
    text.remove_prefix(std::min(skipped, text.size()));
    // The byte that replaced the LF was the last of the line: nothing is left.
    if (text.empty() && !line.oversize) return;
  }
}

}  // namespace logwood::format
