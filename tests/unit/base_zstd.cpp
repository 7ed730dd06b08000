#include <gtest/gtest.h>

#include <string>

#include "base/zstd.hpp"

namespace logwood {
namespace {

std::string unpacked(const std::string& frame, std::size_t size) {
  std::string content(size, '\0');
  const auto done = unpack_zstd(frame, content);
  EXPECT_TRUE(done) << done.error().message;
  return content;
}

ErrorCode code_of_unpacking(std::string_view frame, std::size_t size) {
  std::string content(size, '\0');
  const auto done = unpack_zstd(frame, content);
  return done ? ErrorCode::internal : done.error().code;
}

TEST(Zstd, UnpacksWhatItPacked) {
  ZstdPacker packer;
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20U}) {
    std::string content;
    for (std::size_t i = 0; content.size() < size; ++i) content += "line " + std::to_string(i);
    content.resize(size);
    const auto frame = packer.frame_of(content);
    ASSERT_TRUE(frame);
    EXPECT_LE(frame->size(), zstd_frame_size_max(size));
    EXPECT_EQ(unpacked(*frame, size), content);
  }
}

TEST(Zstd, PacksTheSameBytesAlike) {
  ZstdPacker packer;
  const std::string content(50'000, 'x');
  EXPECT_EQ(*packer.frame_of(content), *packer.frame_of(content));
  EXPECT_EQ(*packer.frame_of(content), *ZstdPacker().frame_of(content));
}

TEST(Zstd, RefusesAnotherSizeThanTheContentHas) {
  const std::string frame = *ZstdPacker().frame_of("twelve bytes");
  EXPECT_EQ(code_of_unpacking(frame, 11), ErrorCode::damaged);
  EXPECT_EQ(code_of_unpacking(frame, 13), ErrorCode::damaged);
  EXPECT_EQ(code_of_unpacking(frame, 0), ErrorCode::damaged);
}

TEST(Zstd, RefusesAnythingButOneWholeFrame) {
  const std::string frame = *ZstdPacker().frame_of("twelve bytes");
  EXPECT_EQ(code_of_unpacking("", 12), ErrorCode::damaged);
  EXPECT_EQ(code_of_unpacking("not a frame at all", 12), ErrorCode::damaged);
  EXPECT_EQ(code_of_unpacking(frame + frame, 24), ErrorCode::damaged);
  EXPECT_EQ(code_of_unpacking(frame + "x", 12), ErrorCode::damaged);
  for (std::size_t cut = 0; cut < frame.size(); ++cut) {
    EXPECT_EQ(code_of_unpacking(frame.substr(0, cut), 12), ErrorCode::damaged) << cut;
  }
  const std::string skippable(
      "\x5e\x2a\x4d\x18\x04\x00\x00\x00"
      "abcd",
      12);
  EXPECT_EQ(code_of_unpacking(skippable, 4), ErrorCode::damaged);
}

TEST(Zstd, NoticesEveryAlteredByteOfTheContent) {
  const std::string content = "{\"type\":\"message\"} {\"type\":\"message\"} and more of it";
  const std::string frame = *ZstdPacker().frame_of(content);
  for (std::size_t at = 0; at < frame.size(); ++at) {
    std::string altered = frame;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    std::string into(content.size(), '\0');
    // A change may concern nothing that is unpacked; then the content is the same.
    if (unpack_zstd(altered, into)) {
      EXPECT_EQ(into, content) << at;
    }
  }
}

}  // namespace
}  // namespace logwood
