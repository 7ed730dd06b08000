// What the readers of the four APIs share: the request they fill, and what they remember from one
// message to the next.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_text.hpp"
#include "providers/canonical_names.hpp"

namespace logwood::providers {

/// Bytes that a message refers to by the entry they are in.
struct StoredAttachment {
  std::string media_type;
  std::string name;
  std::string data;  ///< base64
};
using StoredAttachments = std::unordered_map<std::string, StoredAttachment>;

class Reading {
 public:
  /// The attachments, if any, must outlive what is read.
  explicit Reading(canonical::Request& request, const StoredAttachments* attachments = nullptr)
      : request_(request), attachments_(attachments) {}

  /// Makes room for what that many bytes say, as far as it is known from others; small against
  /// the bytes themselves.
  void expect(std::size_t bytes);

  /// Whose message comes next, and out of which entry: empty for a request without entries.
  void next(std::string_view entry, const std::optional<canonical::Origin>& origin);

  /// What comes next is more of the assistant's message before it, if that is the last one.
  void join_next() { joins_ = true; }

  [[nodiscard]] canonical::Request& request() { return request_; }

  /// A new message at the end; an assistant's is given its origin.
  Message& add_message(Role role);

  /// Puts a part at the end of a message, and says where it came from; without one, an empty part
  /// that is to be filled where it is.
  Part& add_part(Message& message, Part part);
  Part& add_part(Message& message);

  /// The message of the assistant that the items of OpenAI responses belong to, one after another.
  Message& open_assistant();
  void close_assistant() { open_assistant_ = false; }

  /// True until the first message that is no system prompt.
  [[nodiscard]] bool is_at_start() const { return request_.messages.empty(); }

  /// What a string token says, as a view that lasts; of anything else nothing.
  [[nodiscard]] std::string_view plain(std::string_view token) const;
  /// The same, spelled as JSON without needless escapes, as `\/` is one.
  [[nodiscard]] EscapedText normal(std::string_view token) const;

  [[nodiscard]] EscapedText escaped(std::string_view text) const {
    return request_.keep_escaped(text);
  }

  /// Every call is remembered, also one that its provider ran.
  void remember_call(std::string_view id, std::string_view name) {
    const auto [known, is_new] = names_.insert_or_assign(id, name);
    has_repeated_ids_ = has_repeated_ids_ || !is_new;
  }
  [[nodiscard]] std::string_view name_of_call(std::string_view id) const;

  /// Calls of Gemini that wait for their response; they may have no ids of their own.
  struct Waiting {
    std::string_view call_id;
    std::string_view name;
  };
  std::vector<Waiting>& waiting() { return waiting_; }

  /// The part that refers to an attachment, as the bytes it stands for. False when it does not, or
  /// they are not there.
  bool read_attachment(std::string_view json, Part& part) const;

  /// A provider may use an id again in a later turn: from the second call on it becomes `id#2`.
  void make_ids_unique();

 private:
  Part& placed_last(Message& message);

  canonical::Request& request_;
  const StoredAttachments* attachments_;
  std::string_view entry_;
  std::optional<canonical::Origin> origin_;
  std::size_t next_place_ = 0;
  std::size_t counted_ = 0;
  bool open_assistant_ = false;
  bool joins_ = false;
  std::unordered_map<std::string_view, std::string_view> names_;  // of tools, by calls
  bool has_repeated_ids_ = false;
  std::vector<Waiting> waiting_;
};

/// The picture, sound or document at a `data:` address, or at another one.
[[nodiscard]] Source source_at(const Reading& reading, std::string_view url_token);

/// A file by its id at OpenAI, or by its bytes, which may lack the header that says what they are.
[[nodiscard]] Source openai_file(const Reading& reading, std::string_view id_token,
                                 std::string_view data_token);

/// Content that is text or a list of parts, each read by `read_part`.
[[nodiscard]] std::vector<Part> read_content(const Reading& reading, std::string_view content,
                                             Part (*read_part)(const Reading&, std::string_view));

/// image, audio, video or document, by its media type.
[[nodiscard]] PartKind kind_of_media(std::string_view media_type);

/// The arguments of a call that its model wrote as text.
void take_arguments(const Reading& reading, std::string_view token, Part& call);

/// Each of them reads one message (of OpenAI responses, one item) of its API.
void read_anthropic_message(Reading& reading, std::string_view message);
void read_chat_message(Reading& reading, std::string_view message);
void read_responses_item(Reading& reading, std::string_view item);
void read_gemini_content(Reading& reading, std::string_view content);

/// Messages that the agent pi keeps in a shape of its own, whatever API they were said in.
[[nodiscard]] bool is_pi_message(std::string_view payload);
void read_pi_message(Reading& reading, std::string_view payload, Api api);

/// Each of them checks a body and reads it: system prompt, tools and messages.
[[nodiscard]] JsonCheck read_anthropic_body(Reading& reading, std::string_view body);
[[nodiscard]] JsonCheck read_chat_body(Reading& reading, std::string_view body);
[[nodiscard]] JsonCheck read_responses_body(Reading& reading, std::string_view body);
[[nodiscard]] JsonCheck read_gemini_body(Reading& reading, std::string_view body);

/// A part of text that we put into words.
[[nodiscard]] Part made_text(const Reading& reading, std::string_view text);

/// Tools as any of the four APIs lists them.
void read_tools(Reading& reading, Api api, std::string_view tools);

}  // namespace logwood::providers
