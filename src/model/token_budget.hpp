#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logwood/context.hpp"
#include "model/context_builder.hpp"

namespace logwood {

/// Counts turns and tokens, and leaves the oldest turns out until the rest fits.
void fit_into(std::optional<std::uint64_t> max_tokens, const std::vector<ReadMessage>& messages,
              Context& context);

}  // namespace logwood
