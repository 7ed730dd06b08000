#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logwood/context.hpp"
#include "logwood/origin.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// Something that is changed, added or lost on the way to a model.
struct RequestWarning {
  std::string code;                 ///< `REASONING_DROPPED`
  std::string severity;             ///< `info`, `transformed`, `added`, `lossy` or `blocking`
  std::string at;                   ///< the entry; `system`, `tools`, `messages`
  std::optional<std::size_t> part;  ///< of the message, counted from 0
  std::string text;                 ///< for a person
  std::vector<std::pair<std::string, std::string>> details;  ///< `callId`, `from`, `to` …
};

/// What becomes of a session or a request on its way to a model.
struct Compatibility {
  bool compatible = true;  ///< nothing is blocking: nobody needs to be asked
  std::vector<RequestWarning> warnings;
  std::vector<std::string> lossy_fields;  ///< what of the messages is not sent, each once

  /// One JSON object: compatible, warnings, lossyFields.
  [[nodiscard]] std::string to_json() const;
};

/// The body of a request, ready to be sent.
struct Request {
  std::string body;
  Compatibility report;
  TokenCount size;          ///< of what was read for it
  std::string prefix_hash;  ///< for the origin of the answer; empty: its API signs nothing
};

struct RequestOptions {
  ModelRef to;
  /// Who made the messages that do not say; nothing: nobody known.
  std::optional<ModelRef> assumed = std::nullopt;
  std::optional<EntryId> tip = std::nullopt;  ///< nothing: the head
  /// Nothing: what the model's window leaves beside its answer, where that is known.
  std::optional<std::uint64_t> max_tokens = std::nullopt;
  std::string models = {};  ///< rows of your own for the table of models, as JSON
};

/// Reads `anthropic:claude-opus-5-5`, `openai-responses:gpt-5.6`, `openai-chat@openrouter:x/y`.
Result<ModelRef> parse_model(std::string_view text);
[[nodiscard]] std::string to_text(const ModelRef& model);

/// A request for one model as a request for another. No session is needed.
Result<Request> convert_request(std::string_view body, const ModelRef& from, const ModelRef& to,
                                const std::string& models = {});

/// What any session with `from` would lose on `to`.
Result<Compatibility> compatibility(const ModelRef& from, const ModelRef& to,
                                    const std::string& models = {});

/// Something an API would refuse.
struct RequestFault {
  std::string rule;     ///< `AN-TOOLUSE-UNANSWERED`
  bool refused = true;  ///< false: it is taken, but should not be so
  std::string path;     ///< `messages.3.content.0`
  std::string text;     ///< what the API wants
  std::string detail;   ///< the id, name or type that is wrong; perhaps empty
};

/// Everything that is wrong with a body. `api` is one of the four, `bedrock-converse` or
/// `mistral-chat`; `model` matters where the body does not name it.
Result<std::vector<RequestFault>> check_request(std::string_view api, std::string_view body,
                                                std::string_view model = {});

}  // namespace logwood
