#include "providers/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "providers/linting.hpp"

namespace logwood::providers {

const std::vector<Rule>& lint_rules() {
  using enum Level;
  static const std::vector<Rule> rules = {
      {"AN-MSGS-EMPTY", error, "there must be at least one message"},
      {"AN-MAXTOK", error, "max_tokens must be given"},
      {"AN-ROLE", error, "a role is user, assistant or system"},
      {"AN-SYS-MODEL", error, "models before Opus 4.8 take no system messages among the others"},
      {"AN-SYS-FIRST", error, "a system message must not be the first"},
      {"AN-SYS-FOLLOW", error,
       "a system message must follow the user, or an assistant's message that ends in the result "
       "of a server tool"},
      {"AN-SYS-PRECEDE", error, "after a system message the assistant speaks, or nobody"},
      {"AN-SYS-CONTENT", error,
       "a system message holds text, tool_addition or tool_removal, and at least one"},
      {"AN-BLOCK-TYPE", error, "a block of this type cannot stand here"},
      {"AN-TEXT-EMPTY", error, "a text block must not be empty"},
      {"AN-CONTENT-EMPTY", error,
       "a message must not be empty, unless it is the assistant's and the last"},
      {"AN-TOOLUSE-UNANSWERED", error, "every tool_use needs its tool_result in the next message"},
      {"AN-TOOLRES-UNMATCHED", error, "a tool_result needs its tool_use in the message before"},
      {"AN-TOOLRES-FIRST", error, "results stand before everything else in their message"},
      {"AN-TOOLUSE-LAST", note, "after a tool_use only more of them should follow"},
      {"AN-TOOLID", error, "the id of a call is made of letters, digits, _ and -"},
      {"AN-TOOLID-LEN", note, "the id of a call should have at most 64 characters"},
      {"AN-TOOLID-DUP", error, "the ids of calls must differ"},
      {"AN-TOOL-INPUT", error, "the input of a call is an object"},
      {"AN-TOOLNAME", error, "the name of a tool is made of 1 to 128 letters, digits, _ and -"},
      {"AN-THINK-SIG", error, "thinking needs its signature"},
      {"AN-THINK-ROLE", error, "only the assistant thinks"},
      {"AN-THINK-START", error,
       "with thinking enabled, the message whose calls are answered last begins with thinking"},
      {"AN-THINK-BUDGET", error, "budget_tokens is at least 1024 and less than max_tokens"},
      {"AN-PREFILL", error, "models from 4.6 on want the user to speak last"},
      {"AN-IMG-MIME", error, "an image is jpeg, png, gif or webp"},
      {"AN-ERRRES-TEXT", error, "the result of a call that failed holds text only"},
      {"AN-CACHE-4", error, "at most 4 cache_control"},
      {"AN-FIRST-USER", note, "the user should speak first"},
      {"AN-SRVTOOL-PAIR", note,
       "the result of a server tool should stand in the same message as its call"},
      {"OC-MSGS-EMPTY", error, "there must be at least one message"},
      {"OC-ROLE", error, "a role is developer, system, user, assistant, tool or function"},
      {"OC-PART", error, "a part of this type cannot stand in a message of this role"},
      {"OC-TOOLCALL-UNANSWERED", error,
       "the results of all calls of a message must follow it at once"},
      {"OC-TOOL-ORPHAN", error, "a tool message must answer a call of the message before"},
      {"OC-TOOLID-LEN", error, "the id of a call has at most 40 characters"},
      {"OC-TOOLID-DUP", note, "the ids of calls should differ"},
      {"OC-TOOLCALLS-SHAPE", error,
       "tool_calls is an array that is not empty, and arguments a string"},
      {"OC-ASSISTANT-EMPTY", error, "an assistant's message has content or calls"},
      {"OC-NAME", error, "the name of a function is made of 1 to 64 letters, digits, _ and -"},
      {"OC-FILE-NAME", error, "a file with file_data needs a filename"},
      {"OC-REASON-TOOLS", error,
       "from gpt-5.4 on, tools need reasoning_effort none here, or the Responses API"},
      {"DS-REASONING", error, "a message with tool_calls must carry its reasoning_content"},
      {"OR-INPUT-EMPTY", error, "the input must not be empty"},
      {"OR-ITEM", error, "an item of this type is not known, or lacks what it needs"},
      {"OR-PART", error, "a part of this type cannot stand in a message of this role"},
      {"OR-CALL-UNANSWERED", error, "every call needs its output"},
      {"OR-OUT-ORPHAN", error, "an output needs its call before it"},
      {"OR-CALLID-LEN", error, "a call_id has at most 64 characters"},
      {"OR-ITEMID-LEN", error, "the id of an item has at most 64 characters"},
      {"OR-ITEMID-PREFIX", error,
       "the id of an item begins with fc_, ctc_, rs_ or msg_, by its type"},
      {"OR-DUP-ITEM", error, "the ids of items must differ"},
      {"OR-REASON-FOLLOW", error, "reasoning needs the item that followed it"},
      {"OR-REASON-ENC", error, "with store false, reasoning needs its encrypted_content"},
      {"OR-NAME", error, "the name of a function is made of 1 to 64 letters, digits, _ and -"},
      {"GM-CONTENTS-EMPTY", error, "there must be at least one content"},
      {"GM-ROLE", error, "a role is user or model"},
      {"GM-PART", error, "a content has parts, and each of them one thing"},
      {"GM-FC-POS", error, "a function call must come right after the user or a function response"},
      {"GM-FR-POS", error, "a function response must come right after a function call"},
      {"GM-FR-COUNT", error, "there must be as many function responses as calls"},
      {"GM-FR-SHAPE", error, "a function response has a name, and an object as its response"},
      {"GM-FC-SHAPE", error, "a function call has a name, and an object as its args"},
      {"GM-ID", note, "from Gemini 3 on, a function response should carry the id of its call"},
      {"GM-SIG", error,
       "from Gemini 3 on, the first call of each step of this turn needs its thoughtSignature"},
      {"GM-SIG-B64", error, "a thoughtSignature is base64"},
      {"GM-LAST", error, "the user must speak last"},
      {"GM-FIRST", note, "the user should speak first"},
      {"GM-NAME", error,
       "the name of a function is 1 to 128 letters, digits, _ . : and -, and begins with a letter "
       "or _"},
      {"BR-ALT", error, "user and assistant take turns, and the user begins"},
      {"BR-TOOLCONFIG", error, "with calls or results there must be a toolConfig"},
      {"BR-PAIR", error,
       "every toolUse needs its toolResult in the next message, and the other way round"},
      {"BR-ID", error, "a toolUseId is made of 1 to 64 letters, digits, _ and -"},
      {"BR-EMPTY", error, "neither a text nor a message may be blank"},
      {"BR-MEDIA-ROLE", error,
       "images and documents come from the user, documents with a text beside them"},
      {"BR-DOCNAME", error,
       "the name of a document is made of letters, digits, single spaces and - ( ) [ ]"},
      {"MI-ID", error, "the id of a call is made of 9 letters and digits"},
      {"MI-ORDER", error, "the user cannot speak right after a tool"},
      {"MI-LAST", error, "the user or a tool must speak last, or the assistant with prefix"},
      {"MI-PAIR", error, "every call needs its result, and every result its call"},
  };
  return rules;
}

void Faults::add(std::string_view rule, std::string path, std::string_view detail) {
  const auto found = std::ranges::find(lint_rules(), rule, &Rule::name);
  faults_.push_back({&*found, std::move(path), std::string(detail)});
}

std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> elements;
  for_each_json_element(array, [&](std::string_view element) { elements.push_back(element); });
  return elements;
}

bool is_word(std::string_view text, std::size_t longest) {
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

Result<std::vector<Fault>> lint(std::string_view api, std::string_view body,
                                const LintOptions& options) {
  const JsonCheck check = check_json(body);
  if (!check) {
    return Error{ErrorCode::invalid_argument, fmt::format("the request {}", describe(check))};
  }
  Faults faults;
  if (api == "anthropic-messages") {
    lint_anthropic(body, faults);
  } else if (api == "openai-chat") {
    lint_chat(body, options.dialect, faults);
  } else if (api == "openai-responses") {
    lint_responses(body, faults);
  } else if (api == "gemini") {
    lint_gemini(body, options.model, faults);
  } else if (api == "bedrock-converse") {
    lint_bedrock(body, faults);
  } else if (api == "mistral-chat") {
    lint_mistral(body, faults);
  } else {
    return Error{ErrorCode::invalid_argument, fmt::format("there is no API named {}", api)};
  }
  return faults.take();
}

}  // namespace logwood::providers
