#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "base/decompressing.hpp"
#include "support/bytes_of.hpp"

namespace logwood {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

Result<std::string> all_of(const ByteSource& source, std::size_t at_once = 4096) {
  std::string all;
  std::string buffer(at_once, '\0');
  while (true) {
    LOGWOOD_TRY(const std::size_t got, source(buffer));
    if (got == 0) return all;
    all.append(buffer, 0, got);
  }
}

std::string some_text() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  return text;
}

TEST(Decompressing, GivesPlainBytesAsTheyAre) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("{\"id\""), some_text()}) {
    EXPECT_EQ(*all_of(decompressing(bytes_of(text, 3))), text);
  }
}

TEST(Decompressing, ReadsGzipAndZstdInPiecesOfAnySize) {
  const std::string text = some_text();
  for (const std::string& packed : {gzipped(text), zstd_of(text)}) {
    for (const std::size_t in : {1U, 7U, 5000U, 1U << 20U}) {
      for (const std::size_t out : {1U, 100U, 1U << 20U}) {
        const auto read = all_of(decompressing(bytes_of(packed, in)), out);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, text) << in << " " << out;
      }
    }
  }
}

TEST(Decompressing, ReadsSeveralMembersAndFrames) {
  const std::string skippable(
      "\x50\x2a\x4d\x18\x03\x00\x00\x00"
      "abc",
      11);
  EXPECT_EQ(*all_of(decompressing(bytes_of(gzipped("") + gzipped("a") + gzipped("b")))), "ab");
  EXPECT_EQ(*all_of(decompressing(
                bytes_of(skippable + zstd_of("a") + zstd_of("") + zstd_of("b") + skippable))),
            "ab");
}

TEST(Decompressing, RefusesWhatIsCutOffOrDamaged) {
  const std::string text = some_text();
  for (const std::string& packed : {gzipped(text), zstd_of(text)}) {
    for (const std::size_t size : {packed.size() - 1, packed.size() / 2, std::size_t{12}}) {
      const auto cut = all_of(decompressing(bytes_of(packed.substr(0, size))));
      ASSERT_FALSE(cut) << size;
      EXPECT_EQ(cut.error().code, ErrorCode::invalid_argument);
    }
    EXPECT_FALSE(all_of(decompressing(bytes_of(packed + "garbage at the end"))));
  }
  std::string packed = gzipped(text);
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  EXPECT_FALSE(all_of(decompressing(bytes_of(packed))));
}

TEST(Decompressing, EndsWhereABombWouldGoOn) {
  const std::string zeros(std::size_t{100} << 20U, '\0');
  const auto ratio = all_of(decompressing(bytes_of(zstd_of(zeros), 1U << 20U)), 1U << 20U);
  ASSERT_FALSE(ratio);
  EXPECT_NE(ratio.error().message.find("200 times"), std::string::npos) << ratio.error().message;
  const auto total =
      all_of(decompressing(bytes_of(gzipped(std::string(5000, 'x'))), {.total_bytes = 4000}));
  ASSERT_FALSE(total);
  EXPECT_EQ(total.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(all_of(decompressing(bytes_of(std::string(5000, 'x')), {.total_bytes = 4000}))->size(),
            5000U)
      << "plain bytes are what they are";
}

TEST(Decompressing, PassesOnWhatTheSourceSays) {
  const ByteSource broken = [](std::span<char>) -> Result<std::size_t> {
    return Error{ErrorCode::unavailable, "gone"};
  };
  EXPECT_EQ(all_of(decompressing(broken)).error().message, "gone");
}

}  // namespace
}  // namespace logwood
