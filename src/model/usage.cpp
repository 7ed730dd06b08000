#include "model/usage.hpp"

#include <charconv>

#include "base/json_text.hpp"

namespace logwood {
namespace {

using Count = std::optional<std::uint64_t>;

Count count_in(std::string_view token) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || problem != std::errc() || end != token.data() + token.size())
    return std::nullopt;
  return value;
}

Count first_of(std::string_view a, std::string_view b) { return count_in(a.empty() ? b : a); }

Count without(Count all, Count part) {
  if (!all || !part) return all;
  return *all >= *part ? *all - *part : 0;
}

Count sum(Count a, Count b) {
  if (!a || !b) return a ? a : b;
  return *a + *b;
}

}  // namespace

Usage read_usage(std::string_view object) {
  const auto [prompt, completion, prompt_details, gemini_prompt, gemini_cached, candidates,
              thoughts, input_details, input, output, cache_read, cache_creation, pi_input,
              pi_output, pi_read, pi_written] =
      json_members(
          object,
          {"prompt_tokens", "completion_tokens", "prompt_tokens_details", "promptTokenCount",
           "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount",
           "input_tokens_details", "input_tokens", "output_tokens", "cache_read_input_tokens",
           "cache_creation_input_tokens", "input", "output", "cacheRead", "cacheWrite"});
  Usage usage;
  if (!prompt.empty()) {  // OpenAI chat
    usage.cache_read = count_in(json_member(prompt_details, "cached_tokens"));
    usage.input = without(count_in(prompt), usage.cache_read);
    usage.output = count_in(completion);
  } else if (!gemini_prompt.empty()) {
    usage.cache_read = count_in(gemini_cached);
    usage.input = without(count_in(gemini_prompt), usage.cache_read);
    usage.output = sum(count_in(candidates), count_in(thoughts));
  } else if (!input_details.empty()) {  // OpenAI responses
    usage.cache_read = count_in(json_member(input_details, "cached_tokens"));
    usage.input = without(count_in(input), usage.cache_read);
    usage.output = count_in(output);
  } else {  // Anthropic, pi
    usage.input = first_of(input, pi_input);
    usage.output = first_of(output, pi_output);
    usage.cache_read = first_of(cache_read, pi_read);
    usage.cache_creation = first_of(cache_creation, pi_written);
  }
  return usage;
}

}  // namespace logwood
