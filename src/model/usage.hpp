#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "logwood/turn.hpp"

namespace logwood {

/// Reads a usage object in the spelling of Anthropic, OpenAI (chat and responses), Gemini
/// or pi. Where a provider counts cached tokens as input they are taken out.
[[nodiscard]] Usage read_usage(std::string_view object);

/// The same, and what is counted in it already or beside it.
struct UsageDetails {
  Usage tokens;
  std::optional<std::uint64_t> reasoning;    ///< of the output
  std::optional<std::uint64_t> tool_prompt;  ///< Gemini: what its own tools put before the model

  /// All that the model was given, from a cache or not.
  [[nodiscard]] std::uint64_t input_total() const {
    return tokens.input.value_or(0) + tokens.cache_read.value_or(0) +
           tokens.cache_creation.value_or(0);
  }
};

[[nodiscard]] UsageDetails read_usage_details(std::string_view object);

}  // namespace logwood
