#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// The suspected secrets of many entries, counted. It keeps none of them.
struct SuspectedSecrets {
  std::uint64_t count = 0;
  std::vector<EntryId> entries;         ///< the first that have some
  std::uint64_t entry_count = 0;        ///< all that have
  std::vector<std::string_view> rules;  ///< those that found them, each once

  /// `text` is the object of the entry.
  void take(const EntryId& entry, std::string_view text);

  /// `3 possible secrets (entries 1b2c…, 77d0…: anthropic key, github token)`
  [[nodiscard]] std::string text() const;
};

}  // namespace logwood
