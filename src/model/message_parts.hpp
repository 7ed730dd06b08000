// What a message consists of, part after part, for somebody who reads it: more than message.hpp,
// which finds only what we act on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logwood {

struct MessagePart {
  enum class Kind : std::uint8_t {
    text,
    thinking,
    call,    ///< of a tool
    result,  ///< of a tool
    image,   ///< or other bytes; `text` says of what kind and how long
    other,
  };
  Kind kind = Kind::text;
  std::string name = {};  ///< of the tool, or the type of another part
  std::string text = {};
  bool is_json = false;  ///< `text` is JSON
};

/// The parts of a message's payload, in order, in whichever shape its provider gave it. What has no
/// shape that we know comes as `other`, with its JSON.
[[nodiscard]] std::vector<MessagePart> read_parts(std::string_view payload);

}  // namespace logwood
