// Tokens as providers counted them, in lists and charts.
#pragma once

#include <cstdint>

#include "cli/json_line.hpp"
#include "logwood/turn.hpp"

namespace logwood::cli {

[[nodiscard]] std::uint64_t all_tokens(const Usage& tokens);

/// Those that are known, as members `tokensIn`, `tokensOut`, …
void add_tokens(JsonLine& line, const Usage& tokens);

}  // namespace logwood::cli
