#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace logwood {

/// The beginning of a text on one line: white space and control characters become
/// single spaces, and what is cut off ends in "…". At most `characters` code points.
[[nodiscard]] std::string preview(std::string_view text, std::size_t characters);

}  // namespace logwood
