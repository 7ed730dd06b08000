// Why a model stopped, in one set of words for all APIs.
#pragma once

#include <string_view>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

/// `stop`, `length`, `tool_use`, `stop_sequence`, `refusal`, `content_filter`, `pause`,
/// `context_exceeded`, `compaction`, `malformed_tool_call`, `steered`, `error`, `aborted`; `other`
/// for a word of the API that we do not know, and nothing where it said none. Of OpenAI responses
/// `raw` is the status, or `incomplete/` with the reason.
[[nodiscard]] std::string_view stop_reason(Api api, std::string_view raw);

/// Some APIs stop in one word for everything: a message that calls a tool or refuses says so.
void settle_stop(Message& message);

}  // namespace logwood::providers
