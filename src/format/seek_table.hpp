// Where the frames of an archive lie (docs/format.md, F18): the seek table at its end, which zstd
// itself passes over. Bytes from outside: nothing in a table is believed beyond the size of the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"

namespace logwood::format {

/// The most content that one frame of an archive has.
inline constexpr std::size_t frame_content_max = 1U << 20U;
/// Of the first frame as we write it: who wants only the header unpacks no more than this.
inline constexpr std::size_t first_frame_content = 64U << 10U;
inline constexpr std::size_t frames_max = 1U << 20U;
inline constexpr std::size_t seek_table_footer_size = 9;

struct ArchiveFrame {
  std::uint64_t offset = 0;  ///< in the archive
  std::uint32_t size = 0;
  std::uint64_t content_offset = 0;  ///< in the session file
  std::uint32_t content_size = 0;
};

class SeekTable {
 public:
  /// The frame after those that are there. Sizes are those of a frame we made.
  void add(std::size_t frame_size, std::size_t content_size);

  [[nodiscard]] const std::vector<ArchiveFrame>& frames() const { return frames_; }
  /// The frame that has the content at this offset, which is below content_size().
  [[nodiscard]] const ArchiveFrame& frame_at(std::uint64_t content_offset) const;
  [[nodiscard]] std::uint64_t frames_size() const;
  [[nodiscard]] std::uint64_t content_size() const;

  /// As it stands at the end of an archive.
  [[nodiscard]] std::string bytes() const;

 private:
  std::vector<ArchiveFrame> frames_;
};

/// How many bytes at the end of an archive are its seek table, by the last
/// `seek_table_footer_size` of them. `damaged` where that cannot be.
Result<std::size_t> seek_table_size(std::string_view footer, std::uint64_t archive_size);

/// `damaged` unless the table describes an archive of this size, byte for byte.
Result<SeekTable> parse_seek_table(std::string_view table, std::uint64_t archive_size);

}  // namespace logwood::format
