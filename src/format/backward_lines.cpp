#include "format/backward_lines.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace logwood::format {
namespace {

// Small at first, unless more is expected; then doubling, so that a long line is not
// read over and over.
constexpr std::size_t first_chunk_size = 64U << 10U;
constexpr std::size_t first_chunk_size_max = 1U << 20U;
constexpr std::size_t last_chunk_size = 4U << 20U;

}  // namespace

BackwardLines::BackwardLines(ReadAt read, std::uint64_t end, std::size_t expected_bytes)
    : read_(std::move(read)),
      stop_(end),
      chunk_size_(std::clamp(expected_bytes, first_chunk_size, first_chunk_size_max)) {}

Result<std::optional<PhysicalLine>> BackwardLines::previous() {
  if (stop_ == 0) return std::optional<PhysicalLine>();
  PhysicalLine line;
  line.end = stop_;
  std::size_t searched = 0;  // bytes at the end of the buffer that hold no LF but the line's own
  while (true) {
    const std::size_t size = end_ - begin_;
    const char* const bytes = buffer_.get() + begin_;
    // The LF of this very line is not the one to look for.
    const std::size_t open = size - std::max<std::size_t>(searched, std::min<std::size_t>(size, 1));
    const void* const lf = open > 0 ? ::memrchr(bytes, '\n', open) : nullptr;
    if (lf != nullptr || (size > 0 && size == stop_)) {
      const std::size_t begin =
          lf != nullptr ? static_cast<std::size_t>(static_cast<const char*>(lf) - bytes) + 1 : 0;
      line.ended = bytes[size - 1] == '\n';
      line.text = {bytes + begin, size - begin - (line.ended ? 1 : 0)};
      line.offset = stop_ - (size - begin);
      line.oversize = line.text.size() > line_size_max;
      stop_ = line.offset;
      end_ = begin_ + begin;
      return std::optional(line);
    }
    searched = size;
    bool readable = size <= line_size_max;
    if (readable) {
      LOGWOOD_TRY(readable, read_more());
    }
    if (!readable) {
      line.oversize = true;
      stop_ = 0;
      return std::optional(line);
    }
  }
}

// False when the file has become shorter: a writer has cut a torn end.
Result<bool> BackwardLines::read_more() {
  const std::uint64_t window_offset = stop_ - (end_ - begin_);
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size_, window_offset));
  make_room(size);
  char* const into = buffer_.get() + begin_ - size;
  LOGWOOD_TRY(const std::size_t got, read_(window_offset - size, std::span(into, size)));
  if (got != size) return false;
  begin_ -= size;
  chunk_size_ = std::min(chunk_size_ * 2, last_chunk_size);
  return true;
}

// Room for `size` bytes in front of those that are held.
void BackwardLines::make_room(std::size_t size) {
  if (begin_ >= size) return;
  const std::size_t held = end_ - begin_;
  const std::size_t capacity = std::max(held + size, capacity_ * 2);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (held > 0) std::memcpy(larger.get() + capacity - held, buffer_.get() + begin_, held);
  buffer_ = std::move(larger);
  capacity_ = capacity;
  begin_ = capacity - held;
  end_ = capacity;
}

}  // namespace logwood::format
