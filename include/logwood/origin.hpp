#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace logwood {

/// Somebody who answers: a model, where it is served, and the API it is spoken to in.
struct ModelRef {
  std::string api;       ///< `anthropic-messages`, `openai-chat`, `openai-responses`, `gemini`
  std::string provider;  ///< the endpoint; what one signs, another cannot read
  std::string model;
  std::string account = {};  ///< empty: not recorded

  bool operator==(const ModelRef&) const = default;
};

/// Who made a message. Recorded in the `meta` of its entry; without it a message is never sent
/// back as the model's own.
struct MessageOrigin {
  ModelRef by;
  /// Of everything the model was sent before it answered (Request::prefix_hash); empty: not
  /// recorded. Some models sign that, and what they sign is not sent when it has changed.
  std::string prefix_hash = {};

  /// The `meta` of an entry that says so: `{"origin":{…}}`.
  [[nodiscard]] std::string to_meta() const;

  /// Reads it from there; nothing when it does not say.
  [[nodiscard]] static std::optional<MessageOrigin> of_meta(std::string_view meta);

  bool operator==(const MessageOrigin&) const = default;
};

}  // namespace logwood
