// Ids of tool calls and names of tools, as an API takes them. The same in, the same out: whoever
// has the stored ids can find out which call an answer means.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

/// `id` where the API takes it and it is not taken; else `call_` and 24 digits of its hash, or, as
/// long as that is taken too, of `id:1`, `id:2` …
[[nodiscard]] std::string fitting_id(Api api, std::string_view id,
                                     const std::function<bool(std::string_view)>& is_taken);

/// Whether an API is known to refuse the id, whoever made it. It takes more of its own than we
/// give.
[[nodiscard]] bool refuses_id(Api api, std::string_view id);

/// `name` where the API takes it; else with `_` for what it does not take, and one too long cut
/// and ended by 8 digits of its hash.
[[nodiscard]] std::string fitting_name(Api api, std::string_view name);

}  // namespace logwood::providers
