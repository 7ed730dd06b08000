// What one physical line is, by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/pieces.hpp"
#include "support/sealed_lines.hpp"

namespace logwood::format {
namespace {

using ::testing::ElementsAre;

std::vector<PieceKind> kinds_in(const PhysicalLine& line) {
  std::vector<PieceKind> kinds;
  cut_line("s", line, [&](const Piece& piece) { kinds.push_back(piece.kind); });
  return kinds;
}

// Of such a line only the front is in memory, and that may end right behind a whole line.
TEST(Pieces, OfAnOversizeLineAreTheWholeLinesAtItsFrontAndARestThatIsDamaged) {
  SealedLines lines("s");
  lines.batch({message_body("a")});
  std::string front = lines.bytes();
  front.back() = ' ';

  PhysicalLine line;
  line.text = front;
  line.end = line_size_max * 2;
  line.oversize = true;

  EXPECT_THAT(kinds_in(line), ElementsAre(PieceKind::fused, PieceKind::torn));
  line.ended = true;
  EXPECT_THAT(kinds_in(line), ElementsAre(PieceKind::fused, PieceKind::damaged));
}

}  // namespace
}  // namespace logwood::format
