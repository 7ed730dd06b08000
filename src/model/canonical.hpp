// What is said to a model and by it, whichever provider it was: messages of ordered parts, of which
// each keeps the bytes its provider gave it. Reading a request of any API gives this, and requests
// for any API are made of it (layer `providers`).
//
// Almost everything is a view: into the text that was read, or into what `Request` keeps. A copy
// of a request shares both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escaped_text.hpp"
#include "base/text_pool.hpp"

namespace logwood::canonical {

/// A wire format.
enum class Api : std::uint8_t { none, anthropic_messages, openai_chat, openai_responses, gemini };

/// Who made a message.
struct Origin {
  Api api = Api::none;
  std::string_view provider = {};  ///< the endpoint: what one signs, another cannot read
  std::string_view account = {};   ///< empty: not recorded
  std::string_view model = {};
  std::string_view prefix_hash = {};  ///< of all that was sent before it; empty: not recorded
};

enum class PartKind : std::uint8_t {
  text,
  image,
  audio,
  video,
  document,
  reasoning,
  tool_call,
  tool_result,
  refusal,
  compaction,
  tool_change,
  opaque,  ///< known to its API only
};

/// `text`, `image`, `tool_call` …
[[nodiscard]] std::string_view name_of(PartKind kind);

/// Who can be given the bytes of a part again.
enum class Scope : std::uint8_t {
  api,     ///< every model of the API at that provider
  model,   ///< the model that made it
  server,  ///< nobody, once the server has forgotten
};

/// What the provider said, byte for byte.
struct Native {
  Api api = Api::none;
  std::string_view json = {};
  std::string_view field = {};  ///< of the message, where it is no element of its content
  bool in_previous = false;     ///< the bytes of the part before hold this one too
};

/// Where the bytes of a picture, sound or document are.
struct Source {
  enum class Kind : std::uint8_t { none, base64, url, file, text, other };
  Kind kind = Kind::none;
  EscapedText media_type = {};
  EscapedText data = {};           ///< base64, the address, the file's id or the text
  std::string_view provider = {};  ///< who keeps the file
};

struct Citation {
  EscapedText kind, title, url, cited_text;
};

/// A part of a message. Which members mean something follows from its kind. The small ones stand
/// together: a session has very many parts.
struct Part {
  PartKind kind = PartKind::text;
  Scope scope = Scope::api;
  bool is_signed = false;              ///< its bytes carry a signature
  bool is_incomplete = false;          ///< never finished
  bool is_developers = false;          ///< of a system part: with the authority of a developer
  bool was_item = false;               ///< of a system part: it stood among the messages
  bool wants_citations = false;        ///< document
  bool is_redacted = false;            ///< reasoning
  bool is_on_server = false;           ///< reasoning: of its bytes only an id is ours
  bool is_custom = false;              ///< call and result: of a tool that takes free text
  bool is_providers = false;           ///< call and result: the provider ran it
  bool is_id_made = false;             ///< call: the provider gave none
  bool are_arguments_invalid = false;  ///< call
  bool has_failed = false;             ///< result

  Native native = {};
  std::string_view entry = {};  ///< that it comes from
  std::size_t place = 0;        ///< among the parts of that entry
  std::string_view cache = {};  ///< JSON: a hint about caching

  EscapedText text = {};  ///< text, reasoning, refusal, compaction
  std::vector<Citation> citations = {};
  EscapedText phase = {};

  Source source = {};  ///< image, audio, video, document
  EscapedText title = {};
  EscapedText context = {};
  EscapedText detail = {};

  std::string_view call_id = {};      ///< unique in the request
  std::string_view provider_id = {};  ///< what the provider called it, where that is another
  std::string_view name = {};         ///< of the tool
  std::string_view arguments = {};    ///< JSON: an object
  EscapedText arguments_text = {};    ///< as the model wrote them, where it wrote text

  std::vector<Part> content = {};  ///< of a result
};

enum class Role : std::uint8_t { user, assistant, tool, system };
enum class Status : std::uint8_t { complete, partial, aborted, error };

/// How the content of a message was spelled: as much as it takes to spell it that way again.
enum class Spelling : std::uint8_t { unknown, string, array, null, absent };

struct Message {
  std::string_view id = {};  ///< of its entry; of a request without entries m1, m2 …
  Role role = Role::user;
  bool is_developers = false;
  EscapedText name = {};
  std::vector<Part> parts = {};
  std::optional<Origin> origin = {};  ///< of the assistant's
  Status status = Status::complete;
  std::string_view stop = {};  ///< why the model stopped, in our words
  Spelling spelling = Spelling::unknown;
  Api joined = Api::none;       ///< it stood in one message with the results before it
  bool is_typed = false;        ///< its item named its type
  bool is_made = false;         ///< by us: nobody said it
  bool has_new_prefix = false;  ///< what comes before it is not what did when it was made
};

/// A tool the model may call.
struct Tool {
  enum class Kind : std::uint8_t { function, custom, providers };
  Kind kind = Kind::function;
  std::string_view name = {};
  EscapedText description = {};
  std::string_view schema = {};  ///< JSON; empty: takes nothing
  Native native = {};
};

struct Request {
  std::vector<Part> system = {};
  std::vector<Tool> tools = {};
  std::vector<Message> messages = {};
  std::size_t size_hint = 0;  ///< about as many bytes as it has

  /// Keeps text for as long as the request or a copy of it lives.
  std::string_view keep(std::string_view text) const { return kept_->add(text); }
  [[nodiscard]] EscapedText keep_escaped(std::string_view text) const {
    std::string escaped;
    append_escaped(escaped, text);
    return {keep(escaped)};
  }

 private:
  std::shared_ptr<TextPool> kept_ = std::make_shared<TextPool>();
};

}  // namespace logwood::canonical
