// Any text as a request of one API: what is read is written for every target without failing, what
// is written is JSON, and reading it again gives a request too. The same for a message of a
// session. One fuzzer for each of the four readers, so that none lives on what another finds.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json_text.hpp"
#include "expect.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/lint.hpp"
#include "providers/stored.hpp"

namespace logwood::fuzz {

using canonical::Api;

inline void write_for_all(const canonical::Request& request) {
  for (const Api api :
       {Api::anthropic_messages, Api::openai_chat, Api::openai_responses, Api::gemini}) {
    for (const char* const model : {"m", "n"}) {
      providers::Target target;
      target.api = api;
      target.provider = "p";
      target.model = model;
      target.can.signed_calls = true;
      target.can.tools = *model == 'm';
      const providers::Written written = providers::write_request(request, target);
      expect(static_cast<bool>(check_json(written.body)), "what is written is JSON");
      const canonical::Origin origin{api, "p", {}, model, {}};
      expect(static_cast<bool>(providers::read_request(written.body, origin)),
             "what is written is read again");
    }
  }
}

inline int try_request(Api api, const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const canonical::Origin origin{api, "p", {}, "m", {}};
  for (const std::string_view name : {providers::name_of(api), std::string_view("bedrock-converse"),
                                      std::string_view("mistral-chat")}) {
    (void)providers::lint(name, text, {"m", "deepseek"});
  }
  const auto request = providers::read_request(text, origin);
  if (!request) return 0;
  write_for_all(*request);
  const providers::StoredMessage message{"e1", text, origin};
  providers::StoredSession session;
  session.messages = {&message, 1};
  write_for_all(providers::read_session(session));
  return 0;
}

}  // namespace logwood::fuzz
