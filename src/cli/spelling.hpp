#pragma once

#include <span>
#include <string_view>

namespace logwood::cli {

/// The word that somebody who typed `typed` may have meant; empty when none is near.
[[nodiscard]] std::string_view nearest_word(std::string_view typed,
                                            std::span<const std::string_view> words);

}  // namespace logwood::cli
