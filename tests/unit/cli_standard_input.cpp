#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "cli/standard_input.hpp"
#include "io/descriptor.hpp"

namespace logwood::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StandardInputs : public ::testing::Test {
 protected:
  // Standard input that holds this text.
  StandardInput holding(const std::string& text) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_ = io::Descriptor(ends[0]);
    const io::Descriptor write(ends[1]);
    EXPECT_EQ(::write(write.number(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return StandardInput(read_.number());
  }

  static std::vector<std::string> lines_of(StandardInput input) {
    std::vector<std::string> lines;
    while (auto line = *input.line(100)) lines.push_back(*line);
    return lines;
  }

  io::Descriptor read_;
};

TEST_F(StandardInputs, GiveLines) {
  EXPECT_THAT(lines_of(holding("")), ElementsAre());
  EXPECT_THAT(lines_of(holding("a\n\nb\n")), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of(holding("a\nb")), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of(holding(std::string("a\0b\n", 4))), ElementsAre(std::string("a\0b", 3)));
}

TEST_F(StandardInputs, GiveNoLineThatIsTooLong) {
  StandardInput input = holding("123\n1234\n");
  EXPECT_EQ(*input.line(3), "123");
  ASSERT_FALSE(input.line(3));
  EXPECT_THAT(input.line(3).error().message, HasSubstr("more than 3 bytes"));
}

TEST_F(StandardInputs, GiveTheRestAsAWhole) {
  StandardInput input = holding("a\nb\nc");
  EXPECT_EQ(*input.line(10), "a");
  EXPECT_EQ(*input.all(10), "b\nc");
  EXPECT_EQ(*input.all(10), "");
  StandardInput longer = holding("12345");
  EXPECT_EQ(longer.all(4).error().code, ErrorCode::invalid_argument);
}

TEST_F(StandardInputs, SayThatTheyAreClosed) {
  StandardInput input(-1);
  ASSERT_FALSE(input.line(10));
  EXPECT_THAT(input.all(10).error().message, HasSubstr("cannot read standard input"));
}

}  // namespace
}  // namespace logwood::cli
