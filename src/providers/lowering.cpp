#include "providers/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_text.hpp"
#include "providers/repair.hpp"
#include "providers/rewriting.hpp"

namespace logwood::providers {

using canonical::Request;

namespace {

bool is_client_call(const Part& part) {
  return part.kind == PartKind::tool_call && !part.is_providers;
}

// What the provider called it.
std::string_view own_id(const Part& call_or_result) {
  return call_or_result.provider_id.empty() ? call_or_result.call_id : call_or_result.provider_id;
}

// `[web_search] {"query":"…"}`, and below it what was found.
std::string told_as_text(const Part& call, const Part* result, EscapedText found) {
  std::string told = told_call(call);
  if (result != nullptr && !found.empty()) told += "\n" + unescaped(found);
  return told;
}

}  // namespace

Sources Lowering::sources_of(const Message& message) const {
  Sources sources;
  if (message.is_made || !target_.is_kept) return sources;
  for (const Part& part : message.parts) add_to(sources, {part.entry});
  return sources;
}

void add_to(Sources& sources, const Sources& more) {
  for (const std::string_view entry : more) {
    if (std::ranges::find(sources, entry) == sources.end()) sources.push_back(entry);
  }
}

Lowering::Lowering(Request request, const Target& target)
    : request_(std::move(request)), target_(target) {
  repair(request_, report_, target_.is_kept);
  bool has_new_prefix = false;  // and so has everything after it
  for (Message& message : request_.messages) {
    has_new_prefix = has_new_prefix || message.has_new_prefix;
    message.has_new_prefix = has_new_prefix;
  }
  if (!target_.can.tools) tell_tools();
  find_ids();
  for (const Tool& tool : request_.tools) {
    if (!tool.name.empty()) (void)name_of_tool(tool.name, "tools");
  }
}

bool Lowering::is_same_api(const Message& message) const {
  return message.origin && message.origin->api == target_.api &&
         message.origin->provider == target_.provider;
}

bool Lowering::is_same_model(const Message& message) const {
  if (!is_same_api(message) || message.origin->model != target_.model) return false;
  const std::string_view account = message.origin->account;
  return account.empty() || target_.account.empty() || account == target_.account;
}

std::string_view Lowering::native(const Part& part) const {
  return part.native.api == target_.api ? part.native.json : std::string_view();
}

void Lowering::find_ids() {
  struct Holder {
    std::string_view call;
    const Message* in;
  };
  std::unordered_map<std::string_view, Holder> taken;
  taken.reserve(request_.messages.size() / 4);
  // What the target made itself is sent as it made it, so those ids come first. Chat takes an id
  // again in a later turn; the others do not.
  for (const Message& message : request_.messages) {
    if (!is_same_model(message)) continue;
    for (const Part& part : message.parts) {
      if (!is_client_call(part) || native(part).empty()) continue;
      const std::string_view own = own_id(part);
      if (own != part.call_id && target_.api != Api::openai_chat) continue;
      if (refuses_id(target_.api, own)) continue;
      const auto [held, is_new] = taken.try_emplace(own, Holder{part.call_id, &message});
      if (!is_new && held->second.in == &message) continue;
      held->second.in = &message;
      if (own != part.call_id) ids_.emplace(part.call_id, own);
    }
  }
  for (const Message& message : request_.messages) {
    for (const Part& part : message.parts) {
      if (!is_client_call(part) || ids_.contains(part.call_id)) continue;
      const auto held = taken.find(part.call_id);
      if (held != taken.end() && held->second.call == part.call_id) continue;
      const std::string fitting = fitting_id(
          target_.api, part.call_id, [&](std::string_view id) { return taken.contains(id); });
      if (fitting == part.call_id) {
        taken.emplace(part.call_id, Holder{part.call_id, &message});
        continue;
      }
      const std::string_view id = request_.keep(fitting);
      warn(Code::tool_id_rewritten, part, part.call_id, id);
      taken.emplace(id, Holder{part.call_id, &message});
      ids_.emplace(part.call_id, id);
    }
  }
}

std::string_view Lowering::id_of(const Part& call_or_result) const {
  const auto found = ids_.find(call_or_result.call_id);
  return found == ids_.end() ? call_or_result.call_id : found->second;
}

bool Lowering::keeps_id(const Part& call_or_result) const {
  return id_of(call_or_result) == own_id(call_or_result);
}

std::string_view Lowering::name_of_tool(std::string_view name, std::string_view at) {
  const auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  std::string fitted = fitting_name(target_.api, name);
  if (taken_names_.contains(fitted)) {  // two names that differ only in what is not taken
    fitted = fitting_name(target_.api, fmt::format("{}{:>128}", name, name));
  }
  taken_names_.insert(fitted);
  if (fitted != name) warn(Code::tool_name_rewritten, at, {}, name, fitted);
  const std::string_view kept = request_.keep(fitted);
  names_.emplace(name, kept);
  return kept;
}

void Lowering::warn(Code code, std::string_view at, std::optional<std::size_t> part,
                    std::string_view first, std::string_view second) {
  report_.warnings.push_back(
      {code, std::string(at), part, {std::string(first), std::string(second)}});
}

void Lowering::warn(Code code, const Part& part, std::string_view first, std::string_view second) {
  warn(code, part.entry, part.place, first, second);
}

EscapedText Lowering::text_of(const std::vector<Part>& parts) {
  const Part* only = nullptr;
  std::size_t count = 0;
  for (const Part& part : parts) {
    if (part.kind != PartKind::text) continue;
    only = &part;
    ++count;
  }
  if (count == 0) return {};
  if (count == 1) return only->text;
  std::string joined;
  bool is_first = true;
  for (const Part& part : parts) {
    if (part.kind != PartKind::text) continue;
    if (!is_first) joined += "\\n";
    is_first = false;
    joined += part.text.inside;
  }
  return {request_.keep(joined)};
}

EscapedText Lowering::marked_as_system(const Message& message) {
  return {request_.keep("[System instruction]\\n" + std::string(text_of(message.parts).inside))};
}

bool Lowering::is_reasoning_kept(const Message& message, const Part& part, Said& said) {
  if (said.by_same_model) {
    if (target_.api == Api::anthropic_messages && message.has_new_prefix) {
      warn(Code::reasoning_prefix_changed_dropped, part);
      return false;
    }
    if (part.is_on_server) {
      warn(Code::reasoning_server_state_dropped, part,
           unescaped(escaped_text(json_member(part.native.json, "id"))));
      said.are_ids_void = true;
      return false;
    }
    if (!native(part).empty()) return true;
  } else if (said.by_same_api && target_.can.reasoning && part.scope == Scope::api &&
             !native(part).empty() && !part.native.field.empty()) {
    return true;
  }
  const std::string from =
      message.origin ? fmt::format("{}/{}", message.origin->provider, message.origin->model)
                     : "an unknown model";
  warn(part.is_redacted ? Code::reasoning_redacted_dropped : Code::reasoning_dropped, part, from);
  return false;
}

// Of tools that another provider ran: what is to be said in the place of each call, together with
// its result, which is not said by itself.
void Lowering::tell_hosted_calls(const Said& said) {
  for (Part& part : said.parts) {
    if (part.kind != PartKind::tool_call || !part.is_providers || has_bytes(part, said)) continue;
    const auto result = std::ranges::find_if(said.parts, [&](const Part& other) {
      return other.kind == PartKind::tool_result && other.call_id == part.call_id;
    });
    const Part* const found = result == said.parts.end() ? nullptr : &*result;
    part.text = request_.keep_escaped(
        told_as_text(part, found, found == nullptr ? EscapedText() : text_of(found->content)));
  }
}

Lowering::Said Lowering::say(Message& message) {
  Said said{message.parts, is_same_model(message), is_same_api(message)};
  tell_hosted_calls(said);
  keep_if(message.parts, [&](Part& part) { return say_part(message, part, said); });
  return said;
}

bool Lowering::has_bytes(const Part& part, const Said& said) const {
  return said.by_same_api && (!native(part).empty() || part.native.in_previous);
}

bool Lowering::say_part(const Message& message, Part& part, Said& said) {
  const bool keeps_bytes = has_bytes(part, said);
  const auto become_text = [&] {
    part.kind = PartKind::text;
    part.native = {};
  };
  switch (part.kind) {
    case PartKind::reasoning:
      return is_reasoning_kept(message, part, said);
    case PartKind::compaction:
    case PartKind::tool_change:
    case PartKind::opaque:
      if (keeps_bytes) return true;
      if (!part.text.empty()) {
        warn(Code::compaction_to_text, part);
        become_text();
        return true;
      }
      if (part.kind == PartKind::compaction) {
        warn(Code::compaction_opaque_dropped, part);
      } else {
        warn(Code::opaque_part_dropped, part,
             unescaped(escaped_text(json_member(part.native.json, "type"))));
      }
      return false;
    case PartKind::tool_result:  // of a tool that the provider ran: told with its call
      return keeps_bytes;
    case PartKind::tool_call:
      if (!part.is_providers) break;
      if (keeps_bytes) return true;
      warn(Code::server_tool_flattened, part, part.name);
      become_text();
      return true;
    default:
      break;
  }
  if (part.is_signed && !said.by_same_model)
    warn(Code::signature_dropped, part, name_of(part.kind));
  if (!keeps_bytes) {
    part.native = {};
    if (!part.citations.empty()) {
      warn(Code::citations_dropped, part, std::to_string(part.citations.size()));
    }
    if (!part.phase.empty()) warn(Code::phase_dropped, part);
    if (!part.cache.empty()) warn(Code::cache_hint_dropped, part);
  }
  const bool is_empty = part.kind == PartKind::text && part.text.empty() &&
                        !(said.by_same_model && part.is_signed) && !part.native.in_previous;
  if (is_empty) warn(Code::empty_text_dropped, part);
  return !is_empty;
}

void Lowering::warn_about_call(const Part& call, Code invalid) {
  if (call.are_arguments_invalid) warn(invalid, call, call.call_id);
  if (call.is_custom) warn(Code::custom_tool_as_function, call, call.name);
}

EscapedText Lowering::arguments_of(const Part& call) {
  return call.arguments_text.empty() ? request_.keep_escaped(without_spaces(call.arguments))
                                     : call.arguments_text;
}

std::optional<Lowering::Definition> Lowering::definition_of(const Tool& tool) {
  constexpr std::string_view takes_nothing = R"({"type":"object","properties":{}})";
  constexpr std::string_view takes_input =
      R"({"type":"object","properties":{"input":{"type":"string"}},"required":["input"]})";
  const bool is_native = tool.native.api == target_.api && !tool.native.json.empty();
  if (tool.kind != Tool::Kind::function && is_native)
    return Definition{tool.native.json, {}, {}, {}};
  if (tool.kind == Tool::Kind::providers) {
    std::string_view type = json_member(tool.native.json, "type");
    std::string name = unescaped(escaped_text(type));
    if (type.empty()) {
      for_each_json_member(tool.native.json, [&](const JsonMember& member) {
        if (name.empty()) name = member.key;
      });
    }
    warn(Code::server_tool_def_dropped, "tools", {}, name);
    return std::nullopt;
  }
  if (tool.kind == Tool::Kind::custom) warn(Code::custom_tool_as_function, "tools", {}, tool.name);
  std::string_view schema = tool.kind == Tool::Kind::custom ? takes_input : tool.schema;
  if (!schema.starts_with('{')) schema = takes_nothing;
  return Definition{{}, name_of_tool(tool.name, "tools"), tool.description, schema};
}

std::string without_member(std::string_view object, std::string_view name) {
  JsonWriter json;
  json.begin_object();
  for_each_json_member(object, [&](const JsonMember& member) {
    if (!member.is(name)) json.key(member.key).json(member.value);
  });
  return json.end_object().take();
}

std::string with_member(std::string_view object, std::string_view name, std::string_view value) {
  JsonWriter json;
  json.begin_object();
  for_each_json_member(object, [&](const JsonMember& member) {
    if (!member.is(name)) json.key(member.key).json(member.value);
  });
  return json.key(name).json(value).end_object().take();
}

}  // namespace logwood::providers
