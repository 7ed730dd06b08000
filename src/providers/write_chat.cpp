// A request for OpenAI Chat Completions, or for somebody who speaks a dialect of it. The results of
// a step follow its message one by one, in text; what else they showed follows them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "providers/lowering.hpp"

namespace logwood::providers {
namespace {

class Writer {
 public:
  explicit Writer(Lowering& lowering) : to_(lowering), request_(lowering.request()) {}

  std::string write() {
    json_.reserve(request_.size_hint);
    json_.begin_object().key("model").text(to_.target().model).key("messages").begin_array();
    put_system_prompt();
    bool has_messages = false;
    for (std::size_t i = 0; i < request_.messages.size(); ++i) {
      Message& message = request_.messages[i];
      sources_ = to_.sources_of(message);
      const bool is_last_result =
          i + 1 == request_.messages.size() || request_.messages[i + 1].role != Role::tool;
      switch (message.role) {
        case Role::system:
          has_messages |= put_system(message);
          break;
        case Role::tool:
          put_result(message.parts.front());
          if (is_last_result) put_hoisted();
          break;
        case Role::user:
          has_messages |= put_user(message);
          break;
        case Role::assistant:
          has_messages |= put_assistant(message);
          break;
      }
    }
    sources_ = {};
    if (!has_messages && !to_.target().is_kept) {
      to_.warn(Code::first_user_synthesized, "messages");
      put_plain("user", {said_to_begin});
    }
    json_.end_array();
    put_tools();
    return json_.end_object().take();
  }

 private:
  void put_plain(std::string_view role, EscapedText text) {
    begin_message().key("role").text(role).key("content").text(text).end_object();
  }

  JsonWriter& begin_message() {
    to_.sources().push_back(sources_);
    return json_.begin_object();
  }

  bool knows_developers() const { return to_.target().dialect == Dialect::none; }

  void put_system_prompt() {
    for (const Part& part : request_.system) {
      if (!part.cache.empty()) to_.warn(Code::cache_hint_dropped, "system");
      if (part.kind != PartKind::text) {
        to_.warn(Code::opaque_part_dropped, "system", {}, name_of(part.kind));
        continue;
      }
      if (part.is_developers && !knows_developers()) {
        to_.warn(Code::developer_role_downgraded, "system");
      }
      put_plain(part.is_developers && knows_developers() ? "developer" : "system", part.text);
    }
  }

  bool put_system(const Message& message) {
    const bool is_developers = message.is_developers && knows_developers();
    if (message.is_developers && !is_developers) {
      to_.warn(Code::developer_role_downgraded, message.id);
    }
    if (!to_.has_text(message)) return false;
    const bool is_native = message.spelling == Spelling::array &&
                           std::ranges::all_of(message.parts, [&](const Part& part) {
                             return !to_.native(part).empty();
                           });
    if (!is_native) {
      put_plain(is_developers ? "developer" : "system", to_.text_of(message.parts));
      return true;
    }
    begin_message().key("role").text(is_developers ? "developer" : "system");
    json_.key("content").begin_array();
    for (const Part& part : message.parts) json_.json(to_.native(part));
    json_.end_array().end_object();
    return true;
  }

  std::string_view media_part(const Part& part) {
    const Source& source = part.source;
    JsonWriter json = to_.piece();
    json.begin_object().key("type");
    if (part.kind == PartKind::image) {
      json.text("image_url").key("image_url").begin_object();
      json.key("url").text(to_.address_of(source));
      if (!part.detail.empty()) json.key("detail").text(part.detail);
      json.end_object();
    } else if (part.kind == PartKind::audio) {
      const std::string_view type = source.media_type.inside;
      const bool is_mp3 =
          type.find("mp3") != std::string_view::npos || type.find("mpeg") != std::string_view::npos;
      json.text("input_audio").key("input_audio").begin_object();
      json.key("data").text(source.data).key("format").text(is_mp3 ? "mp3" : "wav").end_object();
    } else {
      json.text("file").key("file").begin_object();
      if (source.kind == Source::Kind::file) {
        json.key("file_id").text(source.data);
      } else {
        json.key("filename").text(part.title.empty() ? EscapedText{"document.pdf"} : part.title);
        json.key("file_data").text(to_.address_of(source));
      }
      json.end_object();
    }
    json.end_object();
    return to_.keep(json);
  }

  std::string_view part_of(const Part& part) {
    const std::string_view native = to_.native(part);
    if (!native.empty() && part.native.field.empty()) return native;
    if (part.kind != PartKind::text && part.kind != PartKind::refusal) return media_part(part);
    const bool is_text = part.kind == PartKind::text;
    JsonWriter json = to_.piece();
    json.begin_object().key("type").text(is_text ? "text" : "refusal");
    json.key(is_text ? "text" : "refusal").text(part.text).end_object();
    return to_.keep(json);
  }

  // One text needs no list, unless it was recorded in one.
  void put_content(const std::vector<Part>& parts, bool was_array) {
    if (parts.size() == 1 && parts.front().kind == PartKind::text && !was_array) {
      json_.text(parts.front().text);
      return;
    }
    json_.begin_array();
    for (const Part& part : parts) json_.json(part_of(part));
    json_.end_array();
  }

  bool put_user(Message& message) {
    const std::vector<Part>& parts = to_.take_parts(message);
    if (parts.empty()) {
      to_.warn(Code::empty_message_dropped, message.id);
      return false;
    }
    begin_message().key("role").text("user");
    if (!message.name.empty()) json_.key("name").text(message.name);
    json_.key("content");
    put_content(parts, message.spelling == Spelling::array && !to_.native(parts.front()).empty());
    json_.end_object();
    return true;
  }

  void put_result(Part& result) {
    const std::string_view native = to_.native(result);
    if (!native.empty() && to_.keeps_id(result)) {
      to_.sources().push_back(sources_);
      json_.json(native);
      return;
    }
    if (result.has_failed) to_.warn(Code::tool_error_flag_lost, result, result.call_id);
    const std::vector<Part>& content = to_.take_content(result);
    EscapedText text = to_.text_of(content);
    std::size_t hoisted = 0;
    for (const Part& part : content) {
      if (part.kind == PartKind::text) continue;
      ++hoisted;
      hoisted_.push_back(media_part(part));
      add_to(hoisted_sources_, sources_);
    }
    if (hoisted > 0) {
      to_.warn(Code::tool_result_media_hoisted, result, result.call_id, std::to_string(hoisted));
      if (text.empty()) text = {"(see attached media)"};
    }
    if (text.empty()) {
      to_.warn(Code::empty_result_placeholder, result);
      text = {"(no output)"};
    }
    begin_message().key("role").text("tool").key("tool_call_id").text(to_.id_of(result));
    json_.key("content").text(text).end_object();
  }

  void put_hoisted() {
    if (hoisted_.empty()) return;
    sources_ = std::exchange(hoisted_sources_, {});
    begin_message().key("role").text("user").key("content").begin_array();
    json_.json(R"({"type":"text","text":"Attachments from the tool results above:"})");
    for (const std::string_view part : hoisted_) json_.json(part);
    json_.end_array().end_object();
    hoisted_.clear();
  }

  std::string_view call_of(const Part& part, std::string_view at) {
    const std::string_view native = to_.native(part);
    if (!native.empty() && to_.keeps_id(part)) return native;
    to_.warn_about_call(part, Code::tool_args_not_json);
    JsonWriter json = to_.piece();
    json.begin_object().key("id").text(to_.id_of(part)).key("type").text("function");
    json.key("function").begin_object().key("name").text(to_.name_of_tool(part.name, at));
    json.key("arguments").text(to_.arguments_of(part));
    json.end_object().end_object();
    return to_.keep(json);
  }

  bool put_assistant(Message& message) {
    const Lowering::Said said = to_.say(message);
    std::vector<Part>& texts = said.parts;  // what is left when the others are taken out
    std::vector<std::string_view> calls;
    std::vector<Part> fields;  // of the message, beside its content
    bool is_out_of_order = false;
    bool has_thought = false;
    keep_if(texts, [&](Part& part) {
      if (part.kind == PartKind::tool_call && !part.is_providers) {
        calls.push_back(call_of(part, message.id));
        return false;
      }
      if (!part.native.field.empty()) {
        has_thought = has_thought || part.native.field == "reasoning_content";
        fields.push_back(std::move(part));
        return false;
      }
      is_out_of_order = is_out_of_order || !calls.empty();
      if (part.kind != PartKind::text && part.kind != PartKind::refusal &&
          to_.native(part).empty()) {
        part.text = to_.told_omitted(part);
        part.kind = PartKind::text;
      }
      return true;
    });
    if (is_out_of_order) to_.warn(Code::part_order_changed, message.id);
    // A refusal alone is content: a message with neither content nor calls is refused itself.
    if (texts.empty() && calls.empty()) {
      for (Part& part : fields) {
        if (part.kind == PartKind::refusal) texts.push_back(part);
      }
      if (!texts.empty()) {
        std::erase_if(fields, [](const Part& part) { return part.kind == PartKind::refusal; });
      }
    }
    if (texts.empty() && calls.empty()) {
      for (const Part& part : fields) to_.warn(Code::reasoning_dropped, part, to_.target().model);
      to_.warn(Code::empty_message_dropped, message.id);
      return false;
    }
    begin_message().key("role").text("assistant");
    if (!message.name.empty()) json_.key("name").text(message.name);
    for (const Part& part : fields) json_.key(part.native.field).json(part.native.json);
    const bool is_api = said.by_same_api;
    if (!texts.empty()) {
      json_.key("content");
      if (to_.target().dialect == Dialect::none) {
        put_content(texts, message.spelling == Spelling::array && is_api);
      } else {
        json_.text(joined(texts));
      }
    } else if (message.spelling != Spelling::absent || !is_api) {
      json_.key("content").json("null");
    }
    if (to_.target().dialect == Dialect::deepseek && !calls.empty() && !has_thought) {
      to_.warn(Code::reasoning_placeholder_added, message.id);
      json_.key("reasoning_content").text("");
    }
    if (!calls.empty()) {
      json_.key("tool_calls").begin_array();
      for (const std::string_view call : calls) json_.json(call);
      json_.end_array();
    }
    json_.end_object();
    return true;
  }

  EscapedText joined(const std::vector<Part>& texts) {
    std::string all;
    for (const Part& part : texts) {
      if (!all.empty()) all += "\\n";
      all += part.text.inside;
    }
    return {request_.keep(all)};
  }

  void put_tools() {
    bool is_open = false;
    for (const Tool& tool : request_.tools) {
      const auto definition = to_.definition_of(tool);
      if (!definition) continue;
      if (!is_open) json_.key("tools").begin_array();
      is_open = true;
      if (!definition->native.empty()) {
        json_.json(definition->native);
        continue;
      }
      json_.begin_object().key("type").text("function").key("function").begin_object();
      json_.key("name").text(definition->name);
      if (!definition->description.empty()) json_.key("description").text(definition->description);
      json_.key("parameters").json(definition->schema).end_object().end_object();
    }
    if (!is_open) return;
    json_.end_array();
    if (to_.target().can.quiet_tools) json_.key("reasoning_effort").text("none");
  }

  Lowering& to_;
  canonical::Request& request_;
  JsonWriter json_;
  Sources sources_ = {system_source};  // of what is being put
  Sources hoisted_sources_;
  std::vector<std::string_view> hoisted_;  // follow the results of this step
};

}  // namespace

std::string write_chat(Lowering& lowering) { return Writer(lowering).write(); }

}  // namespace logwood::providers
