#include <algorithm>
#include <vector>

#include "logwood/catalog.hpp"

namespace logwood {

KeyParts parts_of_key(const std::string& key) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t colon = std::min(key.find(':', at), key.size());
    words.push_back(key.substr(at, colon - at));
    at = colon + 1;
  }
  std::size_t first = 0;
  if (words.size() >= 4 && words.front() == "agent") first = 1;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  KeyParts parts{word(first), word(first + 1), "", ""};
  std::size_t peer = first + 2;
  if (words.size() > first + 3) parts.peer_kind = word(peer++);
  for (std::size_t i = peer; i < words.size(); ++i) {
    parts.peer += (i == peer ? "" : ":") + words[i];
  }
  return parts;
}

std::string_view name_of(SessionState state) {
  switch (state) {
    case SessionState::ok:
      return "ok";
    case SessionState::open:
      return "open";
    case SessionState::unfinished:
      return "unfinished";
    case SessionState::damaged:
      return "damaged";
  }
  return "ok";
}

}  // namespace logwood
