// Whether every erased line was meant to be erased, and every line that was is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "format/accounts.hpp"
#include "model/entry_fields.hpp"

namespace logwood::format {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Accounts : public ::testing::Test {
 protected:
  static PlacedLine at(std::uint64_t seq) {
    PlacedLine line;
    line.seq = seq;
    return line;
  }

  void take_message(std::uint64_t seq) {
    accounts_.take(at(seq), R"({"id":"m","type":"message"})", {});
  }

  PlacedLine take_tombstone(std::uint64_t seq) {
    PlacedLine line = at(seq);
    line.is_tombstone = true;
    const std::string text = R"({"id":"t","type":"message","digest":"d"})";
    accounts_.take(line, text, find_fields(text));
    return line;
  }

  void take_redaction(std::uint64_t seq, const std::string& targets) {
    const std::string text =
        R"({"id":"r","type":"redaction","payload":{"targets":)" + targets + "}}";
    accounts_.take(at(seq), text, find_fields(text));
  }

  std::vector<ProblemKind> problems() const {
    std::vector<ProblemKind> kinds;
    for (const Problem& problem : accounts_.problems()) kinds.push_back(problem.kind);
    return kinds;
  }

  ErasureAccounts accounts_;
};

TEST_F(Accounts, MissTheErasureOfALineThatIsStillThere) {
  take_message(1);
  take_redaction(2, R"([{"seq":1}])");
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::not_erased));
}

TEST_F(Accounts, PassOverATargetThatNamesNoLine) {
  take_message(1);
  take_redaction(2, R"([{},{"seq":"1"},{"seq":1.0},{"seq":100000000000000000000}])");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(Accounts, MissNothingOfALineThatIsGone) {
  take_message(3);
  take_redaction(4, R"([{"seq":1},{"seq":9}])");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(Accounts, AreNotAskedForATombstoneThatALaterLineStandsFor) {
  const PlacedLine first = take_tombstone(1);
  take_message(2);
  const PlacedLine last = take_tombstone(3);
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::unaccounted, ProblemKind::unaccounted));

  accounts_.forget(first);
  accounts_.forget(last);

  EXPECT_THAT(problems(), IsEmpty());
  take_redaction(4, R"([{"seq":2}])");
  EXPECT_THAT(problems(), ElementsAre(ProblemKind::not_erased)) << "the line between is there";
}

}  // namespace
}  // namespace logwood::format
