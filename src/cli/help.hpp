#pragma once

#include <string>

#include "cli/verb.hpp"

namespace logwood::cli {

[[nodiscard]] std::string help_of_program();
[[nodiscard]] std::string help_of(const Verb& verb);

/// `logwood show [--tip ENTRY] SESSION`
[[nodiscard]] std::string synopsis_of(const Verb& verb);

}  // namespace logwood::cli
