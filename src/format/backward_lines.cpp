#include "format/backward_lines.hpp"

#include <algorithm>

namespace logwood::format {
namespace {

// Small at first, since most callers want the last few entries; then doubling,
// so that a long line is not read over and over.
constexpr std::size_t first_chunk_size = 64U << 10U;
constexpr std::size_t last_chunk_size = 4U << 20U;

}  // namespace

BackwardLines::BackwardLines(ReadAt read, std::uint64_t end)
    : read_(std::move(read)), window_offset_(end), stop_(end), chunk_size_(first_chunk_size) {}

Result<std::optional<PhysicalLine>> BackwardLines::previous() {
  if (stop_ == 0) return std::optional<PhysicalLine>();
  while (true) {
    window_.resize(static_cast<std::size_t>(stop_ - window_offset_));
    // The LF of this very line is not the one to look for.
    const std::size_t lf =
        window_.size() < 2 ? std::string::npos : window_.rfind('\n', window_.size() - 2);
    const bool found = lf != std::string::npos;
    if (found || window_offset_ == 0) {
      const std::size_t begin = found ? lf + 1 : 0;
      if (!window_.empty()) {
        PhysicalLine line;
        line.offset = window_offset_ + begin;
        line.end = stop_;
        line.ended = window_.back() == '\n';
        line.text =
            std::string_view(window_).substr(begin, window_.size() - begin - (line.ended ? 1 : 0));
        line.oversize = line.text.size() > line_size_max;
        stop_ = line.offset;
        return std::optional(line);
      }
    }
    bool readable = window_.size() <= line_size_max;
    if (readable) {
      LOGWOOD_TRY(readable, read_more());
    }
    if (!readable) {
      PhysicalLine line;
      line.end = stop_;
      line.oversize = true;
      stop_ = 0;
      return std::optional(line);
    }
  }
}

// False when the file has become shorter: a writer has cut a torn end.
Result<bool> BackwardLines::read_more() {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size_, window_offset_));
  std::string fresh(size, '\0');
  LOGWOOD_TRY(const std::size_t got, read_(window_offset_ - size, std::span(fresh.data(), size)));
  if (got != size) return false;
  window_.insert(0, fresh);
  window_offset_ -= size;
  chunk_size_ = std::min(chunk_size_ * 2, last_chunk_size);
  return true;
}

}  // namespace logwood::format
