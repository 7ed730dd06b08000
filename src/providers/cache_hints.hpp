// Hints about caching, `cache_control`, which mean nothing to what is said.
#pragma once

#include <string>
#include <string_view>

#include "providers/lowering.hpp"

namespace logwood::providers {

/// Each message may have been recorded with hints of its own, and together they are more than
/// Anthropic takes: the last ones stay.
void limit_cache_hints(Lowering& lowering);

/// The same JSON without any of them.
[[nodiscard]] std::string without_cache_hints(std::string_view json);

}  // namespace logwood::providers
