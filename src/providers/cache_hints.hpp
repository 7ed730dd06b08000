// Hints about caching, `cache_control`, which mean nothing to what is said.
#pragma once

#include <string_view>

#include "base/sha256.hpp"
#include "providers/lowering.hpp"

namespace logwood::providers {

/// Each message may have been recorded with hints of its own, and together they are more than
/// Anthropic takes: the last ones stay.
void limit_cache_hints(Lowering& lowering);

/// Of what comes before and of JSON without any of them.
[[nodiscard]] Sha256 hash_without_cache_hints(std::string_view before, std::string_view json);

}  // namespace logwood::providers
