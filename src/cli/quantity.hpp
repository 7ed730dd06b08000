// Numbers as a person reads them in a column.
#pragma once

#include <cstdint>
#include <string>

namespace logwood::cli {

/// `950`, `12k`, `1.2M`
[[nodiscard]] std::string short_count(std::uint64_t count);

/// `950 B`, `12 kB`, `1.2 MB`
[[nodiscard]] std::string short_size(std::uint64_t bytes);

}  // namespace logwood::cli
