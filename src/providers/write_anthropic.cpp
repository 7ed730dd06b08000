// A request for Anthropic Messages. All results of one step stand in one message of the user, first
// in it; system messages stand between what the user and what the model says.
#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "providers/cache_hints.hpp"
#include "providers/lowering.hpp"

namespace logwood::providers {
namespace {

constexpr std::uint64_t output_default = 4096;

struct Block {
  std::string_view json;  // empty: the text, as a block
  EscapedText text = {};
  bool is_text = false;
  bool is_call = false;
};

struct Out {
  std::string_view role;
  std::vector<Block> blocks;
  bool is_string = false;
  bool takes_results = false;  // of the step that it answers
  bool has_results = false;
  bool lost_thinking = false;    // of another model, or not sent
  std::string_view id = {};      // of the message, if the model may have signed what is before it
  std::string_view prefix = {};  // the hash that was recorded of that
  Sources sources = {};          // the entries it comes from
  std::vector<Block> hoisted = {};  // follows the results
};

class Writer {
 public:
  explicit Writer(Lowering& lowering) : to_(lowering), request_(lowering.request()) {}

  std::string write() {
    limit_cache_hints(to_);
    messages_.reserve(request_.messages.size());
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
    close_results();
    flush_system();
    put_ends();
    return body();
  }

 private:
  static Block text_block(EscapedText text) { return {{}, text, true}; }

  static void put(JsonWriter& json, const Block& block) {
    if (!block.json.empty()) {
      json.json(block.json);
      return;
    }
    json.begin_object().key("type").text("text").key("text").text(block.text).end_object();
  }

  Block media_block(const Part& part) {
    JsonWriter json = to_.piece();
    json.begin_object();
    json.key("type").text(part.kind == PartKind::image ? "image" : "document");
    json.key("source").begin_object().key("type");
    const Source& source = part.source;
    switch (source.kind) {
      case Source::Kind::url:
        json.text("url").key("url").text(source.data);
        break;
      case Source::Kind::file:
        json.text("file").key("file_id").text(source.data);
        break;
      case Source::Kind::text:
        json.text("text").key("media_type").text("text/plain").key("data").text(source.data);
        break;
      default:
        json.text("base64").key("media_type").text(source.media_type);
        json.key("data").text(source.data);
    }
    json.end_object();
    if (part.kind == PartKind::document) {
      if (!part.title.empty()) json.key("title").text(part.title);
      if (!part.context.empty()) json.key("context").text(part.context);
      if (part.wants_citations) json.key("citations").json(R"({"enabled":true})");
    }
    json.end_object();
    return {to_.keep(json)};
  }

  // Of text, refusals and media that the target takes.
  Block block_of(const Part& part) {
    const std::string_view native = to_.native(part);
    if (!native.empty()) return {native, part.text, part.kind == PartKind::text};
    if (part.kind == PartKind::refusal) to_.warn(Code::refusal_to_text, part);
    if (part.kind == PartKind::text || part.kind == PartKind::refusal) return text_block(part.text);
    return media_block(part);
  }

  // One text with nothing else about it can be spelled as a string.
  static bool is_plain(const std::vector<Block>& blocks) {
    if (blocks.size() != 1 || !blocks.front().is_text) return false;
    std::size_t members = 0;
    for_each_json_member(blocks.front().json, [&](const JsonMember&) { ++members; });
    return members == 0 || members == 2;
  }

  void put_user(Message& message) {
    if (!message.name.empty()) to_.warn(Code::name_field_dropped, message.id);
    std::vector<Block> blocks;
    for (const Part& part : to_.take_parts(message)) blocks.push_back(block_of(part));
    if (blocks.empty()) return to_.warn(Code::empty_message_dropped, message.id);
    put_user_blocks(std::move(blocks), message.spelling, message.id,
                    message.joined == Api::anthropic_messages);
  }

  void put_user_blocks(std::vector<Block> blocks, Spelling spelling, std::string_view id,
                       bool was_joined) {
    if (has_open_results()) {
      if (!was_joined) to_.warn(Code::messages_merged, id);
      close_results();
      add_to(messages_.back().sources, sources_);
      auto& into = messages_.back().blocks;
      into.insert(into.end(), blocks.begin(), blocks.end());
      return;
    }
    const bool is_string = spelling != Spelling::array && is_plain(blocks);
    add({"user", std::move(blocks), is_string});
  }

  // Only texts may stand in the result of a call that failed.
  void put_result(Part& result) {
    if (!has_open_results()) add({"user", {}, false, true, true});
    Out& group = messages_.back();
    add_to(group.sources, sources_);
    const std::string_view native = to_.native(result);
    if (!native.empty() && to_.keeps_id(result) && is_sound(result)) {
      group.blocks.push_back({native});
      return;
    }
    std::vector<Part>& content = to_.take_content(result);
    const auto is_text = [](const Part& part) { return part.kind == PartKind::text; };
    if (result.has_failed && !std::ranges::all_of(content, is_text)) {
      to_.warn(Code::tool_error_media_hoisted, result, result.call_id);
      const std::string marker =
          "Attachments of the failed tool call " + std::string(to_.id_of(result)) + ":";
      group.hoisted.push_back(text_block(request_.keep_escaped(marker)));
      for (const Part& part : content) {
        if (!is_text(part)) group.hoisted.push_back(block_of(part));
      }
      std::erase_if(content, [&](const Part& part) { return !is_text(part); });
    }
    std::erase_if(content, [&](const Part& part) { return is_text(part) && part.text.empty(); });
    JsonWriter json = to_.piece();
    json.begin_object().key("type").text("tool_result").key("tool_use_id").text(to_.id_of(result));
    json.key("content");
    if (content.empty()) {
      to_.warn(Code::empty_result_placeholder, result);
      json.text("(no output)");
    } else if (content.size() == 1 && is_text(content.front())) {
      json.text(content.front().text);
    } else {
      json.begin_array();
      for (const Part& part : content) put(json, block_of(part));
      json.end_array();
    }
    if (result.has_failed) json.key("is_error").boolean(true);
    json.end_object();
    group.blocks.push_back({to_.keep(json)});
  }

  // Whether the bytes of a result are taken: clients have stored what is not.
  static bool is_sound(const Part& result) {
    return std::ranges::all_of(result.content, [&](const Part& part) {
      if (part.kind == PartKind::text) return !part.text.empty() || part.native.json.empty();
      return !result.has_failed;
    });
  }

  bool has_open_results() const { return !messages_.empty() && messages_.back().takes_results; }

  void close_results() {
    if (!has_open_results()) return;
    Out& group = messages_.back();
    group.blocks.insert(group.blocks.end(), group.hoisted.begin(), group.hoisted.end());
    group.hoisted.clear();
    group.takes_results = false;
  }

  void put_system(const Message& message) {
    if (!to_.target().can.mid_system) {
      close_results();
      to_.warn(Code::system_mid_as_user, message.id);
      return put_user_blocks({text_block(to_.marked_as_system(message))}, Spelling::array,
                             message.id, true);
    }
    held_.push_back(&message);
  }

  // Before the model speaks, or at the end.
  void flush_system() {
    std::vector<const Message*> held = std::move(held_);
    held_.clear();
    const Sources speaking = sources_;
    const bool has_place = !messages_.empty() && messages_.back().role == "user";
    for (const Message* const message : held) {
      sources_ = to_.sources_of(*message);
      if (message->is_developers) to_.warn(Code::developer_role_downgraded, message->id);
      std::vector<Block> blocks;
      for (const Part& part : message->parts) {
        Part taken = part;
        if (!to_.take(taken) || (taken.kind == PartKind::text && taken.text.empty())) continue;
        blocks.push_back(block_of(taken));
      }
      if (blocks.empty()) {
        to_.warn(Code::empty_message_dropped, message->id);
      } else if (!has_place) {
        to_.warn(Code::system_mid_as_user, message->id);
        add({"user", {text_block(to_.marked_as_system(*message))}, false});
      } else {
        if (!is_in_place(*message)) to_.warn(Code::system_mid_relocated, message->id);
        const EscapedText text = to_.text_of(message->parts);
        if (message->spelling != Spelling::array) blocks = {text_block(text)};
        add({"system", blocks, message->spelling != Spelling::array});
      }
    }
    sources_ = speaking;
  }

  // After somebody else than the model, and before it or at the end.
  bool is_in_place(const Message& message) const {
    const auto* const begin = request_.messages.data();
    const auto* const end = begin + request_.messages.size();
    const bool is_first = &message == begin;
    const auto* const next = std::find_if(
        &message + 1, end, [](const Message& other) { return other.role != Role::system; });
    return !is_first && (&message - 1)->role != Role::assistant &&
           (next == end || next->role == Role::assistant);
  }

  Block call_block(const Part& part, std::string_view at) {
    const std::string_view native = to_.native(part);
    const bool is_sound = part.is_providers || (to_.keeps_id(part) && !part.are_arguments_invalid);
    if (!native.empty() && is_sound) {
      return {native, {}, false, !part.is_providers};
    }
    to_.warn_about_call(part, Code::tool_args_invalid_replaced);
    JsonWriter json = to_.piece();
    json.begin_object().key("type").text("tool_use").key("id").text(to_.id_of(part));
    json.key("name").text(to_.name_of_tool(part.name, at));
    json.key("input").json(part.arguments).end_object();
    return {to_.keep(json), {}, false, true};
  }

  void put_assistant(Message& message) {
    std::vector<Block> blocks;
    const bool has_thought =
        std::ranges::find(message.parts, PartKind::reasoning, &Part::kind) != message.parts.end();
    const Lowering::Said said = to_.say(message);
    blocks.reserve(said.parts.size());
    for (const Part& part : said.parts) {
      if (part.kind == PartKind::tool_call) {
        blocks.push_back(call_block(part, message.id));
      } else if (to_.native(part).empty() && is_media(part)) {
        blocks.push_back(text_block(to_.told_omitted(part)));
      } else {
        blocks.push_back(block_of(part));
      }
    }
    if (!said.by_same_api) put_calls_last(blocks, message.id);
    if (blocks.empty()) return to_.warn(Code::empty_message_dropped, message.id);
    close_results();
    flush_system();
    const bool is_string = message.spelling == Spelling::string && is_plain(blocks);
    Out out{"assistant", std::move(blocks), is_string};
    out.lost_thinking =
        (has_thought || !said.by_same_model) && said.parts.front().kind != PartKind::reasoning;
    if (said.by_same_model) {
      out.id = message.id;
      out.prefix = message.origin->prefix_hash;
    }
    add(std::move(out));
  }

  static bool is_media(const Part& part) {
    return part.kind == PartKind::image || part.kind == PartKind::audio ||
           part.kind == PartKind::video || part.kind == PartKind::document;
  }

  void put_calls_last(std::vector<Block>& blocks, std::string_view id) {
    const auto is_call = [](const Block& block) { return block.is_call; };
    if (std::ranges::is_partitioned(blocks, std::not_fn(is_call))) return;
    to_.warn(Code::part_order_changed, id);
    std::vector<Block> ordered;
    std::ranges::copy_if(blocks, std::back_inserter(ordered), std::not_fn(is_call));
    std::ranges::copy_if(blocks, std::back_inserter(ordered), is_call);
    blocks = std::move(ordered);
  }

  void add(Out out) {
    out.sources = sources_;
    messages_.push_back(std::move(out));
  }

  // The user speaks first, and last.
  void put_ends() {
    sources_ = {};
    if (to_.target().is_kept) return;
    if (messages_.empty()) {
      to_.warn(Code::first_user_synthesized, "messages");
      add({"user", {text_block({said_to_begin})}, true});
      return;
    }
    const auto last = std::find_if(messages_.rbegin(), messages_.rend(),
                                   [](const Out& out) { return out.role != "system"; });
    hint_at_thinking();
    const bool is_paused = !request_.messages.empty() && request_.messages.back().stop == "pause";
    if (last != messages_.rend() && last->role == "assistant" && !to_.target().can.prefill &&
        !is_paused) {
      to_.warn(Code::continue_added, request_.messages.back().id);
      add({"user", {text_block({said_to_continue})}, true});
    }
    const auto first = std::ranges::find(request_.messages, Role::assistant, &Message::role);
    if (messages_.front().role == "assistant" && first != request_.messages.end() &&
        !to_.is_same_api(*first)) {
      to_.warn(Code::first_user_synthesized, request_.messages.front().id);
      messages_.insert(messages_.begin(), Out{"user", {text_block({said_to_begin})}, true});
    }
  }

  // With a budget for thinking, calls that are being answered must come with theirs.
  void hint_at_thinking() {
    if (!to_.target().can.reasoning || !messages_.back().has_results) return;
    const auto asked = std::find_if(messages_.rbegin(), messages_.rend(),
                                    [](const Out& out) { return out.role == "assistant"; });
    if (asked != messages_.rend() && asked->lost_thinking)
      to_.warn(Code::thinking_must_be_off, request_.messages.back().id);
  }

  std::string body() {
    const Target& target = to_.target();
    const std::string system = system_prompt();
    const std::string offered = tools();
    const std::string head = system + (system.empty() || offered.empty() ? "" : ",") + offered;
    JsonWriter json;
    json.reserve(request_.size_hint);
    json.begin_object().key("model").text(target.model);
    json.key("max_tokens").number(target.can.output == 0 ? output_default : target.can.output);
    json.members(head).key("messages").begin_array();
    const std::size_t begin = json.size();
    std::vector<std::size_t> ends;
    for (const Out& message : messages_) {
      json.begin_object().key("role").text(message.role).key("content");
      put_content(json, message);
      ends.push_back(json.end_object().size());
      to_.sources().push_back(message.sources);
    }
    std::string body = json.end_array().end_object().take();
    note_prefix(head, body, begin, ends);
    return body;
  }

  // What the model signs, link by link; hints about caching are not part of it. The messages begin
  // at `begin` in the body, and end at `ends`.
  void note_prefix(const std::string& head, std::string_view body, std::size_t begin,
                   const std::vector<std::size_t>& ends) {
    Sha256 hash = hash_without_cache_hints({}, head);
    std::string_view broken;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Out& message = messages_[i];
      if (broken.empty() && !message.prefix.empty() && message.prefix != to_hex(hash)) {
        broken = message.id;
      }
      hash = hash_without_cache_hints(as_bytes(hash), body.substr(begin, ends[i] - begin));
      begin = ends[i] + 1;  // a comma
    }
    to_.note_prefix(to_hex(hash), broken);
  }

  static void put_content(JsonWriter& json, const Out& message) {
    if (message.is_string) {
      json.text(message.blocks.front().text);
      return;
    }
    json.begin_array();
    for (const Block& block : message.blocks) put(json, block);
    json.end_array();
  }

  // `"system":…`, or nothing.
  std::string system_prompt() {
    Out prompt{"system", {}};
    bool has_developers = false;
    for (const Part& part : request_.system) {
      has_developers = has_developers || part.is_developers;
      if (part.kind != PartKind::text) {
        to_.warn(Code::opaque_part_dropped, "system", {}, name_of(part.kind));
      } else if (!part.text.empty()) {
        prompt.blocks.push_back(block_of(part));
      }
    }
    if (has_developers) to_.warn(Code::developer_role_downgraded, "system");
    if (prompt.blocks.empty()) return {};
    prompt.is_string = is_plain(prompt.blocks);
    JsonWriter json;
    put_content(json, prompt);
    return "\"system\":" + json.take();
  }

  std::string tools() {
    JsonWriter json;
    bool is_open = false;
    for (const Tool& tool : request_.tools) {
      const auto definition = to_.definition_of(tool);
      if (!definition) continue;
      if (!is_open) json.begin_array();
      is_open = true;
      if (!definition->native.empty()) {
        json.json(definition->native);
        continue;
      }
      json.begin_object().key("name").text(definition->name);
      if (!definition->description.empty()) json.key("description").text(definition->description);
      json.key("input_schema").json(definition->schema).end_object();
    }
    if (!is_open) return {};
    return "\"tools\":" + json.end_array().take();
  }

  Lowering& to_;
  canonical::Request& request_;
  std::vector<Out> messages_;
  Sources sources_;                   // of what is being put
  std::vector<const Message*> held_;  // system messages that wait for their place
};

}  // namespace

std::string write_anthropic(Lowering& lowering) { return Writer(lowering).write(); }

}  // namespace logwood::providers
