#include "exchange/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/json_text.hpp"

namespace logwood::exchange {

std::string usage_with_cache(std::string_view input, std::string_view cached,
                             std::initializer_list<std::string_view> output) {
  const std::uint64_t whole = json_unsigned(input).value_or(0);
  const std::uint64_t from_cache = std::min(json_unsigned(cached).value_or(0), whole);
  std::uint64_t made = 0;
  for (const std::string_view token : output) made += json_unsigned(token).value_or(0);
  return fmt::format(R"({{"input_tokens":{},"cache_read_input_tokens":{},"output_tokens":{}}})",
                     whole - from_cache, from_cache, made);
}

}  // namespace logwood::exchange
