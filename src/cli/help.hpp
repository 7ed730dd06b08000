#pragma once

#include <string>

#include "cli/verb.hpp"

namespace logwood::cli {

[[nodiscard]] std::string help_of_program();
[[nodiscard]] std::string help_of(const Verb& verb);

/// `logwood show [--tip ENTRY] SESSION`
[[nodiscard]] std::string synopsis_of(const Verb& verb);

/// Says which verb was meant, if one is near.
[[nodiscard]] Error no_such_verb(std::string_view name);

}  // namespace logwood::cli
