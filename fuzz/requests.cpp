// Any text as a request of each API: whatever is read is written for every target without failing,
// what is written is JSON, and reading it again gives a request too.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_text.hpp"
#include "expect.hpp"
#include "providers/conversion.hpp"
#include "providers/lint.hpp"
#include "providers/stored.hpp"

namespace {

using namespace logwood;
using canonical::Api;
using fuzz::expect;

constexpr Api apis[] = {Api::anthropic_messages, Api::openai_chat, Api::openai_responses,
                        Api::gemini};
constexpr std::string_view linted[] = {"anthropic-messages", "openai-chat",
                                       "openai-responses",   "gemini",
                                       "bedrock-converse",   "mistral-chat"};

void write_for_all(const canonical::Request& request) {
  for (const Api api : apis) {
    for (const char* const model : {"m", "n"}) {
      providers::Target target;
      target.api = api;
      target.provider = "p";
      target.model = model;
      target.can.signed_calls = true;
      const providers::Written written = providers::write_request(request, target);
      expect(static_cast<bool>(check_json(written.body)), "what is written is JSON");
      const canonical::Origin origin{api, "p", {}, model, {}};
      expect(static_cast<bool>(providers::read_request(written.body, origin)),
             "what is written is read again");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Api api : apis) {
    const auto request = providers::read_request(text, {api, "p", {}, "m", {}});
    if (!request) break;  // no JSON, for any of them
    write_for_all(*request);
  }
  for (const std::string_view api : linted) (void)providers::lint(api, text, {"m", "deepseek"});
  if (check_json(text)) {
    const providers::StoredMessage message{"e1", text};
    providers::StoredSession session;
    session.messages = {&message, 1};
    write_for_all(providers::read_session(session));
  }
  return 0;
}
