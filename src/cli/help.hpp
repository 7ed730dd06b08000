#pragma once

#include <string>

#include "cli/verb.hpp"

namespace logwood::cli {

/// One page for somebody new: the verbs used most, and the names of the others.
[[nodiscard]] std::string help_of_program();
/// Every verb on a line, and where the program looks for what.
[[nodiscard]] std::string help_of_all_verbs();
[[nodiscard]] std::string help_of(const Verb& verb);

/// `logwood show [--tip ENTRY] SESSION`
[[nodiscard]] std::string synopsis_of(const Verb& verb);

/// Says which verb was meant, if one is near.
[[nodiscard]] Error no_such_verb(std::string_view name);

}  // namespace logwood::cli
