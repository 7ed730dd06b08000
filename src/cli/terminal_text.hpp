// The one way for text from outside onto a terminal: nothing in it is obeyed, and it takes the room
// that it is given.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace logwood::cli {

/// What becomes of line breaks.
enum class Lines { one, kept };

/// The text with every control character, direction mark and byte that is no character made
/// visible: `\x1b`, `\u{202e}`. Tabs, and line breaks unless they are kept, become spaces.
[[nodiscard]] std::string printable(std::string_view untrusted, Lines lines = Lines::one);

/// Columns that a printable text takes.
[[nodiscard]] std::size_t width_of(std::string_view printable_text);

/// A printable text cut to so many columns, with … where something is missing.
[[nodiscard]] std::string fitted(std::string_view printable_text, std::size_t columns);

/// The same, but the end of the text stays and … stands before it.
[[nodiscard]] std::string fitted_at_end(std::string_view printable_text, std::size_t columns);

/// As fitted, filled up with spaces.
[[nodiscard]] std::string padded(std::string_view printable_text, std::size_t columns);

/// `1 entry`, `2 entries`.
[[nodiscard]] std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace logwood::cli
