// An archive read in place: the bytes of the session file, or `damaged`, never anything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/zstd.hpp"
#include "format/seek_table.hpp"
#include "storage/jsonl/archived_file.hpp"
#include "support/repeatable_random.hpp"
#include "support/simulated_disk.hpp"

namespace logwood::storage::jsonl {
namespace {

using ::testing::HasSubstr;

const std::string name = "archive/s.jsonl.zst";

std::string lines(std::size_t size) {
  Choices random(7);
  std::string text;
  while (text.size() < size) {
    text += "{\"n\":" + std::to_string(random.below(1'000'000'000)) + "}\n";
  }
  text.resize(size);
  return text;
}

// Frames of these contents, and their table.
std::string archive_of(std::string_view content, std::size_t frame_content) {
  ZstdPacker packer;
  format::SeekTable table;
  std::string bytes;
  for (std::size_t at = 0; at < content.size(); at += frame_content) {
    const std::string_view part = content.substr(at, frame_content);
    const std::string frame = *packer.frame_of(part);
    table.add(frame.size(), part.size());
    bytes += frame;
  }
  return bytes + table.bytes();
}

class ArchivedFile : public ::testing::Test {
 protected:
  Result<std::unique_ptr<io::File>> open(std::string_view bytes) {
    disk_.put(name, bytes);
    LOGWOOD_TRY(auto file, files_->open(name, io::Access::read));
    return open_archive(std::move(file), name);
  }

  static Result<std::string> read(const io::File& file, std::uint64_t offset, std::size_t size) {
    std::string into(size, '?');
    LOGWOOD_TRY(const std::size_t got, file.read_at(offset, into));
    into.resize(got);
    return into;
  }

  io::SimulatedDisk disk_;
  std::unique_ptr<io::FileSystem> files_ = disk_.start_process();
};

TEST_F(ArchivedFile, ReadsAnyPlaceAsThePlainFileDoes) {
  const std::string plain = lines(100'000);
  auto file = open(archive_of(plain, 7'000));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->status()->size_bytes, plain.size());
  Choices random(1);
  for (int i = 0; i < 2'000; ++i) {
    const std::size_t offset = random.below(plain.size() + 10);
    const std::size_t size = random.below(i % 10 == 0 ? 40'000 : 200);
    const std::string expected = offset < plain.size() ? plain.substr(offset, size) : "";
    ASSERT_EQ(*read(**file, offset, size), expected) << offset << " " << size;
  }
  EXPECT_EQ(*read(**file, ~std::uint64_t{0}, 10), "");
}

TEST_F(ArchivedFile, OfNothingIsEmpty) {
  auto file = open(archive_of("", 1));
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->status()->size_bytes, 0U);
  EXPECT_EQ(*read(**file, 0, 10), "");
}

TEST_F(ArchivedFile, ThatIsCutAnywhereIsDamaged) {
  const std::string whole = archive_of(lines(3'000), 1'000);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const auto file = open(std::string_view(whole).substr(0, cut));
    ASSERT_FALSE(file) << cut;
    EXPECT_EQ(file.error().code, ErrorCode::damaged);
    EXPECT_THAT(file.error().message, HasSubstr(name));
    EXPECT_THAT(file.error().message, HasSubstr("backup"));
  }
}

// Whatever byte is changed: the same bytes come out, or an error.
TEST_F(ArchivedFile, ThatIsAlteredAnywhereNeverReadsOtherwise) {
  const std::string plain = lines(3'000);
  const std::string whole = archive_of(plain, 1'000);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 0x21);
    const auto file = open(altered);
    const auto content = file ? read(**file, 0, plain.size()) : Result<std::string>(file.error());
    if (content) {
      EXPECT_EQ(*content, plain) << at;
    } else {
      ++refused;
      EXPECT_EQ(content.error().code, ErrorCode::damaged) << at;
    }
  }
  EXPECT_GT(refused, whole.size() * 9 / 10);
}

TEST_F(ArchivedFile, ReadsTheFramesThatAreSoundBesideOneThatIsNot) {
  const std::string plain = lines(3'000);
  std::string altered = archive_of(plain, 1'000);
  altered[8] = static_cast<char>(altered[8] ^ 0x55);  // in the first frame
  const auto file = open(altered);
  ASSERT_TRUE(file);
  EXPECT_EQ(*read(**file, 1'000, 2'000), plain.substr(1'000));
  const auto first = read(**file, 0, 10);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::damaged);
  EXPECT_THAT(first.error().message, HasSubstr("bytes 0 to 1000 of the session"));
}

// A table may fit the file and lie about what the frames hold.
TEST_F(ArchivedFile, WhoseTableLiesAboutTheContentIsDamaged) {
  const std::string frame = *ZstdPacker().frame_of(lines(1'000));
  for (const std::size_t claimed :
       {std::size_t{1}, std::size_t{999}, std::size_t{1'001}, format::frame_content_max}) {
    format::SeekTable table;
    table.add(frame.size(), claimed);
    const auto file = open(frame + table.bytes());
    ASSERT_TRUE(file);
    const auto content = read(**file, 0, 10);
    ASSERT_FALSE(content) << claimed;
    EXPECT_EQ(content.error().code, ErrorCode::damaged);
  }
}

TEST_F(ArchivedFile, CannotBeChanged) {
  auto file = open(archive_of("some text", 100));
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->append("x").error().code, ErrorCode::internal);
  EXPECT_EQ((*file)->write_at(0, "x").error().code, ErrorCode::internal);
  EXPECT_EQ((*file)->truncate(0).error().code, ErrorCode::internal);
  EXPECT_EQ((*file)->sync().error().code, ErrorCode::internal);
}

TEST_F(ArchivedFile, TellsAFailedReadAsThat) {
  auto file = open(archive_of(lines(3'000), 1'000));
  ASSERT_TRUE(file);
  disk_.faults().plan({.operation = io::Operation::read_at});
  EXPECT_EQ(read(**file, 0, 10).error().code, ErrorCode::unavailable);
  EXPECT_TRUE(read(**file, 0, 10));
}

}  // namespace
}  // namespace logwood::storage::jsonl
