#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "format/line_reader.hpp"
#include "format/pieces.hpp"
#include "logwood/result.hpp"

namespace logwood::format {

/// Cuts a file into physical lines from its end to its start. Lines carry no
/// number, since how many come before them is not known.
class BackwardLines {
 public:
  /// `expected_bytes` is how much of the file is likely to be read: from a disk, one
  /// large piece takes less time than a few smaller ones.
  BackwardLines(ReadAt read, std::uint64_t end, std::size_t expected_bytes = 0);

  /// The line before the one returned last, or nothing at the start of the file.
  /// Its text stays valid until the next call. A line longer than any of ours
  /// comes back as oversize, and nothing can be read after it; so does one whose
  /// start could not be read since the file has become shorter meanwhile.
  Result<std::optional<PhysicalLine>> previous();

 private:
  Result<bool> read_more();
  void make_room(std::size_t size);

  ReadAt read_;
  // Bytes of the file up to stop_, at the end of a buffer: older ones go in front of
  // them without moving them.
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t stop_ = 0;  // where the line to return next ends in the file
  std::size_t chunk_size_;
};

}  // namespace logwood::format
