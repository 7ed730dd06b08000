#include "api/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <vector>

#include "base/json_text.hpp"

namespace logwood::api {
namespace {

constexpr std::size_t shown_candidates = 4;

Result<> for_each_header(Store& store, ListOptions options,
                         const std::function<void(const SessionHeader&)>& visit) {
  while (true) {
    LOGWOOD_TRY(const SessionPage page, store.list(options));
    for (const SessionHeader& header : page.sessions) {
      options.after = header.id;
      visit(header);
    }
    if (!page.has_more) return {};
  }
}

Error several(std::string_view what, std::string_view name, std::vector<std::string> found) {
  std::string some;
  const std::size_t count = found.size();
  for (std::size_t i = 0; i < std::min(count, shown_candidates); ++i) {
    some += (i == 0 ? "" : ", ") + found[i];
  }
  if (count > shown_candidates) some += fmt::format(" and {} more", count - shown_candidates);
  return {ErrorCode::conflict, fmt::format("{} {} begin with {}: {}; give more of it", count, what,
                                           json_quoted(name), some)};
}

// sessions/<id>.jsonl or archive/<id>.jsonl.zst, wherever that lies: only the name counts, the
// store is the one in use.
std::optional<std::string> id_in_path(std::string_view name) {
  constexpr std::string_view ending = ".jsonl";
  constexpr std::string_view packed = ".zst";
  if (name.ends_with(packed)) name.remove_suffix(packed.size());
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  const std::size_t slash = name.rfind('/');
  return std::string(slash == std::string_view::npos ? name : name.substr(slash + 1));
}

// Also one that cannot be read: whoever is asked about it says why.
bool is_session(Store& store, std::string_view id) {
  if (!check_id(id)) return false;
  const auto status = store.status({std::string(id)});
  return status || status.error().code != ErrorCode::not_found;
}

bool is_later(const SessionHeader& a, const std::optional<SessionHeader>& b) {
  return !b || std::pair(a.created, a.id) > std::pair(b->created, b->id);
}

Result<EntryId> back_from_head(Store& store, const SessionId& session, std::string_view name) {
  std::size_t steps = 0;
  const std::string_view digits = name.substr(1);
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), steps);
  if (problem != std::errc() || end != digits.data() + digits.size()) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("{} is not ~ and a number", json_quoted(name))};
  }
  LOGWOOD_TRY(const BackwardPage page, store.load_last(session, steps + 1, Along::path));
  if (page.entries.size() > steps) return page.entries[steps].id;
  return Error{ErrorCode::not_found,
               fmt::format("the path of the head has only {} entries", page.entries.size())};
}

}  // namespace

Result<SessionId> session_named(Store& store, std::string_view name) {
  if (is_session(store, name)) return SessionId{std::string(name)};
  if (const auto id = id_in_path(name); id && is_session(store, *id)) return SessionId{*id};
  std::optional<SessionHeader> newest;  // of all, for @last, or of the key
  std::vector<std::string> beginning;
  LOGWOOD_CHECK(for_each_header(store, {}, [&](const SessionHeader& header) {
    if ((name == "@last" || header.key == name) && is_later(header, newest)) newest = header;
    if (!name.empty() && header.id.text.starts_with(name)) beginning.push_back(header.id.text);
  }));
  if (newest) return newest->id;
  if (beginning.size() == 1) return SessionId{beginning.front()};
  if (beginning.size() > 1) return several("sessions", name, std::move(beginning));
  return Error{ErrorCode::not_found,
               fmt::format("there is no session {} in this store; logwood ls -a lists them",
                           json_quoted(name))};
}

Result<SessionId> removed_session_named(Store& store, std::string_view name) {
  LOGWOOD_TRY(const std::vector<SessionId> removed, store.removed());
  std::vector<std::string> beginning;
  for (const SessionId& session : removed) {
    if (session.text == name) return session;
    if (!name.empty() && session.text.starts_with(name)) beginning.push_back(session.text);
  }
  if (beginning.size() == 1) return SessionId{beginning.front()};
  if (beginning.size() > 1) return several("removed sessions", name, std::move(beginning));
  return Error{ErrorCode::not_found,
               fmt::format("there is no session {} in the trash of this store", json_quoted(name))};
}

Result<EntryId> entry_named(Store& store, const SessionId& session, std::string_view name) {
  if (name.starts_with('~')) return back_from_head(store, session, name);
  if (check_id(name) && store.find(session, {std::string(name)})) return EntryId{std::string(name)};
  if (const auto label = store.find_label(session, std::string(name))) return label->entry_id;
  std::vector<std::string> beginning;
  LOGWOOD_TRY(const SessionTree loaded, store.tree(session));
  for (Tree::Place place = 0; place < loaded.tree.size() && !name.empty(); ++place) {
    if (loaded.tree.id(place).starts_with(name)) beginning.emplace_back(loaded.tree.id(place));
  }
  if (beginning.size() == 1) return EntryId{beginning.front()};
  if (beginning.size() > 1) return several("entries", name, std::move(beginning));
  return Error{ErrorCode::not_found, fmt::format("there is no entry or label {} in session {}",
                                                 json_quoted(name), session.text)};
}

}  // namespace logwood::api
