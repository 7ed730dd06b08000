#include "providers/models.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/json_text.hpp"
#include "providers/api.hpp"

namespace logwood::providers {
namespace {

// Windows are those the providers publish for everybody; where a model has a larger one for some,
// the smaller one stands here. `output` is what is left for the answer. Of a model that nobody here
// knows it is believed that it can do what its API has.
constexpr std::string_view known = R"([
{"match":"anthropic-messages:*","vision":true,"audio":false,"documents":true,"tools":true,"reasoning":true,"prefill":false,"midSystem":true,"window":200000,"output":32000},
{"match":"anthropic-messages:claude-*-4","prefill":true,"midSystem":false},
{"match":"anthropic-messages:claude-*-4-20??????","prefill":true,"midSystem":false},
{"match":"anthropic-messages:claude-*-4-[0-7]","midSystem":false},
{"match":"anthropic-messages:claude-*-4-[0-7]-20??????","midSystem":false},
{"match":"anthropic-messages:claude-*-4-[0-5]","prefill":true},
{"match":"anthropic-messages:claude-*-4-[0-5]-20??????","prefill":true},
{"match":"anthropic-messages:claude-sonnet-4*","midSystem":false},
{"match":"anthropic-messages:claude-haiku-4*","midSystem":false},
{"match":"anthropic-messages:claude-[123]*","prefill":true,"midSystem":false,"reasoning":false,"output":4096},
{"match":"anthropic-messages:claude-3-[57]*","output":8192},
{"match":"anthropic-messages:claude-3-7*","reasoning":true},
{"match":"anthropic-messages:claude-[12]*","vision":false,"documents":false,"tools":false,"window":100000},
{"match":"anthropic-messages:claude-instant*","prefill":true,"midSystem":false,"vision":false,"documents":false,"tools":false,"reasoning":false,"window":100000,"output":4096},
{"match":"openai-chat:*","vision":true,"audio":false,"documents":true,"tools":true,"reasoning":true,"prefill":true,"midSystem":true,"window":128000,"output":16384},
{"match":"openai-chat:gpt-[34]*","reasoning":false},
{"match":"openai-chat:gpt-4.1*","window":1047576,"output":32768},
{"match":"openai-chat:gpt-[56]*","window":400000,"output":65536},
{"match":"openai-chat:gpt-5.[4-9]*","quietTools":true},
{"match":"openai-chat:gpt-6*","quietTools":true},
{"match":"openai-chat:o[1-9]*","window":200000,"output":65536},
{"match":"openai-chat:*audio*","audio":true},
{"match":"openai-chat:gpt-3.5*","vision":false,"documents":false,"window":16385,"output":4096},
{"match":"openai-chat:deepseek*","vision":false,"documents":false,"window":128000,"output":8192},
{"match":"openai-responses:*","vision":true,"audio":false,"documents":true,"tools":true,"reasoning":true,"prefill":true,"midSystem":true,"window":400000,"output":65536},
{"match":"openai-responses:gpt-4o*","reasoning":false,"window":128000,"output":16384},
{"match":"openai-responses:gpt-4.1*","reasoning":false,"window":1047576,"output":32768},
{"match":"openai-responses:o[1-9]*","window":200000},
{"match":"gemini:*","vision":true,"audio":true,"documents":true,"tools":true,"reasoning":true,"prefill":false,"midSystem":false,"signedCalls":true,"window":1048576,"output":65536},
{"match":"gemini:gemini-[12]*","signedCalls":false},
{"match":"gemini:gemini-1*","reasoning":false,"output":8192}
])";

void take(std::string_view token, bool& value) {
  if (token == "true") value = true;
  if (token == "false") value = false;
}

void take(std::string_view token, std::uint64_t& value) {
  if (const auto number = json_unsigned(token)) value = *number;
}

}  // namespace

Models::Models() { (void)add(known); }

Result<> Models::add(std::string_view json) {
  const JsonCheck check = check_json(json);
  if (!check) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("the table of models {}", describe(check))};
  }
  if (json.find_first_not_of(" \t\r\n") == std::string_view::npos ||
      json[json.find_first_not_of(" \t\r\n")] != '[') {
    return Error{ErrorCode::invalid_argument, "the table of models must be an array of objects"};
  }
  std::string wrong;
  for_each_json_element(json, [&](std::string_view row) {
    const std::string match = json_text_or_empty(json_member(row, "match"));
    if (api_named(match.substr(0, match.find(':'))) == Api::none && wrong.empty()) {
      wrong = row;
    }
    rows_.push_back({match, std::string(row)});
  });
  if (wrong.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               fmt::format("a row of the table of models has no \"match\" of the form "
                           "\"anthropic-messages:claude-*\": {}",
                           wrong.substr(0, 200))};
}

Capabilities Models::of(Api api, std::string_view model) const {
  const std::string name = fmt::format("{}:{}", name_of(api), model);
  Capabilities can;
  for (const Row& row : rows_) {
    if (fnmatch(row.match.c_str(), name.c_str(), 0) != 0) continue;
    const auto [vision, audio, documents, tools, reasoning, prefill, mid_system, signed_calls,
                quiet_tools, window, output] =
        json_members(row.changes, {"vision", "audio", "documents", "tools", "reasoning", "prefill",
                                   "midSystem", "signedCalls", "quietTools", "window", "output"});
    take(vision, can.vision);
    take(audio, can.audio);
    take(documents, can.documents);
    take(tools, can.tools);
    take(reasoning, can.reasoning);
    take(prefill, can.prefill);
    take(mid_system, can.mid_system);
    take(signed_calls, can.signed_calls);
    take(quiet_tools, can.quiet_tools);
    take(window, can.window);
    take(output, can.output);
  }
  return can;
}

}  // namespace logwood::providers
