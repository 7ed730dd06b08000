#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logwood {

/// A word of a command for a POSIX shell, quoted where it has to be: for commands that a person is
/// shown to type, with words that come from somebody else's file.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Several of them.
[[nodiscard]] std::string shell_command(const std::vector<std::string>& words);

}  // namespace logwood
