#include "providers/cache_hints.hpp"

#include <cstddef>
#include <cstring>
#include <vector>

namespace logwood::providers {

void limit_cache_hints(Lowering& lowering) {
  constexpr std::size_t taken = 4;
  std::vector<Part*> hints;
  const auto collect = [&](Part& part) {
    if (!part.cache.empty() && !lowering.native(part).empty()) hints.push_back(&part);
  };
  canonical::Request& request = lowering.request();
  for (Part& part : request.system) collect(part);
  for (Message& message : request.messages) {
    for (Part& part : message.parts) collect(part);
  }
  for (std::size_t i = 0; i + taken < hints.size(); ++i) {
    lowering.warn(Code::cache_hint_dropped, *hints[i]);
    hints[i]->native.json = request.keep(without_member(hints[i]->native.json, "cache_control"));
  }
}

namespace {

constexpr std::string_view key = "\"cache_control\"";

bool has_hints(std::string_view json) {
  return ::memmem(json.data(), json.size(), key.data(), key.size()) != nullptr;
}

std::string without_cache_hints(std::string_view json) {
  std::string kept;
  for (std::size_t at = json.find(key); at != std::string_view::npos; at = json.find(key)) {
    // A member is written with the comma before it, or after it when it is the first.
    std::size_t end = at + key.size();
    std::size_t depth = 0;
    for (; end < json.size(); ++end) {
      const char c = json[end];
      if (c == '{') ++depth;
      if (c == '}' && depth-- == 0) break;
      if (c == '}' && depth == 0) {
        ++end;
        break;
      }
      if (c == ',' && depth == 0) break;
    }
    std::string_view before = json.substr(0, at);
    if (before.ends_with(',')) {
      before.remove_suffix(1);
    } else if (end < json.size() && json[end] == ',') {
      ++end;
    }
    kept += before;
    json.remove_prefix(end);
  }
  return kept.append(json);
}

}  // namespace

Sha256 hash_without_cache_hints(std::string_view before, std::string_view json) {
  if (!has_hints(json)) return sha256({before, json});
  return sha256({before, without_cache_hints(json)});
}

}  // namespace logwood::providers
