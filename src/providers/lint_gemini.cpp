#include <fmt/format.h>

#include <algorithm>

#include "providers/linting.hpp"
#include "providers/models.hpp"

namespace logwood::providers {
namespace {

struct Content {
  std::string role;
  std::vector<std::string_view> calls = {};      // functionCall
  std::vector<std::string_view> responses = {};  // functionResponse
  bool is_first_signed = false;                  // of the calls
  bool has_others = false;
};

bool is_function_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && name.size() <= 128 && (is_letter(name.front()) || name.front() == '_') &&
         std::ranges::all_of(name, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') ||
                  std::string_view("_.:-").find(c) != std::string_view::npos;
         });
}

bool is_base64(std::string_view text) {
  const std::size_t end = text.find_last_not_of('=') + 1;
  const std::string_view digits = text.substr(0, end);
  return !digits.empty() && text.size() - end <= 2 && digits.size() % 4 != 1 &&
         std::ranges::all_of(digits, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("+/_-").find(c) != std::string_view::npos;
         });
}

void lint_part(std::string_view part, const std::string& path, Content& content, Faults& faults) {
  const auto [text, inline_data, file_data, call, response, code, code_result, tool_call,
              tool_response, signature] =
      json_members(part, {"text", "inlineData", "fileData", "functionCall", "functionResponse",
                          "executableCode", "codeExecutionResult", "toolCall", "toolResponse",
                          "thoughtSignature"});
  int things = 0;
  for (const std::string_view thing : {text, inline_data, file_data, call, response, code,
                                       code_result, tool_call, tool_response}) {
    if (!thing.empty()) ++things;
  }
  if (things != 1) faults.add("GM-PART", path, fmt::format("{} things", things));
  if (!signature.empty() && (!is_string(signature) || !is_base64(said(signature)))) {
    faults.add("GM-SIG-B64", path);
  }
  if (!call.empty()) {
    const auto [name, arguments] = json_members(call, {"name", "args"});
    if (said(name).empty() || (!arguments.empty() && !is_object(arguments))) {
      faults.add("GM-FC-SHAPE", path);
    }
    if (content.calls.empty()) content.is_first_signed = !signature.empty();
    content.calls.push_back(call);
  }
  if (!response.empty()) {
    const auto [name, answer] = json_members(response, {"name", "response"});
    if (said(name).empty() || !is_object(answer)) faults.add("GM-FR-SHAPE", path);
    content.responses.push_back(response);
  }
  if (response.empty()) content.has_others = true;
}

// That the responses in `next` carry the ids of the calls.
void lint_ids(const Content& asking, const Content& next, const std::string& path, Faults& faults) {
  std::vector<std::string> given;
  for (const std::string_view response : next.responses) {
    given.push_back(said(json_member(response, "id")));
  }
  for (const std::string_view call : asking.calls) {
    const std::string id = said(json_member(call, "id"));
    if (!id.empty() && std::ranges::find(given, id) == given.end()) faults.add("GM-ID", path, id);
  }
}

}  // namespace

void lint_gemini(std::string_view body, std::string_view model, Faults& faults) {
  const auto [contents_token, tools, own_model] =
      json_members(body, {"contents", "tools", "model"});
  const auto texts = elements_of(contents_token);
  if (texts.empty()) return faults.add("GM-CONTENTS-EMPTY", "contents");
  const std::string name = model.empty() ? said(own_model) : std::string(model);
  const bool is_signing = !name.empty() && Models().of(Api::gemini, name).signed_calls;
  std::size_t number = 0;
  for_each_json_element(tools, [&](std::string_view tool) {
    for_each_json_element(json_member(tool, "functionDeclarations"),
                          [&](std::string_view function) {
                            const std::string called = said(json_member(function, "name"));
                            if (!is_function_name(called))
                              faults.add("GM-NAME", fmt::format("tools.{}", number), called);
                          });
    ++number;
  });
  std::vector<Content> contents;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string path = fmt::format("contents.{}", i);
    Content& content = contents.emplace_back();
    content.role = said(json_member(texts[i], "role"));
    if (!is_one_of(content.role, {"user", "model"})) faults.add("GM-ROLE", path, content.role);
    const auto parts = elements_of(json_member(texts[i], "parts"));
    if (parts.empty()) faults.add("GM-PART", path, "empty");
    for (std::size_t j = 0; j < parts.size(); ++j) {
      lint_part(parts[j], fmt::format("{}.parts.{}", path, j), content, faults);
    }
  }
  std::size_t turn = 0;  // where the current one begins
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i].role == "user" && contents[i].has_others) turn = i;
  }
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const Content& content = contents[i];
    const std::string path = fmt::format("contents.{}", i);
    if (!content.calls.empty()) {
      if (i == 0 || contents[i - 1].role == "model") faults.add("GM-FC-POS", path);
      if (i + 1 == contents.size()) {
        faults.add("GM-LAST", path, "a function call without its response");
      } else {
        const Content& next = contents[i + 1];
        if (next.responses.size() != content.calls.size()) {
          faults.add(
              "GM-FR-COUNT", path,
              fmt::format("{} calls, {} responses", content.calls.size(), next.responses.size()));
        }
        if (is_signing) lint_ids(content, next, path, faults);
      }
      if (is_signing && i > turn && content.role == "model" && !content.is_first_signed) {
        faults.add("GM-SIG", path);
      }
    }
    if (!content.responses.empty() && (i == 0 || contents[i - 1].calls.empty())) {
      faults.add("GM-FR-POS", path);
    }
  }
  if (contents.back().role == "model" && contents.back().calls.empty()) {
    faults.add("GM-LAST", fmt::format("contents.{}", contents.size() - 1));
  }
  if (contents.front().role == "model") faults.add("GM-FIRST", "contents.0");
}

}  // namespace logwood::providers
