#include "format/line_reader.hpp"

#include <algorithm>
#include <cstring>

namespace logwood::format {
namespace {

// Small at first, for those who want only the first line; then large enough that
// the calls cost nothing beside the bytes.
constexpr std::size_t first_chunk_size = 4U << 10U;
constexpr std::size_t last_chunk_size = 256U << 10U;

}  // namespace

LineReader::LineReader(ReadAt read, LinePosition start)
    : read_(std::move(read)),
      window_offset_(start.offset),
      next_number_(start.next_number),
      chunk_size_(first_chunk_size) {}

Result<std::optional<PhysicalLine>> LineReader::next() {
  std::size_t searched = 0;
  while (true) {
    const char* const line = window_.data() + at_;
    const std::size_t available = filled_ - at_;
    const void* const lf = std::memchr(line + searched, '\n', available - searched);
    const std::size_t size =
        lf != nullptr ? static_cast<std::size_t>(static_cast<const char*>(lf) - line) : available;
    if (size > line_size_max) {
      LOGWOOD_TRY(PhysicalLine oversize, pass_over_oversize());
      return std::optional(oversize);
    }
    if (lf != nullptr) return std::optional(take(size, true));
    searched = available;
    LOGWOOD_TRY(const bool more, read_more());
    if (more) continue;
    if (available == 0) return std::optional<PhysicalLine>();
    return std::optional(take(available, false));
  }
}

PhysicalLine LineReader::take(std::size_t size, bool ended) {
  PhysicalLine line;
  line.offset = window_offset_ + at_;
  line.number = next_number_++;
  line.text = std::string_view(window_).substr(at_, size);
  line.ended = ended;
  at_ += size + (ended ? 1 : 0);
  line.end = window_offset_ + at_;
  return line;
}

// Moves the unfinished line to the front of the window and fills up behind it.
Result<bool> LineReader::read_more() {
  const std::size_t kept = filled_ - at_;
  std::memmove(window_.data(), window_.data() + at_, kept);
  window_offset_ += at_;
  at_ = 0;
  filled_ = kept;
  if (window_.size() < kept + chunk_size_) window_.resize(kept * 2 + chunk_size_);
  const std::span<char> free(window_.data() + filled_, window_.size() - filled_);
  chunk_size_ = std::min(chunk_size_ * 4, last_chunk_size);
  LOGWOOD_TRY(const std::size_t got, read_(window_offset_ + filled_, free));
  filled_ += got;
  return got > 0;
}

// The window holds the start of a line that is too long. Keeps that start as the
// line's text and looks for its end without keeping what lies between.
Result<PhysicalLine> LineReader::pass_over_oversize() {
  oversize_.assign(window_, at_, std::min(filled_ - at_, line_size_max));
  PhysicalLine line;
  line.offset = window_offset_ + at_;
  line.number = next_number_++;
  line.text = oversize_;
  line.oversize = true;
  while (true) {
    const void* const lf = std::memchr(window_.data() + at_, '\n', filled_ - at_);
    if (lf != nullptr) {
      at_ = static_cast<std::size_t>(static_cast<const char*>(lf) - window_.data()) + 1;
      line.ended = true;
      break;
    }
    at_ = filled_;
    LOGWOOD_TRY(const bool more, read_more());
    if (!more) break;
  }
  line.end = window_offset_ + at_;
  return line;
}

Result<std::string_view> LineReader::text_at(std::uint64_t offset, std::size_t size) {
  if (offset >= window_offset_ && offset + size <= window_offset_ + filled_) {
    return std::string_view(window_).substr(static_cast<std::size_t>(offset - window_offset_),
                                            size);
  }
  apart_.resize(size);
  LOGWOOD_TRY(const std::size_t got, read_(offset, std::span(apart_.data(), size)));
  if (got != size) {
    return Error{ErrorCode::unavailable, "the file became shorter while it was read; read again"};
  }
  return std::string_view(apart_);
}

}  // namespace logwood::format
