// Looking at the last bytes of a stretch of file, to see whether it still is
// what it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// LINK . CRC "} LF: enough of a line to tell it from every other.
inline constexpr std::size_t line_end_size = 32 + 1 + 8 + 2 + 1;

/// The last bytes before `end`, up to line_end_size of them.
Result<std::string> bytes_before(const io::File& file, std::uint64_t end);

/// Whether a sealed line with this link ends at `end`, its LF included; at 0,
/// whether the link is the one before the first line.
bool ends_with_link(const io::File& file, std::uint64_t end, std::string_view link);

}  // namespace logwood::storage::jsonl
