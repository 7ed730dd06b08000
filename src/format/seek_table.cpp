#include "format/seek_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/zstd.hpp"

namespace logwood::format {
namespace {

constexpr std::uint32_t skippable_magic = 0x184D2A5EU;
constexpr std::uint32_t seekable_magic = 0x8F92EAB1U;
constexpr std::size_t front_size = 8;  // magic and size of the skippable frame
constexpr std::size_t row_size = 8;    // size of a frame, size of its content
constexpr char no_checksums = 0;       // the frames have their own

void put(std::string& bytes, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>((value >> shift) & 0xFFU));
  }
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = (value << 8U) | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return value;
}

Error wrong(std::string_view why) {
  return {ErrorCode::damaged, fmt::format("its seek table {}", why)};
}

}  // namespace

void SeekTable::add(std::size_t frame_size, std::size_t content_size) {
  frames_.push_back({frames_size(), static_cast<std::uint32_t>(frame_size), this->content_size(),
                     static_cast<std::uint32_t>(content_size)});
}

const ArchiveFrame& SeekTable::frame_at(std::uint64_t content_offset) const {
  const auto after = std::upper_bound(frames_.begin(), frames_.end(), content_offset,
                                      [](std::uint64_t offset, const ArchiveFrame& frame) {
                                        return offset < frame.content_offset;
                                      });
  return *(after - 1);
}

std::uint64_t SeekTable::frames_size() const {
  return frames_.empty() ? 0 : frames_.back().offset + frames_.back().size;
}

std::uint64_t SeekTable::content_size() const {
  return frames_.empty() ? 0 : frames_.back().content_offset + frames_.back().content_size;
}

std::string SeekTable::bytes() const {
  std::string bytes;
  put(bytes, skippable_magic);
  put(bytes, frames_.size() * row_size + seek_table_footer_size);
  for (const ArchiveFrame& frame : frames_) {
    put(bytes, frame.size);
    put(bytes, frame.content_size);
  }
  put(bytes, frames_.size());
  bytes.push_back(no_checksums);
  put(bytes, seekable_magic);
  return bytes;
}

Result<std::size_t> seek_table_size(std::string_view footer, std::uint64_t archive_size) {
  if (footer.size() != seek_table_footer_size || number_at(footer, 5) != seekable_magic) {
    return wrong("is missing");
  }
  if (footer[4] != no_checksums) return wrong("is of an unknown kind");
  const std::size_t count = number_at(footer, 0);
  const std::size_t size = front_size + count * row_size + seek_table_footer_size;
  if (count > frames_max || size > archive_size) return wrong("claims more frames than there are");
  return size;
}

Result<SeekTable> parse_seek_table(std::string_view table, std::uint64_t archive_size) {
  if (table.size() < front_size + seek_table_footer_size ||
      number_at(table, 0) != skippable_magic || number_at(table, 4) != table.size() - front_size) {
    return wrong("does not begin where it should");
  }
  const std::size_t end = table.size() - seek_table_footer_size;
  if ((end - front_size) % row_size != 0) return wrong("is cut off");
  const std::size_t frame_size_max = zstd_frame_size_max(frame_content_max);
  SeekTable parsed;
  for (std::size_t at = front_size; at < end; at += row_size) {
    const std::uint32_t size = number_at(table, at);
    const std::uint32_t content_size = number_at(table, at + 4);
    if (size == 0 || size > frame_size_max || content_size == 0 ||
        content_size > frame_content_max) {
      return wrong("names a frame that cannot be");
    }
    parsed.add(size, content_size);
  }
  if (parsed.frames_size() != archive_size - table.size()) {
    return wrong("does not fit the frames");
  }
  return parsed;
}

}  // namespace logwood::format
