#pragma once

#include <string_view>

namespace logwood {

/// Whether the bytes are well-formed UTF-8: no surrogates, no overlong forms.
[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace logwood
