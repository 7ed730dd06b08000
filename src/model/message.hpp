// What a message says, in whichever shape its provider gave it: read, never rewritten.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/turn.hpp"

namespace logwood {

struct ToolCall {
  std::string id;
  std::string name;
  std::string_view arguments = {};  ///< JSON of the payload that was read
};

struct ToolResult {
  std::string call_id;
  bool failed = false;
  std::string_view content = {};  ///< JSON of the payload that was read
};

/// The parts of a message that we act on. Shapes known: Anthropic messages, OpenAI chat
/// and responses items, Gemini contents, and pi; of another one only the role and the
/// text are found, if those.
struct Message {
  std::string role;
  std::string text;  ///< of its text blocks, joined by blank lines
  std::vector<ToolCall> tool_calls;
  std::vector<ToolResult> tool_results;
  std::string model;  ///< that said it
  std::string id;     ///< by the provider; what is stored in several entries has the same
  Usage usage;
};

/// Whether the text of a message is wanted: to read it is most of the work.
enum class MessageText : std::uint8_t { read, skipped };

/// Reads the payload of a `message`, the text of a valid JSON object.
[[nodiscard]] Message read_message(std::string_view payload, MessageText text = MessageText::read);

/// What a call is given, as text: every string and number of its arguments, each on a line.
[[nodiscard]] std::string text_of(const ToolCall& call);

/// What a result says: its text blocks, and of anything else every string.
[[nodiscard]] std::string text_of(const ToolResult& result);

/// The payload of a message that answers a call, in the shape of the payload that asks.
[[nodiscard]] std::string answer_payload(std::string_view asking, const ToolCall& call,
                                         std::string_view text, bool failed);

}  // namespace logwood
