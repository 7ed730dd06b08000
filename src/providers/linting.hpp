// What the linters of the APIs share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/escaped_text.hpp"
#include "base/json_text.hpp"
#include "providers/lint.hpp"

namespace logwood::providers {

class Faults {
 public:
  void add(std::string_view rule, std::string path, std::string_view detail = {});
  [[nodiscard]] std::vector<Fault> take() { return std::move(faults_); }

 private:
  std::vector<Fault> faults_;
};

/// The elements of an array; of anything else none.
[[nodiscard]] std::vector<std::string_view> elements_of(std::string_view array);

/// What a string token says; of anything else nothing.
[[nodiscard]] inline std::string said(std::string_view token) {
  return unescaped(escaped_text(token));
}

[[nodiscard]] inline bool is_string(std::string_view token) { return token.starts_with('"'); }
[[nodiscard]] inline bool is_array(std::string_view token) { return token.starts_with('['); }
[[nodiscard]] inline bool is_object(std::string_view token) { return token.starts_with('{'); }
/// Neither absent nor null.
[[nodiscard]] inline bool is_there(std::string_view token) {
  return !token.empty() && token != "null";
}

/// Letters, digits, `_` and `-`, at most `longest` of them.
[[nodiscard]] bool is_word(std::string_view text, std::size_t longest);

[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);

void lint_anthropic(std::string_view body, Faults& faults);
void lint_chat(std::string_view body, std::string_view dialect, Faults& faults);
void lint_mistral(std::string_view body, Faults& faults);
void lint_responses(std::string_view body, Faults& faults);
void lint_gemini(std::string_view body, std::string_view model, Faults& faults);
void lint_bedrock(std::string_view body, Faults& faults);

}  // namespace logwood::providers
