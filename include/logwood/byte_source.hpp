#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "logwood/result.hpp"

namespace logwood {

/// Where bytes come from, one after the other: fills some of `into` and says how much; 0 is the
/// end.
using ByteSource = std::function<Result<std::size_t>(std::span<char> into)>;

}  // namespace logwood
