#pragma once

#include <string_view>

#include "logwood/error.hpp"

namespace logwood::io {

/// What the caller can do about an errno; the one place that decides.
[[nodiscard]] ErrorCode code_of(int error_number);

/// The Error for an errno: "cannot <attempt> <name>: <what the system says>", and
/// what to do about it where that is not obvious.
[[nodiscard]] Error system_error(int error_number, std::string_view attempt, std::string_view name);

}  // namespace logwood::io
