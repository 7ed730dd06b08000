#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "format/pieces.hpp"
#include "logwood/result.hpp"

namespace logwood::format {

/// Reads bytes of a file at an offset; fewer than asked for only at its end.
using ReadAt = std::function<Result<std::size_t>(std::uint64_t offset, std::span<char> into)>;

/// Where a reader stands between two lines.
struct LinePosition {
  std::uint64_t offset = 0;
  std::uint64_t next_number = 1;  ///< of the line that begins here
};

/// Cuts a file into physical lines, forwards, in a window of memory that never
/// grows beyond the longest line we write: a line longer than that is measured
/// and passed over, not held.
class LineReader {
 public:
  LineReader(ReadAt read, LinePosition start);

  /// The next line, or nothing at the end of the file. Its text stays valid
  /// until the next call.
  Result<std::optional<PhysicalLine>> next();

  /// Bytes that were read before: from the window if they are still there, else
  /// from the file. Valid until the next call of either function.
  Result<std::string_view> text_at(std::uint64_t offset, std::size_t size);

  [[nodiscard]] LinePosition position() const { return {window_offset_ + at_, next_number_}; }

 private:
  Result<bool> read_more();
  Result<PhysicalLine> pass_over_oversize();
  PhysicalLine take(std::size_t size, bool ended);

  ReadAt read_;
  std::string window_;               // capacity of the window
  std::size_t filled_ = 0;           // bytes of it that hold data
  std::size_t at_ = 0;               // where the next line begins in it
  std::uint64_t window_offset_ = 0;  // of its first byte in the file
  std::uint64_t next_number_ = 1;
  std::size_t chunk_size_;
  std::string oversize_;  // the start of a line that is too long
  std::string apart_;     // bytes read for text_at that lie outside the window
};

}  // namespace logwood::format
