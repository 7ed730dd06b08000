// Where the things of a message stand, in whichever shape its provider gave it: Anthropic messages,
// OpenAI chat and responses items, Gemini contents, and pi. Everything is found as a token of the
// payload; what is made of it is up to whoever reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace logwood {

/// One thing that a message holds.
struct MessagePiece {
  enum class Kind : std::uint8_t {
    text,
    thinking,
    call,    ///< of a tool
    result,  ///< of a tool
    bytes,   ///< an image or a document
    other,
  };
  Kind kind = Kind::other;
  std::string_view block;       ///< the object in which it stands
  std::string_view value = {};  ///< the text, what a tool is given, or what it answered
  std::string_view id = {};     ///< of the call
  std::string_view name = {};   ///< of the tool
  bool failed = false;          ///< said of a result
};

/// The members of a payload that are found in one pass over it; empty where there is none.
struct MessageShape {
  std::string_view payload;
  std::string_view role, model, usage;
  std::string_view id;              ///< of the message
  std::string_view type;            ///< of a responses item
  std::string_view content, parts;  ///< text or blocks; blocks of Gemini
  std::string_view calls;           ///< OpenAI chat
  std::string_view result_id;       ///< of the call, where the message is itself a result
  std::string_view result_name;     ///< of its tool
  std::string_view call_id, name, arguments, output;  ///< of a responses item
  bool failed = false;
};

/// The payload is the text of a valid JSON object.
[[nodiscard]] MessageShape shape_of(std::string_view payload);

/// Tells what the message holds, in order.
void for_each_piece(const MessageShape& shape,
                    const std::function<void(const MessagePiece&)>& visit);

/// The same of the elements of an array of blocks.
void for_each_block(std::string_view blocks, const std::function<void(const MessagePiece&)>& visit);

}  // namespace logwood
