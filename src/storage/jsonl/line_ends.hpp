// Looking at the last bytes of a stretch of file, to see whether it still is
// what it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// LINK . CRC "} LF: enough of a line to tell it from every other.
inline constexpr std::size_t line_end_size = 32 + 1 + 8 + 2 + 1;

/// The last bytes of a stretch, up to line_end_size of them.
class LineEnd {
 public:
  static Result<LineEnd> before(const io::File& file, std::uint64_t end);
  void assign(std::string_view stretch);

  /// Whether the stretch of the file that goes up to `end` still ends so.
  Result<bool> is_before(const io::File& file, std::uint64_t end) const;

  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, line_end_size> bytes_{};
  std::size_t size_ = 0;
};

/// Whether a sealed line with this link ends at `end`, its LF included; at 0,
/// whether the link is the one before the first line.
bool ends_with_link(const io::File& file, std::uint64_t end, std::string_view link);

}  // namespace logwood::storage::jsonl
