#pragma once

#include <string_view>

#include "logwood/turn.hpp"

namespace logwood {

/// Reads a usage object in the spelling of Anthropic, OpenAI (chat and responses), Gemini
/// or pi. Where a provider counts cached tokens as input they are taken out.
[[nodiscard]] Usage read_usage(std::string_view object);

}  // namespace logwood
