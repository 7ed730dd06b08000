// Writes JSON text piece after piece and puts the commas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/escaped_text.hpp"

namespace logwood {

class JsonWriter {
 public:
  JsonWriter() = default;
  /// Writes into what another one has left behind, and so needs no memory of its own.
  explicit JsonWriter(std::string used) : json_(std::move(used)) { json_.clear(); }

  void reserve(std::size_t size) { json_.reserve(size); }
  [[nodiscard]] std::size_t size() const { return json_.size(); }

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  /// A name that needs no escapes.
  JsonWriter& key(std::string_view name) {
    separate();
    json_ += '"';
    json_.append(name).append("\":", 2);
    needs_comma_ = false;
    return *this;
  }

  /// Members of an object that are JSON already; perhaps none.
  JsonWriter& members(std::string_view some) {
    if (some.empty()) return *this;
    separate();
    json_.append(some);
    return *this;
  }

  /// A value that is JSON already.
  JsonWriter& json(std::string_view value) {
    separate();
    json_.append(value);
    return *this;
  }

  JsonWriter& text(std::string_view value) {
    separate();
    json_ += '"';
    append_escaped(json_, value);
    json_ += '"';
    return *this;
  }

  JsonWriter& text(EscapedText value) {
    separate();
    json_ += '"';
    json_.append(value.inside) += '"';
    return *this;
  }

  JsonWriter& boolean(bool value) { return json(value ? "true" : "false"); }
  JsonWriter& number(std::uint64_t value) { return json(std::to_string(value)); }

  [[nodiscard]] std::string take() { return std::move(json_); }

 private:
  void separate() {
    if (needs_comma_) json_ += ',';
    needs_comma_ = true;
  }
  JsonWriter& begin(char bracket) {
    separate();
    json_ += bracket;
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& end(char bracket) {
    json_ += bracket;
    needs_comma_ = true;
    return *this;
  }

  std::string json_;
  bool needs_comma_ = false;
};

}  // namespace logwood
