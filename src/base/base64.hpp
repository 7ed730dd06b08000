#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace logwood {

/// RFC 4648 §4, with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// Nothing unless the text is what to_base64 writes.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace logwood
