#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "format/seek_table.hpp"

namespace logwood::format {
namespace {

using ::testing::HasSubstr;

SeekTable three_frames() {
  SeekTable table;
  table.add(100, 65'536);
  table.add(5'000, 1U << 20U);
  table.add(30, 17);
  return table;
}

constexpr std::uint64_t frames_size = 5'130;

std::string why(const Result<SeekTable>& result) { return result ? "" : result.error().message; }

TEST(SeekTable, IsReadAsItWasWritten) {
  const std::string bytes = three_frames().bytes();
  ASSERT_EQ(bytes.size(), 8U + 3 * 8 + 9);
  const std::uint64_t size = frames_size + bytes.size();
  EXPECT_EQ(*seek_table_size(std::string_view(bytes).substr(bytes.size() - 9), size), bytes.size());
  const auto table = parse_seek_table(bytes, size);
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->frames().size(), 3U);
  EXPECT_EQ(table->content_size(), 65'536U + (1U << 20U) + 17U);
  EXPECT_EQ(table->frame_at(0).offset, 0U);
  EXPECT_EQ(table->frame_at(65'535).offset, 0U);
  EXPECT_EQ(table->frame_at(65'536).offset, 100U);
  EXPECT_EQ(table->frame_at(65'536 + (1U << 20U)).offset, 5'100U);
  EXPECT_EQ(table->frame_at(65'536 + (1U << 20U)).content_size, 17U);
}

TEST(SeekTable, OfNothingIsThereToo) {
  const std::string bytes = SeekTable().bytes();
  const auto table = parse_seek_table(bytes, bytes.size());
  ASSERT_TRUE(table);
  EXPECT_EQ(table->content_size(), 0U);
}

// The bytes are those of the "seekable format" of zstd, which other programs read.
TEST(SeekTable, HasTheBytesThatOthersExpect) {
  SeekTable table;
  table.add(0x0102, 0x0304);
  const std::string expected(
      "\x5e\x2a\x4d\x18\x11\x00\x00\x00"
      "\x02\x01\x00\x00\x04\x03\x00\x00"
      "\x01\x00\x00\x00\x00\xb1\xea\x92\x8f",
      25);
  EXPECT_EQ(table.bytes(), expected);
}

TEST(SeekTable, ThatClaimsMoreThanThereIsIsRefusedBeforeAnythingIsAllocated) {
  const auto footer = [](std::uint32_t count, char kind) {
    std::string bytes = three_frames().bytes();
    bytes = bytes.substr(bytes.size() - 9);
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>(count >> (8 * i));
    bytes[4] = kind;
    return bytes;
  };
  EXPECT_FALSE(seek_table_size(footer(0xFFFFFFFFU, 0), std::uint64_t{1} << 60U));
  EXPECT_FALSE(seek_table_size(footer(frames_max + 1, 0), std::uint64_t{1} << 60U));
  EXPECT_TRUE(seek_table_size(footer(frames_max, 0), std::uint64_t{1} << 60U));
  EXPECT_FALSE(seek_table_size(footer(3, 0), 40)) << "41 bytes for the table alone";
  EXPECT_TRUE(seek_table_size(footer(3, 0), 41));
  EXPECT_FALSE(seek_table_size(footer(3, '\x80'), 1'000)) << "checksums are not ours";
  EXPECT_FALSE(seek_table_size(footer(3, 0).substr(1), 1'000));
  EXPECT_FALSE(seek_table_size(std::string(9, '\0'), 1'000));
}

TEST(SeekTable, ThatLiesIsRefused) {
  const std::string sound = three_frames().bytes();
  const std::uint64_t size = frames_size + sound.size();
  EXPECT_THAT(why(parse_seek_table(sound, size + 1)), HasSubstr("does not fit"));
  EXPECT_THAT(why(parse_seek_table(sound, size - 1)), HasSubstr("does not fit"));
  EXPECT_THAT(why(parse_seek_table(sound.substr(1), size)), HasSubstr("does not begin"));
  EXPECT_THAT(why(parse_seek_table("", size)), HasSubstr("does not begin"));
  const auto with = [&](std::size_t at, std::string_view bytes) {
    std::string table = sound;
    table.replace(at, bytes.size(), bytes);
    return why(parse_seek_table(table, size));
  };
  using namespace std::string_view_literals;
  EXPECT_THAT(with(12, "\x00\x00\x00\x00"sv), HasSubstr("cannot be")) << "no content";
  EXPECT_THAT(with(8, "\x00\x00\x00\x00"sv), HasSubstr("cannot be")) << "no frame";
  EXPECT_THAT(with(12, "\x01\x00\x10\x00"sv), HasSubstr("cannot be")) << "1 MiB and a byte";
  EXPECT_THAT(with(12, "\xff\xff\xff\xff"sv), HasSubstr("cannot be"));
  EXPECT_THAT(with(8, "\xff\xff\xff\xff"sv), HasSubstr("cannot be"));
  EXPECT_THAT(with(8, "\x65\x00\x00\x00"sv), HasSubstr("does not fit"));
  EXPECT_THAT(with(4, "\x00"sv), HasSubstr("does not begin"));
}

}  // namespace
}  // namespace logwood::format
