// A request for Gemini generateContent. The user and the model take turns; the responses to the
// calls of one step make one content, with nothing else in it.
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "providers/lowering.hpp"

namespace logwood::providers {
namespace {

// What Google documents for a call that another model made.
constexpr std::string_view unsigned_call = "\"skip_thought_signature_validator\"";

class Writer {
 public:
  explicit Writer(Lowering& lowering) : to_(lowering), request_(lowering.request()) {}

  std::string write() {
    for (std::size_t i = 0; i < request_.messages.size(); ++i) {
      Message& message = request_.messages[i];
      sources_ = to_.sources_of(message);
      switch (message.role) {
        case Role::system:
          put_system(message);
          break;
        case Role::tool:
          put_result(message.parts.front(), i > 0 && request_.messages[i - 1].role == Role::tool);
          break;
        case Role::user:
          put_user(message);
          break;
        case Role::assistant:
          put_assistant(message);
          break;
      }
    }
    put_ends();
    return body();
  }

 private:
  struct Content {
    bool is_users = true;
    bool has_responses = false;
    std::vector<std::string_view> parts;
    Sources sources = {};
  };

  bool was_users() const { return !contents_.empty() && contents_.back().is_users; }
  bool had_responses() const { return was_users() && contents_.back().has_responses; }

  void put(bool is_users, std::vector<std::string_view> parts, bool joins) {
    if (joins && !contents_.empty() && contents_.back().is_users == is_users) {
      auto& into = contents_.back().parts;
      into.insert(into.end(), parts.begin(), parts.end());
      add_to(contents_.back().sources, sources_);
    } else {
      contents_.push_back({is_users, false, std::move(parts), sources_});
    }
  }

  std::string_view text_part(EscapedText text) {
    JsonWriter json = to_.piece();
    json.begin_object().key("text").text(text).end_object();
    return to_.keep(json);
  }

  std::string_view media_part(const Part& part) {
    const Source& source = part.source;
    JsonWriter json = to_.piece();
    json.begin_object();
    if (source.kind == Source::Kind::base64) {
      json.key("inlineData").begin_object().key("mimeType").text(source.media_type);
      json.key("data").text(source.data).end_object();
    } else {
      json.key("fileData").begin_object().key("fileUri").text(source.data);
      EscapedText type = source.media_type;
      if (source.kind == Source::Kind::url) {
        to_.warn(Code::url_as_file_data, part, unescaped(source.data));
        if (type.empty()) type = {part.kind == PartKind::image ? "image/jpeg" : "application/pdf"};
      }
      if (!type.empty()) json.key("mimeType").text(type);
      json.end_object();
    }
    json.end_object();
    return to_.keep(json);
  }

  std::string_view part_of(const Part& part) {
    const std::string_view native = to_.native(part);
    if (!native.empty()) return native;
    if (part.kind == PartKind::refusal) to_.warn(Code::refusal_to_text, part);
    if (part.kind == PartKind::text || part.kind == PartKind::refusal) return text_part(part.text);
    return media_part(part);
  }

  void put_system(const Message& message) {
    if (!to_.has_text(message)) return;
    to_.warn(Code::system_mid_as_user, message.id);
    const std::string_view part = text_part(to_.marked_as_system(message));
    const bool joins = was_users() && !had_responses();
    if (joins) to_.warn(Code::messages_merged, message.id);
    put(true, {part}, joins);
  }

  void put_user(Message& message) {
    if (!message.name.empty()) to_.warn(Code::name_field_dropped, message.id);
    std::vector<std::string_view> parts;
    for (const Part& part : to_.take_parts(message)) parts.push_back(part_of(part));
    if (parts.empty()) return to_.warn(Code::empty_message_dropped, message.id);
    const bool was_joined = message.joined == Api::gemini;
    const bool joins = was_users() && (!had_responses() || was_joined);
    if (joins && !was_joined) to_.warn(Code::messages_merged, message.id);
    put(true, std::move(parts), joins);
  }

  void put_result(Part& result, bool follows_result) {
    const std::string_view native = to_.native(result);
    const bool is_native = !native.empty() && own_calls_.contains(result.call_id);
    const std::string_view part = is_native ? native : response_of(result);
    put(true, {part}, follows_result && had_responses());
    contents_.back().has_responses = true;
  }

  std::string_view response_of(Part& result) {
    const std::vector<Part>& content = to_.take_content(result);
    EscapedText text = to_.text_of(content);
    bool has_media = false;
    for (const Part& part : content) has_media = has_media || part.kind != PartKind::text;
    if (text.empty() && result.has_failed) text = {"(no output)"};
    if (text.empty() && has_media) text = {"(see attached media)"};
    const std::string_view name = result.name.empty() ? "unknown_function" : result.name;
    JsonWriter json = to_.piece();
    json.begin_object().key("functionResponse").begin_object();
    json.key("id").text(to_.id_of(result));
    json.key("name").text(to_.name_of_tool(name, result.entry));
    json.key("response").begin_object();
    json.key(result.has_failed ? "error" : "output").text(text).end_object();
    if (has_media) {
      json.key("parts").begin_array();
      for (const Part& part : content) {
        if (part.kind != PartKind::text) json.json(media_part(part));
      }
      json.end_array();
    }
    json.end_object().end_object();
    return to_.keep(json);
  }

  void put_assistant(Message& message) {
    const Lowering::Said said = to_.say(message);
    const bool is_same = said.by_same_model;
    bool has_signature = false;
    for (const Part& part : said.parts) {
      has_signature = has_signature || (is_same && part.is_signed && !to_.native(part).empty());
    }
    // A step of calls begins with a signature.
    bool needs_signature = to_.target().can.signed_calls && !has_signature;
    std::vector<std::string_view> parts;
    for (const Part& part : said.parts) {
      if (part.kind == PartKind::tool_call && !part.is_providers) {
        parts.push_back(call_of(part, message.id, is_same, needs_signature));
        needs_signature = false;
      } else if (!to_.native(part).empty() && part.is_signed && !is_same) {
        parts.push_back(request_.keep(without_member(part.native.json, "thoughtSignature")));
      } else {
        parts.push_back(part_of(part));
      }
    }
    if (parts.empty()) return to_.warn(Code::empty_message_dropped, message.id);
    const bool joins = !contents_.empty() && !contents_.back().is_users;
    if (joins) to_.warn(Code::messages_merged, message.id);
    put(false, std::move(parts), joins);
  }

  std::string_view call_of(const Part& part, std::string_view at, bool is_same,
                           bool needs_signature) {
    if (needs_signature) to_.warn(Code::gemini_signature_sentinel, part, part.call_id);
    const std::string_view native = to_.native(part);
    if (!native.empty() && is_same) {
      own_calls_.insert(part.call_id);
      return needs_signature ? request_.keep(with_member(native, "thoughtSignature", unsigned_call))
                             : native;
    }
    to_.warn_about_call(part, Code::tool_args_invalid_replaced);
    JsonWriter json = to_.piece();
    json.begin_object().key("functionCall").begin_object().key("id").text(to_.id_of(part));
    json.key("name").text(to_.name_of_tool(part.name, at));
    json.key("args").json(part.arguments).end_object();
    if (needs_signature) json.key("thoughtSignature").json(unsigned_call);
    json.end_object();
    return to_.keep(json);
  }

  void put_ends() {
    sources_ = {};
    if (to_.target().is_kept) return;
    if (contents_.empty() || !contents_.front().is_users) {
      to_.warn(Code::first_user_synthesized,
               request_.messages.empty() ? "messages" : request_.messages.front().id);
      contents_.insert(contents_.begin(), Content{true, false, {text_part({said_to_begin})}});
    }
    if (!contents_.back().is_users) {
      to_.warn(Code::continue_added, request_.messages.back().id);
      put(true, {text_part({said_to_continue})}, false);
    }
  }

  std::string body() {
    JsonWriter json;
    json.reserve(request_.size_hint);
    json.begin_object();
    put_system_prompt(json);
    json.key("contents").begin_array();
    for (const Content& content : contents_) {
      to_.sources().push_back(content.sources);
      json.begin_object().key("role").text(content.is_users ? "user" : "model");
      json.key("parts").begin_array();
      for (const std::string_view part : content.parts) json.json(part);
      json.end_array().end_object();
    }
    json.end_array();
    put_tools(json);
    return json.end_object().take();
  }

  void put_system_prompt(JsonWriter& json) {
    bool has_developers = false;
    bool is_open = false;
    for (const Part& part : request_.system) {
      if (!part.cache.empty()) to_.warn(Code::cache_hint_dropped, "system");
      has_developers = has_developers || part.is_developers;
      if (part.kind != PartKind::text) {
        to_.warn(Code::opaque_part_dropped, "system", {}, name_of(part.kind));
        continue;
      }
      if (!is_open) json.key("systemInstruction").begin_object().key("parts").begin_array();
      is_open = true;
      json.json(text_part(part.text));
    }
    if (is_open) json.end_array().end_object();
    if (has_developers) to_.warn(Code::developer_role_downgraded, "system");
  }

  void put_tools(JsonWriter& json) {
    std::vector<std::string_view> functions;
    std::vector<std::string_view> others;
    for (const Tool& tool : request_.tools) {
      const auto definition = to_.definition_of(tool);
      if (!definition) continue;
      if (!definition->native.empty()) {
        others.push_back(definition->native);
        continue;
      }
      JsonWriter function = to_.piece();
      function.begin_object().key("name").text(definition->name);
      if (!definition->description.empty()) {
        function.key("description").text(definition->description);
      }
      function.key("parametersJsonSchema").json(definition->schema).end_object();
      functions.push_back(to_.keep(function));
    }
    if (functions.empty() && others.empty()) return;
    json.key("tools").begin_array();
    if (!functions.empty()) {
      json.begin_object().key("functionDeclarations").begin_array();
      for (const std::string_view function : functions) json.json(function);
      json.end_array().end_object();
    }
    for (const std::string_view other : others) json.json(other);
    json.end_array();
  }

  Lowering& to_;
  canonical::Request& request_;
  std::vector<Content> contents_;
  Sources sources_;                                 // of what is being put
  std::unordered_set<std::string_view> own_calls_;  // sent as the target made them
};

}  // namespace

std::string write_gemini(Lowering& lowering) { return Writer(lowering).write(); }

}  // namespace logwood::providers
