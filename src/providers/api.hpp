// The APIs we know, by name.
#pragma once

#include <string_view>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

/// `anthropic-messages`, `openai-chat`, `openai-responses`, `gemini`.
[[nodiscard]] std::string_view name_of(Api api);

/// The API of that name; `none` when we know none.
[[nodiscard]] Api api_named(std::string_view name);

/// Whose endpoint it is when nobody says: `anthropic`, `openai`, `google`.
[[nodiscard]] std::string_view default_provider(Api api);

}  // namespace logwood::providers
