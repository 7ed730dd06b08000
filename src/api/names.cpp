#include "api/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/json_text.hpp"
#include "exchange/format.hpp"

namespace logwood::api {
namespace {

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

// Ids that a name may mean: how one begins, or, as generated ones begin alike, how it ends.
class Candidates {
 public:
  explicit Candidates(std::string_view name) : name_(name) {}

  void offer(std::string_view id) {
    if (!name_.empty() && id.starts_with(name_)) beginning_.emplace_back(id);
    if (name_.size() >= ending_size_min && id.ends_with(name_)) ending_.emplace_back(id);
  }

  /// The one it means; nothing when there is none, `conflict` when there are several.
  Result<std::optional<std::string>> only(std::string_view what) const {
    const std::vector<std::string>& found = beginning_.empty() ? ending_ : beginning_;
    if (found.empty()) return std::optional<std::string>();
    if (found.size() == 1) return std::optional(found.front());
    std::string some;
    for (std::size_t i = 0; i < std::min(found.size(), shown_candidates); ++i) {
      some += (i == 0 ? "" : ", ") + found[i];
    }
    if (found.size() > shown_candidates) {
      some += fmt::format(" and {} more", found.size() - shown_candidates);
    }
    return Error{ErrorCode::conflict,
                 fmt::format("{} {} {} with {}: {}; give more of it", found.size(), what,
                             beginning_.empty() ? "end" : "begin", json_quoted(name_), some)};
  }

 private:
  static constexpr std::size_t ending_size_min = 4;
  static constexpr std::size_t shown_candidates = 4;

  std::string_view name_;
  std::vector<std::string> beginning_;
  std::vector<std::string> ending_;
};

Result<SessionId> last_active(Store& store) {
  SummaryQuery query;
  query.limit = 1;
  LOGWOOD_TRY(const SummaryPage page, store.summaries(query));
  if (!page.sessions.empty()) return page.sessions.front().header.id;
  return Error{ErrorCode::not_found, "there is no session in this store; logwood new makes one"};
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

// Also when it cannot be read: whoever asked for it is told why by what they do with it.
bool is_there(Store& store, std::string_view id) {
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
  if (name == "@last") return last_active(store);
  if (is_there(store, name)) return SessionId{std::string(name)};
  if (const auto id = id_in_path(name); id && is_there(store, *id)) return SessionId{*id};
  std::optional<SessionHeader> newest;  // of the key
  Candidates candidates(name);
  LOGWOOD_CHECK(for_each_header(store, {}, [&](const SessionHeader& header) {
    if (header.key == name && is_later(header, newest)) newest = header;
    candidates.offer(header.id.text);
  }));
  if (newest) return newest->id;
  LOGWOOD_TRY(const auto only, candidates.only("sessions"));
  if (only) return SessionId{*only};
  return Error{ErrorCode::not_found,
               fmt::format("there is no session {} in this store; logwood ls -a lists them",
                           json_quoted(name))};
}

std::optional<AgentSessionId> agent_session_id(std::string_view id, char separator) {
  const std::size_t at = id.find(separator);
  if (at == std::string_view::npos || exchange::format_named(id.substr(0, at)) == nullptr)
    return std::nullopt;
  return AgentSessionId{id.substr(0, at), id.substr(at + 1)};
}

Result<SessionId> agent_session_named(Store& store, std::string_view agent, std::string_view name) {
  Candidates candidates(name);
  std::vector<std::pair<std::string, SessionId>> ids;
  ListOptions options;
  options.limit = std::numeric_limits<std::size_t>::max();
  options.ids_only = true;
  LOGWOOD_CHECK(for_each_header(store, options, [&](const SessionHeader& header) {
    const auto parts = agent_session_id(header.id.text);
    if (!parts || (!agent.empty() && parts->agent != agent)) return;
    candidates.offer(parts->id);
    ids.emplace_back(parts->id, header.id);
  }));
  const auto exact =
      std::find_if(ids.begin(), ids.end(), [&](const auto& one) { return one.first == name; });
  if (exact != ids.end()) return exact->second;
  LOGWOOD_TRY(const auto only, candidates.only("sessions"));
  for (const auto& [id, session] : ids) {
    if (only && id == *only) return session;
  }
  return Error{ErrorCode::not_found,
               fmt::format("there is no session {} of {}; logwood ls -a lists them",
                           json_quoted(name), agent.empty() ? "any agent" : agent)};
}

Result<SessionId> removed_session_named(Store& store, std::string_view name) {
  LOGWOOD_TRY(const std::vector<SessionId> removed, store.removed());
  Candidates candidates(name);
  for (const SessionId& session : removed) {
    if (session.text == name) return session;
    candidates.offer(session.text);
  }
  LOGWOOD_TRY(const auto only, candidates.only("removed sessions"));
  if (only) return SessionId{*only};
  return Error{ErrorCode::not_found,
               fmt::format("there is no session {} in the trash of this store", json_quoted(name))};
}

Result<EntryId> entry_named(Store& store, const SessionId& session, std::string_view name) {
  if (name.starts_with('~')) return back_from_head(store, session, name);
  if (check_id(name) && store.find(session, {std::string(name)})) return EntryId{std::string(name)};
  if (const auto label = store.find_label(session, std::string(name))) return label->entry_id;
  Candidates candidates(name);
  LOGWOOD_TRY(const SessionTree loaded, store.tree(session));
  for (Tree::Place place = 0; place < loaded.tree.size(); ++place) {
    candidates.offer(loaded.tree.id(place));
  }
  LOGWOOD_TRY(const auto only, candidates.only("entries"));
  if (only) return EntryId{*only};
  return Error{ErrorCode::not_found, fmt::format("there is no entry or label {} in session {}",
                                                 json_quoted(name), session.text)};
}

}  // namespace logwood::api
