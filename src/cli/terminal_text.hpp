// Text that takes the room it is given on a terminal. What comes from outside goes through
// printable() first, so that nothing in it is obeyed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/unicode.hpp"

namespace logwood::cli {

/// Columns that a printable text takes.
[[nodiscard]] std::size_t width_of(std::string_view printable_text);

/// A printable text cut to so many columns, with … where something is missing.
[[nodiscard]] std::string fitted(std::string_view printable_text, std::size_t columns);

/// The same, but the end of the text stays and … stands before it.
[[nodiscard]] std::string fitted_at_end(std::string_view printable_text, std::size_t columns);

/// A printable line as several of at most so many columns, broken at spaces where there are some.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view printable_line,
                                               std::size_t columns);

/// As fitted, filled up with spaces.
[[nodiscard]] std::string padded(std::string_view printable_text, std::size_t columns);

}  // namespace logwood::cli
