// Times as agents write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace logwood::exchange {

/// RFC 3339 with any fraction and any offset, as a timestamp of ours; nothing for anything else.
[[nodiscard]] std::optional<std::string> timestamp_in(std::string_view text);

/// Of a JSON token: such a text, or a number of milliseconds since 1970 (of seconds, where it is
/// too small for milliseconds of our century).
[[nodiscard]] std::optional<std::string> timestamp_of_token(std::string_view token);

}  // namespace logwood::exchange
