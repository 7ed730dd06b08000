#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logwood {

/// Tokens as a provider counted them. What it did not say is not known, which is not 0.
struct Usage {
  std::optional<std::uint64_t> input;  ///< neither read from a cache nor written to one
  std::optional<std::uint64_t> output;
  std::optional<std::uint64_t> cache_read;
  std::optional<std::uint64_t> cache_creation;

  bool operator==(const Usage&) const = default;
};

/// What a session used in all. A sum is of what is known; when nothing is, so is the sum.
struct SessionUsage {
  Usage tokens;
  std::uint64_t messages = 0;            ///< of the assistant
  std::uint64_t messages_uncounted = 0;  ///< of those, without any usage
  std::uint64_t tool_calls = 0;
  std::uint64_t runs = 0;                             ///< different `runId`s
  std::optional<std::chrono::milliseconds> duration;  ///< of the runs, from first to last entry

  bool operator==(const SessionUsage&) const = default;
};

/// The messages of one run, in order: what the user said, what the assistant said, its
/// tool calls and their results. Each is the JSON text of a payload.
struct Turn {
  std::string run_id = {};
  std::vector<std::string> messages = {};
};

}  // namespace logwood
