// Anthropic Messages: `system`, `tools`, and messages whose content is text or blocks.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "providers/reading.hpp"
#include "providers/stop_reason.hpp"

namespace logwood::providers {
namespace {

Source read_source(const Reading& reading, std::string_view source) {
  const auto [type, media_type, data, url, file_id] =
      json_members(source, {"type", "media_type", "data", "url", "file_id"});
  if (type == "\"base64\"") {
    return {Source::Kind::base64, reading.normal(media_type), reading.normal(data), {}};
  }
  if (type == "\"url\"") return {Source::Kind::url, {}, reading.normal(url), {}};
  if (type == "\"file\"") return {Source::Kind::file, {}, reading.normal(file_id), "anthropic"};
  if (type == "\"text\"") {
    return {Source::Kind::text, reading.normal(media_type), escaped_text(data), {}};
  }
  return {Source::Kind::other, {}, {}, {}};
}

void add_citations(std::string_view citations, Part& part) {
  for_each_json_element(citations, [&](std::string_view citation) {
    const auto [type, title, document_title, url, source, cited] =
        json_members(citation, {"type", "title", "document_title", "url", "source", "cited_text"});
    part.citations.push_back(
        {escaped_text(type), escaped_text(title.starts_with('"') ? title : document_title),
         escaped_text(url.starts_with('"') ? url : source), escaped_text(cited)});
  });
}

EscapedText text_of_blocks(const Reading& reading, std::string_view blocks) {
  std::string all;
  for_each_json_element(blocks, [&](std::string_view block) {
    if (!all.empty()) all += '\n';
    all += unescaped(escaped_text(json_member(block, "text")));
  });
  return reading.escaped(all);
}

// What a tool of the provider's own gave back, as far as it can be read.
void read_server_result(const Reading& reading, std::string_view content, Part& part) {
  if (content.starts_with('[')) {
    for_each_json_element(content, [&](std::string_view found) {
      const auto [title, url, text] = json_members(found, {"title", "url", "text"});
      if (text.starts_with('"')) {
        part.content.push_back(made_text(reading, unescaped(escaped_text(text))));
        return;
      }
      std::string said = unescaped(escaped_text(title));
      const std::string address = unescaped(escaped_text(url));
      if (!address.empty()) said += fmt::format("{}<{}>", said.empty() ? "" : " ", address);
      part.content.push_back(made_text(reading, said));
    });
    return;
  }
  const auto [out, err, error_code, url] =
      json_members(content, {"stdout", "stderr", "error_code", "url"});
  part.has_failed = error_code.starts_with('"') && error_code.size() > 2;
  if (!out.empty() || !err.empty()) {
    std::string said = unescaped(escaped_text(out));
    const std::string errors = unescaped(escaped_text(err));
    if (!said.empty() && !errors.empty()) said += '\n';
    part.content.push_back(made_text(reading, said + errors));
  } else if (part.has_failed) {
    part.content.push_back(made_text(reading, "error: " + unescaped(escaped_text(error_code))));
  } else if (!url.empty()) {
    part.content.push_back(made_text(reading, "<" + unescaped(escaped_text(url)) + ">"));
  }
}

// What a block may say, of whatever type it is.
constexpr std::string_view block_names[] = {"type",        "text",    "citations", "cache_control",
                                            "source",      "title",   "context",   "thinking",
                                            "signature",   "id",      "name",      "input",
                                            "tool_use_id", "content", "is_error"};
using BlockMembers = JsonValues<std::size(block_names)>;

void read_block(const Reading& reading, std::string_view block, const BlockMembers& members,
                Part& part) {
  const auto& [type_token, text, citations, cache, source, title, context, thinking, signature, id,
               name, input, result_id, content, failed] = members;
  const std::string_view type = escaped_text(type_token).inside;
  part.native = {Api::anthropic_messages, block, {}, false};
  if (cache != "null") part.cache = cache;
  if (type == "text") {
    part.text = escaped_text(text);
    add_citations(citations, part);
  } else if (type == "image" || type == "document") {
    part.kind = type == "image" ? PartKind::image : PartKind::document;
    part.source = read_source(reading, source);
    part.title = escaped_text(title);
    part.context = escaped_text(context);
    part.wants_citations = json_member(citations, "enabled") == "true";
  } else if (type == "search_result") {
    part.kind = PartKind::document;
    part.source = {Source::Kind::text, {}, text_of_blocks(reading, content), {}};
    part.title = escaped_text(title);
  } else if (type == "thinking" || type == "redacted_thinking") {
    part.kind = PartKind::reasoning;
    part.scope = Scope::model;
    part.text = escaped_text(thinking);
    part.is_redacted = type == "redacted_thinking";
    // The signature comes last: without it the stream broke off, and nobody takes the block.
    part.is_incomplete = !part.is_redacted && escaped_text(signature).empty();
  } else if (type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use") {
    part.kind = PartKind::tool_call;
    part.call_id = reading.plain(id);
    part.name = reading.plain(name);
    part.arguments = input.starts_with('{') ? input : "{}";
    // A text is what had come of an object when the stream broke off.
    part.are_arguments_invalid = input.starts_with('"');
    part.arguments_text = escaped_text(input);
    part.is_providers = type != "tool_use";
  } else if (type == "compaction") {
    part.kind = PartKind::compaction;
    part.text = escaped_text(content);
  } else if (type == "tool_addition" || type == "tool_removal") {
    part.kind = PartKind::tool_change;
  } else if (type.ends_with("_tool_result")) {
    part.kind = PartKind::tool_result;
    part.is_providers = true;
    part.call_id = reading.plain(result_id);
    read_server_result(reading, content, part);
  } else if (!reading.read_attachment(block, part)) {
    part.kind = PartKind::opaque;
  }
}

void read_result(const Reading& reading, std::string_view block, const BlockMembers& members,
                 Part& part) {
  const auto& [type, text, citations, cache, source, title, context, thinking, signature, id, name,
               input, result_id, content, failed] = members;
  part.kind = PartKind::tool_result;
  part.native = {Api::anthropic_messages, block, {}, false};
  part.call_id = reading.plain(result_id);
  part.name = reading.name_of_call(part.call_id);
  part.has_failed = failed == "true";
  if (content.starts_with('"')) {
    part.content.emplace_back().text = escaped_text(content);
  }
  for_each_json_object(content, block_names,
                       [&](std::string_view inner, const BlockMembers& inner_members) {
                         read_block(reading, inner, inner_members, part.content.emplace_back());
                       });
}

void add_blocks(Reading& reading, std::string_view content, Message& message) {
  message.spelling = content.starts_with('"') ? Spelling::string : Spelling::array;
  if (content.starts_with('"')) {
    reading.add_part(message).text = escaped_text(content);
  }
  for_each_json_object(content, block_names, [&](std::string_view block, const BlockMembers& all) {
    Part& part = reading.add_part(message);
    read_block(reading, block, all, part);
    if (part.kind == PartKind::tool_call) reading.remember_call(part.call_id, part.name);
  });
}

// Results become messages of their own; what else the user said follows them.
void read_user_message(Reading& reading, std::string_view content) {
  if (!content.starts_with('['))
    return add_blocks(reading, content, reading.add_message(Role::user));
  bool has_results = false;
  std::vector<Part> others;
  for_each_json_object(content, block_names, [&](std::string_view block, const BlockMembers& all) {
    const std::string_view type = all.front();
    if (type != "\"tool_result\"") return read_block(reading, block, all, others.emplace_back());
    has_results = true;
    read_result(reading, block, all, reading.add_part(reading.add_message(Role::tool)));
  });
  if (others.empty()) return;
  Message& message = reading.add_message(Role::user);
  message.spelling = Spelling::array;
  if (has_results) message.joined = Api::anthropic_messages;
  for (Part& part : others) reading.add_part(message, std::move(part));
}

void read_system(Reading& reading, std::string_view system) {
  if (system.starts_with('"')) {
    reading.request().system.emplace_back().text = escaped_text(system);
  }
  for_each_json_object(system, block_names, [&](std::string_view block, const BlockMembers& all) {
    read_block(reading, block, all, reading.request().system.emplace_back());
  });
}

constexpr std::string_view message_names[] = {"role", "content", "stop_reason"};
using MessageMembers = JsonValues<std::size(message_names)>;

void read_message(Reading& reading, const MessageMembers& members) {
  const auto& [role, content, stop] = members;
  if (role == "\"user\"") return read_user_message(reading, content);
  if (role == "\"system\"" && reading.is_at_start()) return read_system(reading, content);
  Message& added = reading.add_message(role == "\"system\"" ? Role::system : Role::assistant);
  added.stop = stop_reason(Api::anthropic_messages, escaped_text(stop).inside);
  add_blocks(reading, content, added);
}

}  // namespace

void read_anthropic_message(Reading& reading, std::string_view message) {
  read_message(reading, json_members(message, message_names));
}

JsonCheck read_anthropic_body(Reading& reading, std::string_view body) {
  JsonValues<3> members;
  const JsonCheck check = check_json(body, {"system", "tools", "messages"}, members);
  if (!check) return check;
  const auto& [system, tools, messages] = members;
  read_system(reading, system);
  read_tools(reading, Api::anthropic_messages, tools);
  for_each_json_object(
      messages, message_names,
      [&](std::string_view, const MessageMembers& message) { read_message(reading, message); });
  return check;
}

}  // namespace logwood::providers
