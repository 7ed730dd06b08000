#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace logwood {

/// `1 entry`, `2 entries`.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace logwood
