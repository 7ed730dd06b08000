#include "providers/stop_reason.hpp"

#include <algorithm>
#include <array>

namespace logwood::providers {
namespace {

struct StopRow {
  Api api;
  std::string_view raw;
  std::string_view reason;
};

constexpr std::array rows = {
    StopRow{Api::anthropic_messages, "end_turn", "stop"},
    StopRow{Api::anthropic_messages, "max_tokens", "length"},
    StopRow{Api::anthropic_messages, "stop_sequence", "stop_sequence"},
    StopRow{Api::anthropic_messages, "tool_use", "tool_use"},
    StopRow{Api::anthropic_messages, "pause_turn", "pause"},
    StopRow{Api::anthropic_messages, "refusal", "refusal"},
    StopRow{Api::anthropic_messages, "model_context_window_exceeded", "context_exceeded"},
    StopRow{Api::anthropic_messages, "compaction", "compaction"},
    StopRow{Api::openai_chat, "stop", "stop"},
    StopRow{Api::openai_chat, "length", "length"},
    StopRow{Api::openai_chat, "tool_calls", "tool_use"},
    StopRow{Api::openai_chat, "function_call", "tool_use"},
    StopRow{Api::openai_chat, "content_filter", "content_filter"},
    StopRow{Api::openai_responses, "completed", "stop"},
    StopRow{Api::openai_responses, "incomplete/max_output_tokens", "length"},
    StopRow{Api::openai_responses, "incomplete/content_filter", "content_filter"},
    StopRow{Api::openai_responses, "incomplete/steered", "steered"},
    StopRow{Api::openai_responses, "failed", "error"},
    StopRow{Api::openai_responses, "cancelled", "aborted"},
    StopRow{Api::gemini, "STOP", "stop"},
    StopRow{Api::gemini, "MAX_TOKENS", "length"},
    StopRow{Api::gemini, "SAFETY", "content_filter"},
    StopRow{Api::gemini, "RECITATION", "content_filter"},
    StopRow{Api::gemini, "BLOCKLIST", "content_filter"},
    StopRow{Api::gemini, "PROHIBITED_CONTENT", "content_filter"},
    StopRow{Api::gemini, "SPII", "content_filter"},
    StopRow{Api::gemini, "IMAGE_SAFETY", "content_filter"},
    StopRow{Api::gemini, "MALFORMED_FUNCTION_CALL", "malformed_tool_call"},
    StopRow{Api::gemini, "UNEXPECTED_TOOL_CALL", "malformed_tool_call"},
    StopRow{Api::gemini, "TOO_MANY_TOOL_CALLS", "malformed_tool_call"},
    StopRow{Api::gemini, "CONTINUATION", "pause"},
};

}  // namespace

std::string_view stop_reason(Api api, std::string_view raw) {
  if (raw.empty()) return {};
  const auto* const found = std::ranges::find_if(
      rows, [&](const StopRow& row) { return row.api == api && row.raw == raw; });
  return found == rows.end() ? "other" : found->reason;
}

void settle_stop(Message& message) {
  if (message.stop != "stop") return;
  for (const Part& part : message.parts) {
    if (part.kind == PartKind::refusal) message.stop = "refusal";
    if (part.kind == PartKind::tool_call && !part.is_providers) {
      message.stop = "tool_use";
      return;
    }
  }
}

}  // namespace logwood::providers
