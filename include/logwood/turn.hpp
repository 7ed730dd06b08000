#pragma once

#include <cstdint>
#include <optional>

namespace logwood {

/// Tokens as a provider counted them. What it did not say is not known, which is not 0.
struct Usage {
  std::optional<std::uint64_t> input;  ///< neither read from a cache nor written to one
  std::optional<std::uint64_t> output;
  std::optional<std::uint64_t> cache_read;
  std::optional<std::uint64_t> cache_creation;

  bool operator==(const Usage&) const = default;
};

}  // namespace logwood
