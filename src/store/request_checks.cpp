#include "store/request_checks.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/utf8.hpp"

namespace logwood {

Result<> check_utf8(std::string_view what, std::string_view text) {
  if (is_utf8(text)) return {};
  return Error{ErrorCode::invalid_argument, std::string(what) + " is not valid UTF-8"};
}

Result<> check_json_form(const std::string& what, std::string_view text, JsonForm form) {
  const JsonCheck check = check_json(text);
  if (!check) return Error{ErrorCode::invalid_argument, what + " " + describe(check)};
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (text[first] == (form == JsonForm::object ? '{' : '[')) return {};
  return Error{
      ErrorCode::invalid_argument,
      fmt::format("{} is not a JSON {}", what, form == JsonForm::object ? "object" : "array")};
}

}  // namespace logwood
