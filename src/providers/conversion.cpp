#include "providers/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/escaped_text.hpp"
#include "base/json_text.hpp"
#include "providers/lowering.hpp"
#include "providers/reading.hpp"

namespace logwood::providers {

Result<canonical::Request> read_request(std::string_view body, const canonical::Origin& origin) {
  canonical::Request request;
  request.size_hint = body.size() + body.size() / 8;
  Reading reading(request);
  reading.expect(body.size());
  reading.next({}, origin);
  JsonCheck check;
  switch (origin.api) {
    case Api::anthropic_messages:
      check = read_anthropic_body(reading, body);
      break;
    case Api::openai_chat:
      check = read_chat_body(reading, body);
      break;
    case Api::openai_responses:
      check = read_responses_body(reading, body);
      break;
    case Api::gemini:
      check = read_gemini_body(reading, body);
      break;
    case Api::none:
      return Error{ErrorCode::invalid_argument, "a request is read as that of one API"};
  }
  if (!check) {
    return Error{ErrorCode::invalid_argument, fmt::format("the request {}", describe(check))};
  }
  reading.make_ids_unique();
  return request;
}

namespace {

Written written_by(Lowering& lowering) {
  Written written;
  switch (lowering.target().api) {
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
  written.prefix_hash = lowering.prefix_hash();
  for (const Sources& sources : lowering.sources()) {
    written.sources.emplace_back(sources.begin(), sources.end());
  }
  return written;
}

bool has_recorded_prefix(const canonical::Request& request) {
  return std::ranges::any_of(request.messages, [](const Message& message) {
    return message.origin && !message.origin->prefix_hash.empty();
  });
}

}  // namespace

Written write_request(canonical::Request request, const Target& target) {
  const bool may_break = target.api == Api::anthropic_messages && has_recorded_prefix(request);
  std::optional<canonical::Request> again;
  if (may_break) again = request;
  Lowering lowering(std::move(request), target);
  Written written = written_by(lowering);
  const std::string_view broken_at = lowering.prefix_broken_at();
  if (!again || broken_at.empty()) return written;
  // From there on nothing that was signed is taken any more.
  for (Message& message : again->messages) {
    if (message.role == Role::assistant && message.id == broken_at) {
      message.has_new_prefix = true;
      break;
    }
  }
  Lowering without(*std::move(again), target);
  return written_by(without);
}

}  // namespace logwood::providers
