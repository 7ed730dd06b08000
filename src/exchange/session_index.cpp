#include "exchange/session_index.hpp"

#include "base/json_text.hpp"
#include "exchange/format.hpp"

namespace logwood::exchange {
namespace {

// A title in whichever word an entry has for it.
std::string title_in(std::string_view entry) {
  const auto [title, label, display, automatic, subject] =
      json_members(entry, {"title", "label", "displayName", "autoLabel", "subject"});
  for (const std::string_view token : {title, label, display, automatic, subject}) {
    if (std::string text = json_text_or_empty(token); !text.empty()) return text;
  }
  return "";
}

// The newest entry of a session says how it is called.
void put(SessionIndex& index, std::string_view entry, std::string key) {
  const auto [session_id, id, own_key] = json_members(entry, {"sessionId", "id", "key"});
  const std::string session = json_text_or_empty(session_id.empty() ? id : session_id);
  if (session.empty()) return;
  if (key.empty()) key = json_text_or_empty(own_key);
  index[session] = {std::move(key), title_in(entry)};
}

}  // namespace

SessionIndex read_sessions_json(std::string_view bytes) {
  SessionIndex index;
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || !check_json(bytes)) return index;
  std::string_view value = bytes.substr(begin);
  if (const std::string_view list = json_member(value, "sessions"); !list.empty()) value = list;
  for_each_json_element(value, [&](std::string_view entry) { put(index, entry, ""); });
  for_each_json_member(value, [&](const JsonMember& member) {
    put(index, member.value, json_text_or_empty("\"" + std::string(member.key) + "\""));
  });
  return index;
}

SessionIndex read_session_index(std::string_view bytes) {
  SessionIndex index;
  for_each_first_line(bytes, [&](std::string_view line) {
    const auto [id, name] = json_members(line, {"id", "thread_name"});
    if (id.starts_with('"')) index[json_text_or_empty(id)].title = json_text_or_empty(name);
    return true;
  });
  return index;
}

}  // namespace logwood::exchange
