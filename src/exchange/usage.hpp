// What agents say was used, in the words of an API.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace logwood::exchange {

/// Of counts in which what came from the cache is part of the input; `output` is summed.
[[nodiscard]] std::string usage_with_cache(std::string_view input, std::string_view cached,
                                           std::initializer_list<std::string_view> output);

}  // namespace logwood::exchange
