#include "cli/token_count.hpp"

namespace logwood::cli {

std::uint64_t all_tokens(const Usage& tokens) {
  return tokens.input.value_or(0) + tokens.output.value_or(0) + tokens.cache_read.value_or(0) +
         tokens.cache_creation.value_or(0);
}

void add_tokens(JsonLine& line, const Usage& tokens) {
  if (tokens.input) line.add("tokensIn", *tokens.input);
  if (tokens.output) line.add("tokensOut", *tokens.output);
  if (tokens.cache_read) line.add("tokensCacheRead", *tokens.cache_read);
  if (tokens.cache_creation) line.add("tokensCacheCreation", *tokens.cache_creation);
}

}  // namespace logwood::cli
