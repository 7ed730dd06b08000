// One JSON object on a line: what --json prints.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_text.hpp"
#include "base/unicode.hpp"
#include "base/utf8.hpp"
#include "logwood/ids.hpp"

namespace logwood::cli {

class JsonLine {
 public:
  /// Text from outside may be anything; bytes that are no character are made visible.
  JsonLine& add(std::string_view name, std::string_view text) {
    return add_token(name, json_quoted(is_utf8(text) ? std::string(text) : printable(text)));
  }
  JsonLine& add(std::string_view name, const char* text) {
    return add(name, std::string_view(text));
  }
  /// An id, or null where there is none.
  JsonLine& add(std::string_view name, const std::optional<EntryId>& id) {
    return id ? add(name, id->text) : add_token(name, "null");
  }
  JsonLine& add(std::string_view name, bool value) {
    return add_token(name, value ? "true" : "false");
  }
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  JsonLine& add(std::string_view name, Number value) {
    return add_token(name, std::to_string(value));
  }

  /// `token` is JSON already.
  JsonLine& add_token(std::string_view name, std::string_view token) {
    if (!members_.empty()) members_ += ',';
    members_.append(json_quoted(name)).append(":").append(token);
    return *this;
  }

  [[nodiscard]] std::string text() const { return "{" + members_ + "}\n"; }

 private:
  std::string members_;
};

}  // namespace logwood::cli
