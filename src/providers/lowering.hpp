// What the writers of the four APIs share: the request as it is to be sent, who it is for, and what
// has to be said about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/json_writer.hpp"
#include "providers/canonical_names.hpp"
#include "providers/report.hpp"
#include "providers/target.hpp"

namespace logwood::providers {

/// The entries that something comes from, each once.
using Sources = std::vector<std::string_view>;
void add_to(Sources& sources, const Sources& more);

class Lowering {
 public:
  /// Repairs the request, and finds ids and names that the target takes.
  Lowering(canonical::Request request, const Target& target);

  [[nodiscard]] canonical::Request& request() { return request_; }
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] Report& report() { return report_; }

  /// Whether the target made the message, or another model of the same endpoint did.
  [[nodiscard]] bool is_same_model(const Message& message) const;
  [[nodiscard]] bool is_same_api(const Message& message) const;

  /// The bytes of a part, if they are of the target's API; else empty.
  [[nodiscard]] std::string_view native(const Part& part) const;

  /// The id that a call is sent with, and whether that is its own.
  [[nodiscard]] std::string_view id_of(const Part& call_or_result) const;
  [[nodiscard]] bool keeps_id(const Part& call_or_result) const;

  [[nodiscard]] std::string_view name_of_tool(std::string_view name, std::string_view at);

  void warn(Code code, std::string_view at, std::optional<std::size_t> part = {},
            std::string_view first = {}, std::string_view second = {});
  void warn(Code code, const Part& part, std::string_view first = {}, std::string_view second = {});

  /// Leaves of an assistant's message what can be said: reasoning only where it can be read, tools
  /// of another provider told as text, bytes only where they are the target's.
  struct Said {
    std::vector<Part>& parts;  ///< those of the message
    bool by_same_model;
    bool by_same_api;
    bool are_ids_void = false;  ///< its items lost the reasoning their ids are bound to
  };
  Said say(Message& message);

  /// Makes the part what the target takes from somebody else than the model: as it is, or a text
  /// in its place. False: it takes nothing of it.
  [[nodiscard]] bool take(Part& part);
  /// The same for all that a tool gave back, without bytes of their own.
  std::vector<Part>& take_content(Part& result);
  /// The same for all that the user says; empty texts are left out.
  std::vector<Part>& take_parts(Message& message);
  /// Whether a system message says anything; what else is in it is lost, and said to be.
  [[nodiscard]] bool has_text(const Message& message);
  /// In the place of media that the model made, for those who take none from it.
  [[nodiscard]] EscapedText told_omitted(const Part& part);
  /// Where the bytes of a part are: an address, or all of them in one.
  [[nodiscard]] EscapedText address_of(const Source& source);
  /// The arguments of a call as text: as the model wrote them, where it wrote text.
  [[nodiscard]] EscapedText arguments_of(const Part& call);

  /// Says so where arguments are no object or the tool takes free text.
  void warn_about_call(const Part& call, Code invalid);

  /// The texts among the parts, joined by line breaks.
  [[nodiscard]] EscapedText text_of(const std::vector<Part>& parts);

  /// A system message for those who take none in the middle.
  [[nodiscard]] EscapedText marked_as_system(const Message& message);

  /// The entries of a message; nothing where nobody will ask.
  [[nodiscard]] Sources sources_of(const Message& message) const;
  /// Which entries each message, item or content of the body comes from; none: nobody said it.
  [[nodiscard]] std::vector<Sources>& sources() { return sources_; }

  /// The hash of all that is sent; and the first message whose own was another, if any.
  void note_prefix(std::string hash, std::string_view broken_at) {
    prefix_hash_ = std::move(hash);
    prefix_broken_at_ = broken_at;
  }
  [[nodiscard]] const std::string& prefix_hash() const { return prefix_hash_; }
  [[nodiscard]] std::string_view prefix_broken_at() const { return prefix_broken_at_; }

  /// To write a piece with, which is then kept.
  [[nodiscard]] JsonWriter piece() {
    if (buffers_.empty()) return {};
    JsonWriter json(std::move(buffers_.back()));
    buffers_.pop_back();
    return json;
  }
  std::string_view keep(JsonWriter& json) {
    std::string& used = buffers_.emplace_back(json.take());
    return request_.keep(used);
  }

  /// The definition of a tool in the target's way; nothing where it has none of that kind.
  struct Definition {
    std::string_view native;  ///< as it is
    std::string_view name;
    EscapedText description;
    std::string_view schema;
  };
  [[nodiscard]] std::optional<Definition> definition_of(const Tool& tool);

 private:
  void find_ids();
  void tell_tools();
  [[nodiscard]] bool is_reasoning_kept(const Message& message, const Part& part, Said& said);
  [[nodiscard]] bool say_part(const Message& message, Part& part, Said& said);
  void tell_hosted_calls(const Said& said);
  /// Whether the bytes of something that was said are those the target gave.
  [[nodiscard]] bool has_bytes(const Part& part, const Said& said) const;
  void put_text_in_place(Part& part, std::string_view text);
  void take_document(Part& part);

  canonical::Request request_;
  const Target& target_;
  Report report_;
  std::unordered_map<std::string_view, std::string_view> ids_;  // of calls that are sent by another
  std::unordered_map<std::string_view, std::string_view> names_;
  std::unordered_set<std::string> taken_names_;
  std::vector<Sources> sources_;
  std::vector<std::string> buffers_;  // of pieces that were kept
  std::string prefix_hash_;
  std::string_view prefix_broken_at_;
};

/// Leaves the parts that `keep` says true of, each perhaps changed by it.
template <class Keep>
void keep_if(std::vector<Part>& parts, Keep keep) {
  auto end = parts.begin();
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (!keep(*part)) continue;
    if (end != part) *end = std::move(*part);
    ++end;
  }
  parts.erase(end, parts.end());
}

/// Each of them writes the body of a request.
[[nodiscard]] std::string write_anthropic(Lowering& lowering);
[[nodiscard]] std::string write_chat(Lowering& lowering);
[[nodiscard]] std::string write_responses(Lowering& lowering);
[[nodiscard]] std::string write_gemini(Lowering& lowering);

/// `[read_file] {"path":"a"}`
[[nodiscard]] std::string told_call(const Part& call);

/// An object without one of its members, or with another value of it.
[[nodiscard]] std::string without_member(std::string_view object, std::string_view name);
[[nodiscard]] std::string with_member(std::string_view object, std::string_view name,
                                      std::string_view value);

/// In the place of an entry: it is the system prompt.
inline constexpr std::string_view system_source = "system";

inline constexpr std::string_view said_to_continue = "Continue.";
inline constexpr std::string_view said_to_begin = "(conversation resumed)";

}  // namespace logwood::providers
