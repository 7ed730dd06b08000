#include "providers/stored.hpp"

#include <utility>

#include "base/json_text.hpp"
#include "providers/api.hpp"
#include "providers/reading.hpp"

namespace logwood::providers {
namespace {

using canonical::Origin;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

// By the types of its blocks, as far as only one API has them.
Api shape_of_content(std::string_view content) {
  Api shape = Api::none;
  for_each_json_element(content, [&](std::string_view block) {
    if (shape != Api::none) return;
    const std::string_view type = escaped_text(json_member(block, "type")).inside;
    if (has_any(type, {"input_text", "output_text", "input_image", "input_file"})) {
      shape = Api::openai_responses;
    } else if (has_any(type, {"image_url", "input_audio", "file"})) {
      shape = Api::openai_chat;
    } else if (type != "text" && type != "refusal") {
      shape = Api::anthropic_messages;
    }
  });
  return shape;
}

// What a provider wraps its answer in, opened.
void read_payload(Reading& reading, std::string_view payload, Api shape) {
  const auto [output, choices, candidates] =
      json_members(payload, {"output", "choices", "candidates"});
  switch (shape) {
    case Api::openai_responses:
      if (output.starts_with('[') && json_member(payload, "call_id").empty()) {
        for_each_json_element(output,
                              [&](std::string_view item) { read_responses_item(reading, item); });
      } else {
        read_responses_item(reading, payload);
      }
      return;
    case Api::openai_chat:
      if (choices.empty()) return read_chat_message(reading, payload);
      for_each_json_element(choices, [&](std::string_view choice) {
        read_chat_message(reading, json_member(choice, "message"));
      });
      return;
    case Api::gemini:
      if (candidates.empty()) return read_gemini_content(reading, payload);
      for_each_json_element(candidates, [&](std::string_view candidate) {
        read_gemini_content(reading, json_member(candidate, "content"));
      });
      return;
    case Api::anthropic_messages:
    case Api::none:
      read_anthropic_message(reading, payload);
  }
}

// Agents say so in a member of their own, each in another word.
bool has_broken_off(std::string_view payload) {
  const auto [status, stop] = json_members(payload, {"status", "stopReason"});
  for (const std::string_view token : {status, stop}) {
    if (has_any(escaped_text(token).inside, {"aborted", "cancelled", "error", "failed",
                                             "in_progress", "incomplete", "partial"})) {
      return true;
    }
  }
  return false;
}

Api shape_of_tools(std::string_view tools) {
  Api shape = Api::none;
  for_each_json_element(tools, [&](std::string_view tool) {
    const auto [schema, type, function, declared] =
        json_members(tool, {"input_schema", "type", "function", "functionDeclarations"});
    if (shape != Api::none) return;
    if (!schema.empty()) shape = Api::anthropic_messages;
    if (!declared.empty()) shape = Api::gemini;
    if (type == "\"function\"") shape = function.empty() ? Api::openai_responses : Api::openai_chat;
  });
  return shape;
}

}  // namespace

Api shape_of(std::string_view payload, Api recorded) {
  const auto [type, role_token, content, parts, output, choices, candidates, calls, call_id,
              refusal, reasoning] =
      json_members(payload, {"type", "role", "content", "parts", "output", "choices", "candidates",
                             "tool_calls", "tool_call_id", "refusal", "reasoning_content"});
  if (!parts.empty() || !candidates.empty()) return Api::gemini;
  if (output.starts_with('[')) return Api::openai_responses;
  if (!choices.empty()) return Api::openai_chat;
  const std::string_view role = escaped_text(role_token).inside;
  if (role.empty() && type.starts_with('"')) return Api::openai_responses;
  if (role == "tool" || role == "developer" || !calls.empty() || !call_id.empty() ||
      !refusal.empty() || !reasoning.empty()) {
    return role == "developer" && recorded == Api::openai_responses ? recorded : Api::openai_chat;
  }
  if (const Api shape = shape_of_content(content); shape != Api::none) return shape;
  // Text is text everywhere, in Gemini under another name.
  if (recorded != Api::none && recorded != Api::gemini) return recorded;
  return recorded == Api::gemini || type == "\"message\"" ? Api::anthropic_messages : Api::none;
}

canonical::Request read_session(const StoredSession& session, const Origin& assumed) {
  canonical::Request request;
  Reading reading(request, &session.attachments);
  if (session.system_prompt && !session.system_prompt->empty()) {
    request.system.emplace_back().text = reading.escaped(*session.system_prompt);
  }
  read_tools(reading, shape_of_tools(session.tools), session.tools);
  std::string_view last_id;  // that the provider gave the message before
  for (const StoredMessage& message : session.messages) {
    std::optional<Origin> origin = message.origin;
    if (!origin && assumed.api != Api::none) origin = assumed;
    request.size_hint += message.payload.size() + message.payload.size() / 8;
    reading.next(message.entry, origin);
    if (!message.summary.empty()) {
      Message& added = reading.add_message(Role::user);
      reading.add_part(added, made_text(reading, message.summary));
      continue;
    }
    // Some agents store each block of an answer by itself.
    const auto [id, type] = json_members(message.payload, {"id", "type"});
    if (type == "\"message\"" && !id.empty() && id == last_id) reading.join_next();
    last_id = type == "\"message\"" ? id : std::string_view();
    const Api api = origin ? origin->api : Api::none;
    if (is_pi_message(message.payload)) {
      read_pi_message(reading, message.payload, api);
    } else {
      read_payload(reading, message.payload, shape_of(message.payload, api));
    }
    if (has_broken_off(message.payload) && !request.messages.empty()) {
      request.messages.back().status = canonical::Status::aborted;
    }
  }
  reading.make_ids_unique();
  return request;
}

}  // namespace logwood::providers
