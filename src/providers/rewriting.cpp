#include "providers/rewriting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/sha256.hpp"

namespace logwood::providers {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

std::size_t longest_id(Api api) { return api == Api::openai_chat ? 40 : 64; }

std::size_t longest_name(Api api) {
  return api == Api::anthropic_messages || api == Api::gemini ? 128 : 64;
}

bool takes_id(Api api, std::string_view id) {
  return !id.empty() && id.size() <= longest_id(api) && std::ranges::all_of(id, is_word);
}

bool takes_name(Api api, std::string_view name) {
  if (name.empty() || name.size() > longest_name(api)) return false;
  if (api != Api::gemini) return std::ranges::all_of(name, is_word);
  return (is_letter(name.front()) || name.front() == '_') &&
         std::ranges::all_of(name, [](char c) { return is_word(c) || c == '.' || c == ':'; });
}

std::string hash_of(std::string_view text, std::size_t digits) {
  return to_hex(sha256({text})).substr(0, digits);
}

}  // namespace

std::string fitting_id(Api api, std::string_view id,
                       const std::function<bool(std::string_view)>& is_taken) {
  if (takes_id(api, id) && !is_taken(id)) return std::string(id);
  for (std::size_t attempt = 0;; ++attempt) {
    std::string made =
        "call_" + hash_of(attempt == 0 ? std::string(id) : fmt::format("{}:{}", id, attempt), 24);
    if (!is_taken(made)) return made;
  }
}

bool refuses_id(Api api, std::string_view id) {
  if (id.empty() || (api != Api::gemini && id.size() > longest_id(api))) return true;
  return api == Api::anthropic_messages && !std::ranges::all_of(id, is_word);
}

std::string fitting_name(Api api, std::string_view name) {
  if (takes_name(api, name)) return std::string(name);
  std::string fitted;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte >= 0x80 && byte < 0xc0) continue;  // one character, one underscore
    fitted += is_word(name[i]) ? name[i] : '_';
  }
  if (api == Api::gemini && !fitted.empty() && !is_letter(fitted.front()) &&
      fitted.front() != '_') {
    fitted.insert(0, "_");
  }
  const std::size_t longest = longest_name(api);
  if (fitted.empty() || fitted.size() > longest) {
    fitted = fitted.substr(0, longest - 9) + "_" + hash_of(name, 8);
  }
  return fitted;
}

}  // namespace logwood::providers
