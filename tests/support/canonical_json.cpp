#include "support/canonical_json.hpp"

#include <array>
#include <utility>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "providers/api.hpp"

namespace logwood {
namespace {

using canonical::Message;
using canonical::Native;
using canonical::Part;
using canonical::PartKind;
using canonical::Request;
using canonical::Role;
using canonical::Scope;
using canonical::Source;
using canonical::Spelling;
using canonical::Status;
using canonical::Tool;

constexpr std::array<std::string_view, 4> role_names = {"user", "assistant", "tool", "system"};
constexpr std::array<std::string_view, 4> status_names = {"complete", "partial", "aborted",
                                                          "error"};
constexpr std::array<std::string_view, 5> spellings = {"", "string", "array", "null", "absent"};

template <std::size_t count>
std::size_t place_in(const std::array<std::string_view, count>& names, std::string_view token) {
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i] == escaped_text(token).inside) return i;
  }
  return 0;
}

void put_if(JsonWriter& json, std::string_view key, EscapedText text) {
  if (!text.empty()) json.key(key).text(text);
}
void put_if(JsonWriter& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.key(key).text(text);
}
void put_if(JsonWriter& json, std::string_view key, bool value) {
  if (value) json.key(key).boolean(true);
}

void put_native(JsonWriter& json, const Native& native) {
  if (native.json.empty() && !native.in_previous) return;
  json.key("native").begin_object().key("api").text(providers::name_of(native.api));
  put_if(json, "field", native.field);
  if (!native.json.empty()) json.key("json").json(native.json);
  put_if(json, "merged_into_previous", native.in_previous);
  json.end_object();
}

void put_source(JsonWriter& json, const Source& source) {
  json.key("source").begin_object().key("kind");
  switch (source.kind) {
    case Source::Kind::base64:
      json.text("base64").key("data").text(source.data);
      break;
    case Source::Kind::url:
      json.text("url").key("url").text(source.data);
      break;
    case Source::Kind::file:
      json.text("file").key("provider").text(source.provider).key("file_id").text(source.data);
      break;
    case Source::Kind::text:
      json.text("text").key("text").text(source.data);
      break;
    default:
      json.text("opaque");
  }
  put_if(json, "media_type", source.media_type);
  json.end_object();
}

void put_citation(JsonWriter& json, std::string_view key, EscapedText text) {
  json.key(key);
  if (text.empty()) {
    json.json("null");
  } else {
    json.text(text);
  }
}

void put_part(JsonWriter& json, const Part& part);

void put_parts(JsonWriter& json, std::string_view key, const std::vector<Part>& parts) {
  json.key(key).begin_array();
  for (const Part& part : parts) put_part(json, part);
  json.end_array();
}

void put_part(JsonWriter& json, const Part& part) {
  json.begin_object().key("type").text(name_of(part.kind));
  const bool has_text = part.kind == PartKind::text || part.kind == PartKind::reasoning ||
                        part.kind == PartKind::refusal || part.kind == PartKind::compaction;
  if (has_text) json.key("text").text(part.text);
  if (!part.citations.empty()) {
    json.key("citations").begin_array();
    for (const canonical::Citation& citation : part.citations) {
      json.begin_object();
      put_citation(json, "kind", citation.kind);
      put_citation(json, "title", citation.title);
      put_citation(json, "url", citation.url);
      put_citation(json, "cited_text", citation.cited_text);
      json.end_object();
    }
    json.end_array();
  }
  put_if(json, "phase", part.phase);
  if (!part.cache.empty()) json.key("cache").json(part.cache);
  put_native(json, part.native);
  if (part.kind == PartKind::reasoning || part.is_signed) {
    json.key("scope").text(part.scope == Scope::api ? "api" : "model");
  }
  put_if(json, "signed", part.is_signed);
  put_if(json, "incomplete", part.is_incomplete);
  if (part.is_developers) json.key("authority").text("developer");
  put_if(json, "item", part.was_item);
  if (part.source.kind != Source::Kind::none) put_source(json, part.source);
  put_if(json, "title", part.title);
  put_if(json, "context", part.context);
  put_if(json, "detail", part.detail);
  put_if(json, "citations_enabled", part.wants_citations);
  put_if(json, "redacted", part.is_redacted);
  put_if(json, "server_state", part.is_on_server);
  if (part.kind == PartKind::tool_call || part.kind == PartKind::tool_result) {
    put_if(json, "call_id", part.call_id);
    put_if(json, "provider_id", part.provider_id);
    put_if(json, "name", part.name);
    if (part.is_custom) json.key("kind").text("custom");
    if (part.is_providers) json.key("executed_by").text("provider");
  }
  if (part.kind == PartKind::tool_call) {
    json.key("args").json(part.arguments);
    put_if(json, "args_raw", part.arguments_text);
    put_if(json, "args_invalid", part.are_arguments_invalid);
    put_if(json, "id_synthesized", part.is_id_made);
  }
  if (part.kind == PartKind::tool_result) {
    json.key("is_error").boolean(part.has_failed);
    put_parts(json, "content", part.content);
  }
  json.end_object();
}

void put_message(JsonWriter& json, const Message& message) {
  json.begin_object().key("id").text(message.id);
  json.key("role").text(role_names[static_cast<std::size_t>(message.role)]);
  if (message.is_developers) json.key("authority").text("developer");
  put_if(json, "name", message.name);
  if (message.origin) {
    json.key("origin").begin_object();
    json.key("api").text(providers::name_of(message.origin->api));
    json.key("provider").text(message.origin->provider);
    json.key("model").text(message.origin->model).end_object();
    json.key("status").text(status_names[static_cast<std::size_t>(message.status)]);
  }
  put_parts(json, "parts", message.parts);
  put_if(json, "wire", spellings[static_cast<std::size_t>(message.spelling)]);
  put_if(json, "joined", providers::name_of(message.joined));
  put_if(json, "typed", message.is_typed);
  json.end_object();
}

class Reader {
 public:
  Request read(std::string_view json) {
    const auto [system, tools, messages] = json_members(json, {"system", "tools", "messages"});
    for_each_json_element(system, [&](std::string_view part) {
      request_.system.push_back(read_part(part, "system", 0));
    });
    for_each_json_element(tools, [&](std::string_view tool) { read_tool(tool); });
    for_each_json_element(messages, [&](std::string_view message) { read_message(message); });
    return std::move(request_);
  }

 private:
  std::string_view plain(std::string_view token) {
    return request_.keep(json_text_or_empty(token));
  }

  Native read_native(std::string_view json) {
    const auto [api, bytes, field, merged] =
        json_members(json, {"api", "json", "field", "merged_into_previous"});
    return {providers::api_named(plain(api)), bytes, plain(field), merged == "true"};
  }

  Source read_source(std::string_view json) {
    const auto [kind, data, url, file_id, text, media_type, provider] =
        json_members(json, {"kind", "data", "url", "file_id", "text", "media_type", "provider"});
    Source source;
    source.media_type = escaped_text(media_type);
    source.provider = plain(provider);
    const std::pair<Source::Kind, std::string_view> ways[] = {{Source::Kind::base64, data},
                                                              {Source::Kind::url, url},
                                                              {Source::Kind::file, file_id},
                                                              {Source::Kind::text, text}};
    for (const auto& [way, token] : ways) {
      if (token.empty()) continue;
      source.kind = way;
      source.data = escaped_text(token);
    }
    return source;
  }

  Part read_part(std::string_view json, std::string_view entry, std::size_t place) {
    const auto [type, text, citations, phase, cache, native, scope, is_signed, incomplete] =
        json_members(json, {"type", "text", "citations", "phase", "cache", "native", "scope",
                            "signed", "incomplete"});
    Part part;
    for (std::size_t kind = 0; kind <= static_cast<std::size_t>(PartKind::opaque); ++kind) {
      if (name_of(PartKind(kind)) == escaped_text(type).inside) part.kind = PartKind(kind);
    }
    part.entry = entry;
    part.place = place;
    part.text = escaped_text(text);
    for_each_json_element(citations, [&](std::string_view) { part.citations.emplace_back(); });
    part.phase = escaped_text(phase);
    part.cache = cache;
    if (!native.empty()) part.native = read_native(native);
    if (scope == "\"model\"") part.scope = Scope::model;
    part.is_signed = is_signed == "true";
    part.is_incomplete = incomplete == "true";
    const auto [authority, item, source, title, context, detail, cited, redacted, on_server] =
        json_members(json, {"authority", "item", "source", "title", "context", "detail",
                            "citations_enabled", "redacted", "server_state"});
    part.is_developers = authority == "\"developer\"";
    part.was_item = item == "true";
    if (!source.empty()) part.source = read_source(source);
    part.title = escaped_text(title);
    part.context = escaped_text(context);
    part.detail = escaped_text(detail);
    part.wants_citations = cited == "true";
    part.is_redacted = redacted == "true";
    part.is_on_server = on_server == "true";
    const auto [id, provider_id, name, kind, by, args, raw, invalid, made, failed, content] =
        json_members(json, {"call_id", "provider_id", "name", "kind", "executed_by", "args",
                            "args_raw", "args_invalid", "id_synthesized", "is_error", "content"});
    part.call_id = plain(id);
    part.provider_id = plain(provider_id);
    part.name = plain(name);
    part.is_custom = kind == "\"custom\"";
    part.is_providers = by == "\"provider\"";
    part.arguments = args;
    part.arguments_text = escaped_text(raw);
    part.are_arguments_invalid = invalid == "true";
    part.is_id_made = made == "true";
    part.has_failed = failed == "true";
    for_each_json_element(content, [&](std::string_view inner) {
      part.content.push_back(read_part(inner, entry, place));
    });
    return part;
  }

  void read_tool(std::string_view json) {
    const auto [name, description, schema, kind, native] =
        json_members(json, {"name", "description", "input_schema", "kind", "native"});
    Tool tool;
    tool.kind = kind == "\"custom\""     ? Tool::Kind::custom
                : kind == "\"provider\"" ? Tool::Kind::providers
                                         : Tool::Kind::function;
    tool.name = plain(name);
    tool.description = escaped_text(description);
    tool.schema = schema;
    if (!native.empty()) tool.native = read_native(native);
    request_.tools.push_back(tool);
  }

  void read_message(std::string_view json) {
    const auto [id, role, authority, name, parts, origin, status, stop, wire, joined, typed,
                prefix] =
        json_members(json, {"id", "role", "authority", "name", "parts", "origin", "status", "stop",
                            "wire", "joined", "typed", "prefix_changed"});
    Message& message = request_.messages.emplace_back();
    message.id = plain(id);
    message.role = Role(place_in(role_names, role));
    message.is_developers = authority == "\"developer\"";
    message.name = escaped_text(name);
    for_each_json_element(parts, [&](std::string_view part) {
      message.parts.push_back(read_part(part, message.id, message.parts.size()));
    });
    if (!origin.empty()) {
      const auto [api, provider, model] = json_members(origin, {"api", "provider", "model"});
      message.origin = canonical::Origin{
          providers::api_named(plain(api)), plain(provider), {}, plain(model), {}};
    }
    message.status = Status(place_in(status_names, status));
    message.stop = plain(json_member(stop, "reason"));
    message.spelling = Spelling(place_in(spellings, wire));
    message.joined = providers::api_named(plain(joined));
    message.is_typed = typed == "true";
    message.has_new_prefix = prefix == "true";
  }

  Request request_;
};

}  // namespace

std::string canonical_json(const Request& request) {
  JsonWriter json;
  json.begin_object().key("schema").text("canon/1");
  put_parts(json, "system", request.system);
  json.key("tools").begin_array();
  for (const Tool& tool : request.tools) {
    json.begin_object();
    if (tool.kind == Tool::Kind::custom) json.key("kind").text("custom");
    if (tool.kind == Tool::Kind::providers) json.key("kind").text("provider");
    put_if(json, "name", tool.name);
    put_if(json, "description", tool.description);
    if (!tool.schema.empty()) json.key("input_schema").json(tool.schema);
    put_native(json, tool.native);
    json.end_object();
  }
  json.end_array().key("messages").begin_array();
  for (const Message& message : request.messages) put_message(json, message);
  return json.end_array().end_object().take();
}

Request read_canonical_json(std::string_view json) { return Reader().read(json); }

}  // namespace logwood
