#include "providers/conversion.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/escaped_text.hpp"
#include "base/json_text.hpp"
#include "providers/lowering.hpp"
#include "providers/reading.hpp"

namespace logwood::providers {

using canonical::Api;

Result<canonical::Request> read_request(std::string_view body, const canonical::Origin& origin) {
  const JsonCheck check = check_json(body);
  if (!check) {
    return Error{ErrorCode::invalid_argument, fmt::format("the request {}", describe(check))};
  }
  canonical::Request request;
  Reading reading(request);
  reading.next({}, origin);
  switch (origin.api) {
    case Api::anthropic_messages:
      read_anthropic_body(reading, body);
      break;
    case Api::openai_chat:
      read_chat_body(reading, body);
      break;
    case Api::openai_responses:
      read_responses_body(reading, body);
      break;
    case Api::gemini:
      read_gemini_body(reading, body);
      break;
    case Api::none:
      return Error{ErrorCode::invalid_argument, "a request is read as that of one API"};
  }
  reading.make_ids_unique();
  return request;
}

Written write_request(canonical::Request request, const Target& target) {
  Lowering lowering(std::move(request), target);
  Written written;
  switch (target.api) {
    case Api::openai_chat:
      written.body = write_chat(lowering);
      break;
    case Api::openai_responses:
      written.body = write_responses(lowering);
      break;
    case Api::gemini:
      written.body = write_gemini(lowering);
      break;
    case Api::anthropic_messages:
    case Api::none:
      written.body = write_anthropic(lowering);
      break;
  }
  if (const std::size_t mended = mend_surrogates(written.body); mended > 0) {
    lowering.warn(Code::surrogate_replaced, "messages", {}, std::to_string(mended));
  }
  written.report = std::move(lowering.report());
  return written;
}

}  // namespace logwood::providers
