// Reading what may be compressed. The bytes come from outside, so a small file must not become an
// endless one: what comes out has an end, and the most that a file can have allocated by what it
// says is the window of zstd, 128 MiB.
#pragma once

#include <cstdint>

#include "logwood/byte_source.hpp"

namespace logwood {

struct DecompressionLimits {
  std::uint64_t total_bytes = std::uint64_t{4} << 30U;  ///< that may come out
  /// Beyond the first 64 MiB no more than this for each byte that went in: text of any kind stays
  /// far below it.
  std::uint64_t ratio = 200;
};

/// The bytes of `source`; if it begins like gzip or zstd (several members or frames may follow each
/// other), what they stand for. A failure is `invalid_argument` when the bytes are at fault. Limits
/// are for what is compressed: plain bytes pass as they are.
[[nodiscard]] ByteSource decompressing(ByteSource source, const DecompressionLimits& limits = {});

}  // namespace logwood
