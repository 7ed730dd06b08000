// The cases of a file in tests/vectors, read with nothing but the library's own JSON text
// functions.
#pragma once

#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/json_text.hpp"

namespace logwood {

/// One case: the text of its JSON object.
struct VectorCase {
  std::string_view object;

  [[nodiscard]] std::string text(std::string_view name) const {
    const auto value = json_string_value(json_member(object, name));
    if (!value) throw std::runtime_error("a case has no text \"" + std::string(name) + "\"");
    return *value;
  }
  [[nodiscard]] bool is_true(std::string_view name) const {
    return json_member(object, name) == "true";
  }

  /// The bytes a case is about: the member `name`, or "base64" where they are not UTF-8.
  [[nodiscard]] std::string bytes(std::string_view name) const {
    if (!json_member(object, name).empty()) return text(name);
    return from_base64(text("base64"));
  }

 private:
  static std::string from_base64(std::string_view encoded) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned held = 0;
    unsigned held_bits = 0;
    for (const char c : encoded) {
      const std::size_t value = alphabet.find(c);
      if (value == std::string_view::npos) break;  // padding
      held = held << 6U | static_cast<unsigned>(value);
      held_bits += 6;
      if (held_bits < 8) continue;
      held_bits -= 8;
      bytes += static_cast<char>(held >> held_bits & 0xffU);
    }
    return bytes;
  }
};

/// Returns how many cases there were.
inline std::size_t for_each_vector_case(const std::string& file,
                                        const std::function<void(const VectorCase&)>& visit) {
  std::ifstream in(std::string(LOGWOOD_SOURCE_FOLDER) + "/tests/vectors/" + file);
  std::stringstream read;
  read << in.rdbuf();
  const std::string document = read.str();
  std::size_t count = 0;
  for_each_json_element(json_member(document, "cases"), [&](std::string_view object) {
    visit({object});
    ++count;
  });
  return count;
}

}  // namespace logwood
