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

Usage read_usage(std::string_view object) { return read_usage_details(object).tokens; }

UsageDetails read_usage_details(std::string_view object) {
  const auto [prompt, completion, prompt_details, completion_details, gemini_prompt, gemini_cached,
              candidates, thoughts, tool_prompt, input_details, output_details, input, output,
              cache_read, cache_creation, pi_input, pi_output, pi_read, pi_written] =
      json_members(
          object, {"prompt_tokens", "completion_tokens", "prompt_tokens_details",
                   "completion_tokens_details", "promptTokenCount", "cachedContentTokenCount",
                   "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount",
                   "input_tokens_details", "output_tokens_details", "input_tokens", "output_tokens",
                   "cache_read_input_tokens", "cache_creation_input_tokens", "input", "output",
                   "cacheRead", "cacheWrite"});
  UsageDetails details;
  Usage& usage = details.tokens;
  // OpenAI counts what the cache gave and took in its whole.
  const auto take_openai = [&](std::string_view whole, std::string_view of_whole,
                               std::string_view made, std::string_view of_made) {
    const auto [cached, written] = json_members(of_whole, {"cached_tokens", "cache_write_tokens"});
    usage.cache_read = json_unsigned(cached);
    usage.cache_creation = json_unsigned(written);
    usage.input = without(without(json_unsigned(whole), usage.cache_read), usage.cache_creation);
    usage.output = json_unsigned(made);
    details.reasoning = json_unsigned(json_member(of_made, "reasoning_tokens"));
  };
  if (!prompt.empty()) {  // chat
    take_openai(prompt, prompt_details, completion, completion_details);
  } else if (!gemini_prompt.empty()) {
    usage.cache_read = json_unsigned(gemini_cached);
    usage.input = without(json_unsigned(gemini_prompt), usage.cache_read);
    usage.output = sum(json_unsigned(candidates), json_unsigned(thoughts));
    details.reasoning = json_unsigned(thoughts);
    details.tool_prompt = json_unsigned(tool_prompt);
  } else if (!input_details.empty()) {  // responses
    take_openai(input, input_details, output, output_details);
  } else {  // Anthropic, pi
    usage.input = first_of(input, pi_input);
    usage.output = first_of(output, pi_output);
    usage.cache_read = first_of(cache_read, pi_read);
    usage.cache_creation = first_of(cache_creation, pi_written);
    details.reasoning = json_unsigned(json_member(output_details, "thinking_tokens"));
  }
  return details;
}

}  // namespace logwood
