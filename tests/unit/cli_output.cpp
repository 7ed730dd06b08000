#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "cli/output.hpp"
#include "io/descriptor.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::cli {
namespace {

using ::testing::HasSubstr;

class OutputTo : public ::testing::Test {
 protected:
  void SetUp() override {
    (void)std::signal(SIGPIPE, SIG_IGN);  // as the program does
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_ = io::Descriptor(ends[0]);
    write_ = io::Descriptor(ends[1]);
  }

  std::string written() {
    write_ = io::Descriptor();
    std::string text(1000, '\0');
    const ssize_t got = ::read(read_.number(), text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
  }

  std::string paged() const {
    std::ifstream file(folder_.path() + "/paged");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string to_file() const { return "cat > " + folder_.path() + "/paged"; }

  TemporaryFolder folder_;
  io::Descriptor read_;
  io::Descriptor write_;
};

TEST_F(OutputTo, APipeComesWholeAtTheEnd) {
  Output output(write_.number(), false);
  output.write("a\n");
  output.write("b\n");
  EXPECT_TRUE(output.finish());
  EXPECT_EQ(written(), "a\nb\n");
}

TEST_F(OutputTo, AReaderWhoLeftIsNoFailure) {
  Output output(write_.number(), false);
  read_ = io::Descriptor();
  output.write("a\n");
  EXPECT_TRUE(output.flush());
  EXPECT_FALSE(output.is_heard());
  output.write("b\n");
  EXPECT_TRUE(output.finish());
}

TEST_F(OutputTo, AFullDiskIsAFailure) {
  const io::Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  Output output(full.number(), false);
  output.write("a\n");
  const auto finished = output.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "cannot write to standard output: No space left on device");
  EXPECT_TRUE(output.is_heard());
}

TEST_F(OutputTo, AClosedDescriptorIsAFailure) {
  Output output(-1, false);
  EXPECT_TRUE(output.finish()) << "nothing was to be written";
  output.write("a\n");
  ASSERT_FALSE(output.finish());
  EXPECT_THAT(output.finish().error().message, HasSubstr("it is closed"));
}

TEST_F(OutputTo, AScreenGoesStraightWhileItFits) {
  Output output(write_.number(), true);
  output.page(to_file(), {.rows = 4, .columns = 10});
  output.write("1\n2\n");
  output.write("3\n");
  EXPECT_TRUE(output.finish());
  EXPECT_EQ(written(), "1\n2\n3\n");
  EXPECT_EQ(paged(), "");
}

TEST_F(OutputTo, AScreenGoesThroughThePagerWhenItDoesNotFit) {
  Output output(write_.number(), true);
  output.page(to_file(), {.rows = 4, .columns = 10});
  output.write("1\n2\n");
  output.write("a row that is longer than ten\n");
  output.write("4\n");
  EXPECT_TRUE(output.finish());
  EXPECT_EQ(paged(), "1\n2\na row that is longer than ten\n4\n");
  EXPECT_EQ(written(), "");
}

TEST_F(OutputTo, AWatchedScreenIsNeverPaged) {
  Output output(write_.number(), true);
  output.page(to_file(), {.rows = 2, .columns = 10});
  output.write("1\n");
  EXPECT_TRUE(output.flush());
  output.write("2\n3\n4\n");
  EXPECT_TRUE(output.finish());
  EXPECT_EQ(written(), "1\n2\n3\n4\n");
}

TEST_F(OutputTo, APagerThatIsLeftEarlyIsNoFailure) {
  Output output(write_.number(), true);
  output.page("true", {.rows = 2, .columns = 10});
  for (int i = 0; i < 100'000; ++i) output.write("a line\n");
  EXPECT_TRUE(output.finish());
  EXPECT_FALSE(output.is_heard());
}

TEST_F(OutputTo, APagerThatIsNotThereIsAFailure) {
  Output output(write_.number(), true);
  output.page("exec /no/such/program 2>/dev/null", {.rows = 2, .columns = 10});
  output.write("1\n2\n3\n");
  ASSERT_FALSE(output.finish());
  EXPECT_THAT(output.finish().error().message, HasSubstr("LOGWOOD_PAGER"));
}

TEST(RowsOf, CountsWhatATerminalShows) {
  EXPECT_EQ(rows_of("", 10), 0U);
  EXPECT_EQ(rows_of("\n", 10), 1U);
  EXPECT_EQ(rows_of("abc\n\nabc", 10), 3U);
  EXPECT_EQ(rows_of("0123456789\n", 10), 1U);
  EXPECT_EQ(rows_of("01234567890\n", 10), 2U);
  EXPECT_EQ(rows_of("\x1b[1m0123456789\x1b[0m\n", 10), 1U) << "colours take no room";
  EXPECT_EQ(rows_of("会话会话会话\n", 10), 2U);
}

TEST(IsProgram, LooksAlongThePath) {
  EXPECT_TRUE(is_program("sh", "/nowhere:/bin:/usr/bin"));
  EXPECT_FALSE(is_program("sh", "/nowhere::"));
  EXPECT_FALSE(is_program("sh", ""));
}

}  // namespace
}  // namespace logwood::cli
