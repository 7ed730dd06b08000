// What bash, zsh and fish need to complete commands of logwood, written from the table of verbs.
#pragma once

#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood::cli {

/// The script for `bash`, `zsh` or `fish`; `invalid_argument` for any other.
Result<std::string> completion_script(std::string_view shell);

}  // namespace logwood::cli
