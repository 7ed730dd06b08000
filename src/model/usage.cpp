#include "model/usage.hpp"

#include "base/json_text.hpp"

namespace logwood {
namespace {

using Count = std::optional<std::uint64_t>;

Count first_of(std::string_view a, std::string_view b) { return json_unsigned(a.empty() ? b : a); }

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
    usage.cache_read = json_unsigned(json_member(prompt_details, "cached_tokens"));
    usage.input = without(json_unsigned(prompt), usage.cache_read);
    usage.output = json_unsigned(completion);
  } else if (!gemini_prompt.empty()) {
    usage.cache_read = json_unsigned(gemini_cached);
    usage.input = without(json_unsigned(gemini_prompt), usage.cache_read);
    usage.output = sum(json_unsigned(candidates), json_unsigned(thoughts));
  } else if (!input_details.empty()) {  // OpenAI responses
    usage.cache_read = json_unsigned(json_member(input_details, "cached_tokens"));
    usage.input = without(json_unsigned(input), usage.cache_read);
    usage.output = json_unsigned(output);
  } else {  // Anthropic, pi
    usage.input = first_of(input, pi_input);
    usage.output = first_of(output, pi_output);
    usage.cache_read = first_of(cache_read, pi_read);
    usage.cache_creation = first_of(cache_creation, pi_written);
  }
  return usage;
}

}  // namespace logwood
