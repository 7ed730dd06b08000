// A request for OpenAI Responses, without state on the server: a flat list of items. An item keeps
// its id only beside the reasoning that the id is bound to.
#include <algorithm>
#include <string>
#include <unordered_set>
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
    std::string instructions = read_system_prompt();
    for (Message& message : request_.messages) {
      sources_ = to_.sources_of(message);
      switch (message.role) {
        case Role::system:
          put_system(message);
          break;
        case Role::tool:
          put_result(message.parts.front());
          break;
        case Role::user:
          put_user(message);
          break;
        case Role::assistant:
          put_assistant(message);
          break;
      }
    }
    sources_ = {};
    drop_lonely_reasoning();
    if (items_.empty() && !to_.target().is_kept) {
      to_.warn(Code::first_user_synthesized, "messages");
      put_plain("user", {said_to_begin});
    }
    return body(instructions);
  }

 private:
  struct Item {
    std::string_view json;
    enum class Kind : std::uint8_t { other, reasoning, said } kind = Kind::other;
    std::string_view entry = {};  // reasoning: whose it is
    std::size_t place = 0;
    std::string_view model = {};
    Sources sources = {};
  };

  void add(Item item) {
    item.sources = sources_;
    items_.push_back(std::move(item));
  }

  void put_plain(std::string_view role, EscapedText text, Item::Kind kind = Item::Kind::other) {
    JsonWriter json = to_.piece();
    json.begin_object().key("role").text(role).key("content").text(text).end_object();
    add({to_.keep(json), kind});
  }

  // Returns what goes to `instructions`, escaped; developers' prompts become items.
  std::string read_system_prompt() {
    std::string instructions;
    for (const Part& part : request_.system) {
      if (!part.cache.empty()) to_.warn(Code::cache_hint_dropped, "system");
      if (part.kind != PartKind::text) {
        to_.warn(Code::opaque_part_dropped, "system", {}, name_of(part.kind));
      } else if (part.was_item || part.is_developers) {
        put_plain(part.is_developers ? "developer" : "system", part.text);
      } else {
        if (!instructions.empty()) instructions += "\\n\\n";
        instructions += part.text.inside;
      }
    }
    return instructions;
  }

  void put_system(const Message& message) {
    if (!to_.has_text(message)) return;
    put_plain(message.is_developers ? "developer" : "system", to_.text_of(message.parts));
  }

  std::string_view media_part(const Part& part) {
    const Source& source = part.source;
    JsonWriter json = to_.piece();
    json.begin_object().key("type");
    if (part.kind == PartKind::image) {
      json.text("input_image");
      json.key("detail").text(part.detail.empty() ? EscapedText{"auto"} : part.detail);
      if (source.kind == Source::Kind::file) {
        json.key("file_id").text(source.data);
      } else {
        json.key("image_url").text(to_.address_of(source));
      }
    } else {
      json.text("input_file");
      if (source.kind == Source::Kind::file) {
        json.key("file_id").text(source.data);
      } else if (source.kind == Source::Kind::url) {
        json.key("file_url").text(source.data);
      } else {
        json.key("filename").text(part.title.empty() ? EscapedText{"document.pdf"} : part.title);
        json.key("file_data").text(to_.address_of(source));
      }
    }
    json.end_object();
    return to_.keep(json);
  }

  std::string_view input_part(const Part& part) {
    const std::string_view native = to_.native(part);
    if (!native.empty()) return native;
    if (part.kind != PartKind::text) return media_part(part);
    JsonWriter json = to_.piece();
    json.begin_object().key("type").text("input_text").key("text").text(part.text).end_object();
    return to_.keep(json);
  }

  void put_user(Message& message) {
    if (!message.name.empty()) to_.warn(Code::name_field_dropped, message.id);
    const std::vector<Part>& parts = to_.take_parts(message);
    const bool is_native =
        std::ranges::any_of(parts, [&](const Part& part) { return !to_.native(part).empty(); });
    if (parts.empty()) return to_.warn(Code::empty_message_dropped, message.id);
    JsonWriter json = to_.piece();
    json.begin_object();
    if (message.is_typed) json.key("type").text("message");
    json.key("role").text("user").key("content");
    const bool is_text = parts.size() == 1 && parts.front().kind == PartKind::text;
    if (is_text && !(is_native && message.spelling == Spelling::array)) {
      json.text(parts.front().text);
    } else {
      json.begin_array();
      for (const Part& part : parts) json.json(input_part(part));
      json.end_array();
    }
    json.end_object();
    add({to_.keep(json)});
  }

  void put_result(Part& result) {
    const std::string_view native = to_.native(result);
    if (!native.empty() && to_.keeps_id(result)) {
      add({native});
      return;
    }
    if (result.has_failed) to_.warn(Code::tool_error_flag_lost, result, result.call_id);
    const std::vector<Part>& content = to_.take_content(result);
    const bool is_custom =
        result.is_custom && (!native.empty() || custom_calls_.contains(result.call_id));
    JsonWriter json = to_.piece();
    json.begin_object();
    json.key("type").text(is_custom ? "custom_tool_call_output" : "function_call_output");
    json.key("call_id").text(to_.id_of(result)).key("output");
    if (std::ranges::all_of(content,
                            [](const Part& part) { return part.kind == PartKind::text; })) {
      EscapedText text = to_.text_of(content);
      if (text.empty()) {
        to_.warn(Code::empty_result_placeholder, result);
        text = {"(no output)"};
      }
      json.text(text);
    } else {
      json.begin_array();
      for (const Part& part : content) {
        if (part.kind != PartKind::text || !part.text.empty()) json.json(input_part(part));
      }
      json.end_array();
    }
    json.end_object();
    add({to_.keep(json)});
  }

  void put_assistant(Message& message) {
    const Lowering::Said said = to_.say(message);
    const bool keeps_ids = said.by_same_model && !said.are_ids_void;
    bool has_said = false;
    for (const Part& part : said.parts) {
      if (part.native.in_previous && said.by_same_api) continue;
      if (to_.target().is_kept) sources_ = {part.entry};
      has_said |= put_said(part, message, keeps_ids);
    }
    if (!has_said) to_.warn(Code::empty_message_dropped, message.id);
  }

  bool put_said(const Part& part, const Message& message, bool keeps_ids) {
    if (!to_.native(part).empty()) return put_native(part, message, keeps_ids);
    switch (part.kind) {
      case PartKind::tool_call:
        put_call(part, message.id);
        break;
      case PartKind::refusal:
        to_.warn(Code::refusal_to_text, part);
        put_plain("assistant", part.text, Item::Kind::said);
        break;
      case PartKind::text:
        put_plain("assistant", part.text, Item::Kind::said);
        break;
      default:
        put_plain("assistant", to_.told_omitted(part), Item::Kind::said);
    }
    return true;
  }

  void put_call(const Part& part, std::string_view at) {
    to_.warn_about_call(part, Code::tool_args_not_json);
    JsonWriter json = to_.piece();
    json.begin_object().key("type").text("function_call").key("call_id").text(to_.id_of(part));
    json.key("name")
        .text(to_.name_of_tool(part.name, at))
        .key("arguments")
        .text(to_.arguments_of(part));
    json.end_object();
    add({to_.keep(json), Item::Kind::said});
  }

  bool put_native(const Part& part, const Message& message, bool keeps_ids) {
    std::string_view item = part.native.json;
    const std::string_view id_token = json_member(item, "id");
    const std::string id = unescaped(escaped_text(id_token));
    const bool is_text = part.kind == PartKind::text || part.kind == PartKind::refusal;
    if (!keeps_ids && !id_token.empty()) {
      to_.warn(Code::item_id_dropped, part, id);
      if (is_text) {
        put_texts_without_id(part, message);
        return true;
      }
      item = request_.keep(without_member(item, "id"));
    } else if (!id.empty() && !seen_.insert(id).second) {
      to_.warn(Code::duplicate_item_dropped, part, id);
      return false;
    }
    if (part.kind == PartKind::tool_call && !part.is_providers) {
      if (part.is_custom) custom_calls_.insert(part.call_id);
      const std::string call_id = json_quoted(to_.id_of(part));
      if (json_member(item, "call_id") != call_id) {
        item = request_.keep(with_member(item, "call_id", call_id));
      }
    }
    const bool is_reasoning = part.kind == PartKind::reasoning;
    const Item::Kind kind = is_reasoning                                  ? Item::Kind::reasoning
                            : is_text || part.kind == PartKind::tool_call ? Item::Kind::said
                                                                          : Item::Kind::other;
    add({item, kind, part.entry, part.place,
         is_reasoning && message.origin ? message.origin->model : std::string_view()});
    return true;
  }

  // An output message without its id is no output message: its texts are said anew.
  void put_texts_without_id(const Part& first, const Message& message) {
    const std::string_view phase = json_member(first.native.json, "phase");
    const auto put = [&](const Part& part) {
      JsonWriter json = to_.piece();
      json.begin_object().key("role").text("assistant").key("content").text(part.text);
      if (!phase.empty()) json.key("phase").json(phase);
      json.end_object();
      add({to_.keep(json), Item::Kind::said});
    };
    put(first);
    // Those that stood in the same item.
    bool is_after = false;
    for (const Part& part : message.parts) {
      if (is_after && !part.native.in_previous) break;
      if (is_after) put(part);
      is_after = is_after || part.native.json.data() == first.native.json.data();
    }
  }

  // Reasoning leads to something: an item that is refused without the one that followed it.
  void drop_lonely_reasoning() {
    for (std::size_t i = items_.size(); i-- > 0;) {
      if (items_[i].kind != Item::Kind::reasoning) continue;
      if (i + 1 < items_.size() && items_[i + 1].kind != Item::Kind::other) continue;
      to_.warn(Code::reasoning_dropped, items_[i].entry, items_[i].place,
               to_.target().provider + "/" + std::string(items_[i].model));
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  std::string body(const std::string& instructions) {
    JsonWriter json;
    json.reserve(request_.size_hint);
    json.begin_object().key("model").text(to_.target().model);
    if (!instructions.empty()) json.key("instructions").text(EscapedText{instructions});
    json.key("input").begin_array();
    for (const Item& item : items_) {
      to_.sources().push_back(item.sources);
      json.json(item.json);
    }
    json.end_array();
    put_tools(json);
    json.key("store").boolean(false);
    if (to_.target().can.reasoning) {
      json.key("include").json(R"(["reasoning.encrypted_content"])");
    }
    return json.end_object().take();
  }

  void put_tools(JsonWriter& json) {
    bool is_open = false;
    for (const Tool& tool : request_.tools) {
      const auto definition = to_.definition_of(tool);
      if (!definition) continue;
      if (!is_open) json.key("tools").begin_array();
      is_open = true;
      if (!definition->native.empty()) {
        json.json(definition->native);
        continue;
      }
      json.begin_object().key("type").text("function").key("name").text(definition->name);
      if (!definition->description.empty()) json.key("description").text(definition->description);
      json.key("parameters").json(definition->schema).key("strict").boolean(false).end_object();
    }
    if (is_open) json.end_array();
  }

  Lowering& to_;
  canonical::Request& request_;
  std::vector<Item> items_;
  Sources sources_ = {system_source};     // of what is being put
  std::unordered_set<std::string> seen_;  // ids of items
  std::unordered_set<std::string_view> custom_calls_;
};

}  // namespace

std::string write_responses(Lowering& lowering) { return Writer(lowering).write(); }

}  // namespace logwood::providers
