// Cutting a file into lines, forwards and backwards, when the file is odd or changes
// under the reader.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "format/backward_lines.hpp"
#include "format/line_reader.hpp"

namespace logwood::format {
namespace {

// A file in memory that can become shorter, or unreadable from some offset on.
struct Bytes {
  std::string text;
  std::uint64_t readable = UINT64_MAX;

  ReadAt reader() {
    return [this](std::uint64_t offset, std::span<char> into) -> Result<std::size_t> {
      if (offset >= readable) return Error{ErrorCode::unavailable, "bad sector"};
      if (offset >= text.size()) return std::size_t{0};
      return std::string_view(text).substr(offset).copy(into.data(), into.size());
    };
  }
};

TEST(LineReader, MeasuresALastLineThatIsTooLongAndHasNoEnd) {
  Bytes file{"a\n" + std::string(line_size_max * 3, 'x')};
  LineReader reader(file.reader(), {});
  ASSERT_EQ((*reader.next())->text, "a");

  const auto line = reader.next();

  ASSERT_TRUE(line && *line);
  EXPECT_TRUE((*line)->oversize);
  EXPECT_FALSE((*line)->ended);
  EXPECT_EQ((*line)->end, file.text.size());
  EXPECT_FALSE(*reader.next());
}

TEST(LineReader, TellsThatALineWhichIsTooLongCannotBeReadToItsEnd) {
  Bytes file{std::string(line_size_max + 8'000'000, 'x') + "\n", line_size_max + 1'000'000};
  LineReader reader(file.reader(), {});
  const auto line = reader.next();
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().message, "bad sector");
}

TEST(LineReader, FindsTextThatHasLeftItsWindowUnlessTheFileLostIt) {
  Bytes file;
  for (int i = 0; i < 100'000; ++i) file.text += "0123456789\n";
  LineReader reader(file.reader(), {});
  while (*reader.next()) continue;

  EXPECT_EQ(*reader.text_at(11, 10), "0123456789");
  file.readable = 0;
  EXPECT_EQ(reader.text_at(11, 10).error().message, "bad sector");
  file.readable = UINT64_MAX;
  file.text.resize(15);
  EXPECT_EQ(reader.text_at(11, 10).error().code, ErrorCode::unavailable);
}

TEST(BackwardLines, EndWhereTheFileHasBecomeShorter) {
  Bytes file{"a\nb\n"};
  BackwardLines lines(file.reader(), 100);

  const auto line = lines.previous();

  ASSERT_TRUE(line && *line);
  EXPECT_TRUE((*line)->oversize) << "nothing can be said about it";
  EXPECT_FALSE(*lines.previous());
}

TEST(BackwardLines, EndAtALineThatIsTooLong) {
  Bytes file{std::string(line_size_max + 9'000'000, 'x') + "\nb\n"};
  BackwardLines lines(file.reader(), file.text.size());
  ASSERT_EQ((*lines.previous())->text, "b");
  EXPECT_TRUE((*lines.previous())->oversize);
  EXPECT_FALSE(*lines.previous());
}

}  // namespace
}  // namespace logwood::format
