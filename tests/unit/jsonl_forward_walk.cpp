// Walking a session file from its start: every line once, or an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "storage/jsonl/forward_walk.hpp"
#include "support/sealed_lines.hpp"
#include "support/simulated_disk.hpp"

namespace logwood::storage::jsonl {
namespace {

using ::testing::ElementsAre;

class ForwardWalk : public ::testing::Test {
 protected:
  // A batch whose first lines have left the reader's window when its last line commits it.
  ForwardWalk() {
    SealedLines lines("s");
    const std::string text(400'000, 'x');
    lines.batch({header_body("s")});
    lines.batch({message_body("a", text), message_body("b", text), message_body("c", text)});
    disk_.put("s", lines.bytes());
    file_ = *files_->open("s", io::Access::read);
  }

  Result<Walked> walk(const LineVisitor& visit) { return walk_forward(*file_, "s", {}, {}, visit); }

  io::SimulatedDisk disk_;
  std::unique_ptr<io::FileSystem> files_ = disk_.start_process();
  std::unique_ptr<io::File> file_;
};

TEST_F(ForwardWalk, EndsWithTheErrorOfWhoeverLooksAtTheLines) {
  int seen = 0;
  const auto walked = walk([&](const format::PlacedLine&, std::string_view) -> Result<Going> {
    if (++seen == 3) return Error{ErrorCode::no_space, "enough"};
    return Going::on;
  });
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().message, "enough");
  EXPECT_EQ(seen, 3);
}

TEST_F(ForwardWalk, TellsAllLinesOrThatItCouldNot) {
  std::uint64_t failed = 0;
  for (std::uint64_t call = 1;; ++call) {
    ASSERT_LT(call, 100U);
    std::vector<std::uint64_t> seqs;
    disk_.faults().plan({.operation = io::Operation::read_at, .at_call = call});
    const auto walked = walk([&](const format::PlacedLine& line, std::string_view text) {
      EXPECT_EQ(text.size(), line.size);
      seqs.push_back(line.seq);
      return Going::on;
    });
    if (walked) {
      EXPECT_THAT(seqs, ElementsAre(1, 2, 3, 4));
      break;
    }
    EXPECT_EQ(walked.error().code, ErrorCode::unavailable);
    ++failed;
  }
  EXPECT_GT(failed, 3U);
}

}  // namespace
}  // namespace logwood::storage::jsonl
