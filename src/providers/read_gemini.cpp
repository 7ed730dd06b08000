// Gemini generateContent: `contents` of the user and the model, whose parts carry one thing each,
// and perhaps a signature.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "providers/reading.hpp"
#include "providers/stop_reason.hpp"

namespace logwood::providers {
namespace {

std::string_view object_or_empty(std::string_view json) {
  return json.starts_with('{') ? json : "{}";
}

void take_inline_data(const Reading& reading, std::string_view inline_data, Part& part) {
  const auto [type, data] = json_members(inline_data, {"mimeType", "data"});
  part.kind = kind_of_media(reading.plain(type));
  part.source = {Source::Kind::base64, reading.normal(type), reading.normal(data), {}};
}

void take_file_data(const Reading& reading, std::string_view file_data, Part& part) {
  const auto [type, uri] = json_members(file_data, {"mimeType", "fileUri"});
  const EscapedText address = reading.normal(uri);
  const bool is_kept_there =
      address.inside.starts_with("gs:") ||
      address.inside.find("generativelanguage.googleapis.com") != std::string_view::npos;
  part.kind = kind_of_media(reading.plain(type));
  part.source = {is_kept_there ? Source::Kind::file : Source::Kind::url, reading.normal(type),
                 address, is_kept_there ? "google" : ""};
}

// The last call before it that Google ran.
std::string_view last_hosted_call(const Message& message) {
  for (auto part = message.parts.rbegin(); part != message.parts.rend(); ++part) {
    if (part->kind == PartKind::tool_call && part->is_providers) return part->call_id;
  }
  return {};
}

Part read_model_part(Reading& reading, std::string_view json, const Message& message,
                     std::size_t place) {
  const auto [text, thought, signature, call, code, code_result, tool_call, tool_response,
              inline_data, file_data] =
      json_members(json,
                   {"text", "thought", "thoughtSignature", "functionCall", "executableCode",
                    "codeExecutionResult", "toolCall", "toolResponse", "inlineData", "fileData"});
  Part part;
  part.native = {Api::gemini, json, {}, false};
  if (signature.starts_with('"')) {
    part.is_signed = true;
    part.scope = Scope::model;
  }
  const auto id_or_made = [&](std::string_view id) {
    part.is_id_made = !id.starts_with('"') || id.size() == 2;
    return part.is_id_made ? reading.request().keep(fmt::format("g_{}_{}", message.id, place))
                           : reading.plain(id);
  };
  if (thought == "true") {
    part.kind = PartKind::reasoning;
    part.scope = Scope::model;
    part.is_signed = false;  // reasoning is dropped whole, or kept whole
    part.text = escaped_text(text);
  } else if (!call.empty()) {
    const auto [id, name, arguments] = json_members(call, {"id", "name", "args"});
    part.kind = PartKind::tool_call;
    part.call_id = id_or_made(id);
    part.name = reading.plain(name);
    part.arguments = object_or_empty(arguments);
    reading.waiting().push_back({part.call_id, part.name});
  } else if (!code.empty()) {
    part.kind = PartKind::tool_call;
    part.is_providers = true;
    part.call_id = id_or_made(json_member(code, "id"));
    part.is_id_made = false;
    part.name = "code_execution";
    const auto [language, text_of_code] = json_members(code, {"language", "code"});
    part.arguments = reading.request().keep(
        fmt::format(R"({{"language":{},"code":{}}})", language.empty() ? "null" : language,
                    text_of_code.empty() ? "null" : text_of_code));
  } else if (!code_result.empty()) {
    const auto [id, outcome, output] = json_members(code_result, {"id", "outcome", "output"});
    part.kind = PartKind::tool_result;
    part.is_providers = true;
    part.call_id = id.starts_with('"') ? reading.plain(id) : last_hosted_call(message);
    part.has_failed = outcome != "\"OUTCOME_OK\"";
    part.content.emplace_back().text = escaped_text(output);
  } else if (!tool_call.empty()) {
    const auto [id, type, arguments] = json_members(tool_call, {"id", "toolType", "args"});
    part.kind = PartKind::tool_call;
    part.is_providers = true;
    part.call_id = reading.plain(id);
    part.name = reading.plain(type);
    part.arguments = object_or_empty(arguments);
  } else if (!tool_response.empty()) {
    const auto [id, response] = json_members(tool_response, {"id", "response"});
    part.kind = PartKind::tool_result;
    part.is_providers = true;
    part.call_id = reading.plain(id);
    part.content.push_back(made_text(reading, without_spaces(object_or_empty(response))));
  } else if (!inline_data.empty()) {
    take_inline_data(reading, inline_data, part);
  } else if (!file_data.empty()) {
    take_file_data(reading, file_data, part);
  } else if (!text.empty() || part.is_signed) {
    part.text = escaped_text(text);
  } else {
    part.kind = PartKind::opaque;
  }
  if (part.kind == PartKind::tool_call) reading.remember_call(part.call_id, part.name);
  return part;
}

Part read_response(Reading& reading, std::string_view json, std::string_view message_id) {
  const auto [id, name, response, parts] =
      json_members(json_member(json, "functionResponse"), {"id", "name", "response", "parts"});
  const std::string_view own_id = reading.plain(id);
  const std::string_view own_name = reading.plain(name);
  Part part;
  part.kind = PartKind::tool_result;
  part.native = {Api::gemini, json, {}, false};
  part.name = own_name;
  auto& waiting = reading.waiting();
  const auto call = std::ranges::find_if(waiting, [&](const Reading::Waiting& one) {
    return own_id.empty() ? one.name == own_name : one.call_id == own_id;
  });
  if (call != waiting.end()) {
    part.call_id = call->call_id;
    waiting.erase(call);
  } else {
    part.call_id =
        own_id.empty() ? reading.request().keep(fmt::format("g_orphan_{}", message_id)) : own_id;
  }
  const auto [error, output] = json_members(response, {"error", "output"});
  part.has_failed = !error.empty();
  const std::string_view said =
      part.has_failed ? error : (output.empty() ? object_or_empty(response) : output);
  if (said.starts_with('"')) {
    part.content.emplace_back().text = escaped_text(said);
  } else {
    part.content.push_back(made_text(reading, without_spaces(said)));
  }
  for_each_json_element(parts, [&](std::string_view inner) {
    const std::string_view inline_data = json_member(inner, "inlineData");
    if (!inline_data.empty()) take_inline_data(reading, inline_data, part.content.emplace_back());
  });
  return part;
}

Part read_user_part(const Reading& reading, std::string_view json) {
  const auto [text, inline_data, file_data] =
      json_members(json, {"text", "inlineData", "fileData"});
  Part part;
  part.native = {Api::gemini, json, {}, false};
  if (!inline_data.empty()) {
    take_inline_data(reading, inline_data, part);
  } else if (!file_data.empty()) {
    take_file_data(reading, file_data, part);
  } else if (!text.empty()) {
    part.text = escaped_text(text);
  } else if (!reading.read_attachment(json, part)) {
    part.kind = PartKind::opaque;
  }
  return part;
}

}  // namespace

void read_gemini_content(Reading& reading, std::string_view content) {
  const auto [role, parts, finish] = json_members(content, {"role", "parts", "finishReason"});
  if (role == "\"model\"") {
    reading.waiting().clear();
    Message& message = reading.add_message(Role::assistant);
    message.stop = stop_reason(Api::gemini, escaped_text(finish).inside);
    std::size_t place = 0;
    for_each_json_element(parts, [&](std::string_view part) {
      reading.add_part(message, read_model_part(reading, part, message, place++));
    });
    settle_stop(message);
    return;
  }
  std::vector<Part> others;
  bool has_results = false;
  for_each_json_element(parts, [&](std::string_view part) {
    if (json_member(part, "functionResponse").empty()) {
      others.push_back(read_user_part(reading, part));
      return;
    }
    has_results = true;
    Message& message = reading.add_message(Role::tool);
    reading.add_part(message, read_response(reading, part, message.id));
  });
  if (others.empty()) return;
  Message& message = reading.add_message(Role::user);
  if (has_results) message.joined = Api::gemini;
  for (Part& part : others) reading.add_part(message, std::move(part));
}

JsonCheck read_gemini_body(Reading& reading, std::string_view body) {
  JsonValues<3> members;
  const JsonCheck check = check_json(body, {"systemInstruction", "tools", "contents"}, members);
  if (!check) return check;
  const auto& [system, tools, contents] = members;
  for_each_json_element(json_member(system, "parts"), [&](std::string_view part) {
    reading.request().system.emplace_back().text = escaped_text(json_member(part, "text"));
  });
  read_tools(reading, Api::gemini, tools);
  for_each_json_element(contents,
                        [&](std::string_view content) { read_gemini_content(reading, content); });
  return check;
}

}  // namespace logwood::providers
