#include "store/branching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "model/carried_entry.hpp"
#include "model/entry_fields.hpp"
#include "model/label_mark.hpp"
#include "model/redaction.hpp"
#include "store/session_tree.hpp"

namespace logwood {
namespace {

using storage::StorageBackend;

// The entries of a path, read page by page in the order they stand; then a redaction with
// what hides parts of them.
class PathSource {
 public:
  PathSource(StorageBackend& backend, SessionId session, std::unordered_set<std::string> path,
             const Redactions& redactions, const IdsAndTime& stamps)
      : backend_(backend),
        session_(std::move(session)),
        path_(std::move(path)),
        redactions_(redactions),
        stamps_(stamps) {}

  Result<std::optional<std::string>> next() {
    while (!path_.empty()) {
      if (at_ == page_.entries.size()) {
        constexpr std::size_t page_size = 16;  // long strings come along
        LOGWOOD_TRY(storage::PageFrom read, backend_.read(session_, position_, page_size));
        if (read.page.entries.empty()) break;
        position_ = std::move(read.next);
        page_ = std::move(read.page);
        at_ = 0;
        continue;
      }
      const Entry& entry = page_.entries[at_++];
      if (path_.erase(entry.id.text) == 0) continue;
      if (entry.incomplete) {
        return Error{ErrorCode::damaged,
                     fmt::format("a blob of entry {} of session {} is missing or altered, so it "
                                 "cannot be copied; run verify",
                                 entry.id.text, session_.text)};
      }
      const auto* targets = redactions_.of(entry.id.text);
      if (targets != nullptr && !entry.erased)
        hidden_.insert(hidden_.end(), targets->begin(), targets->end());
      // What was erased is erased in the copy too, but only the original accounts for it.
      return std::optional(carried_text(entry));
    }
    if (path_.empty()) return redaction();
    return Error{ErrorCode::unavailable, "the session changed while it was forked; try again"};
  }

 private:
  std::optional<std::string> redaction() {
    if (hidden_.empty()) return std::nullopt;
    Draft draft = Draft::of({.type = "redaction",
                             .payload = redaction_payload(std::exchange(hidden_, {}), ""),
                             .id = stamps_.new_id(),
                             .parent = Parent::root(),
                             .timestamp = format_timestamp(stamps_.now())});
    return std::move(draft.text);
  }

  StorageBackend& backend_;
  SessionId session_;
  std::unordered_set<std::string> path_;  // what is still to come
  const Redactions& redactions_;
  const IdsAndTime& stamps_;
  std::vector<RedactionTarget> hidden_;  // of what was copied
  storage::ReadPosition position_;
  EntryPage page_;
  std::size_t at_ = 0;
};

// Those below `session`, each before its parent.
Result<> find_descendants(StorageBackend& backend, const SessionId& session,
                          std::vector<SessionId>& found) {
  std::vector<SessionId> open = {session};
  std::set<SessionId> seen = {session};
  while (!open.empty()) {
    ListOptions options;
    options.parent = open.back();
    open.pop_back();
    LOGWOOD_CHECK(for_each_session(backend, options, [&](const SessionHeader& child) {
      if (!seen.insert(child.id).second) return;
      found.push_back(child.id);
      open.push_back(child.id);
    }));
  }
  std::reverse(found.begin(), found.end());
  return {};
}

}  // namespace

Result<> for_each_session(StorageBackend& backend, ListOptions options,
                          const std::function<void(const SessionHeader&)>& visit,
                          const std::function<void(const UnreadableSession&)>& cannot) {
  SessionPage page;
  do {
    LOGWOOD_TRY(page, backend.list(options));
    if (cannot) std::for_each(page.unreadable.begin(), page.unreadable.end(), cannot);
    for (const SessionHeader& header : page.sessions) {
      options.after = header.id;
      visit(header);
    }
  } while (page.has_more);
  return {};
}

Result<std::vector<Label>> load_labels(StorageBackend& backend, const SessionId& session) {
  struct Kept {
    Label label;
    EntryId mark;
  };
  std::map<std::string, Kept> by_name;
  LOGWOOD_CHECK(backend.walk(session, {}, [&](const storage::WalkedEntry& entry) {
    if (entry.flagged || entry.place.kind != EntryKind::mark) return;
    const auto mark = read_label(entry.text);
    if (!mark) return;
    if (!mark->target) {
      by_name.erase(mark->name);
      return;
    }
    const std::string time = json_text_or_empty(find_fields(entry.text).timestamp);
    by_name[mark->name] = {{mark->name, *mark->target, time}, {std::string(entry.place.id)}};
  }));
  LOGWOOD_TRY(const auto redactions, backend.redactions(session));
  std::vector<Label> labels;
  for (auto& [name, kept] : by_name) {
    if (redactions->of(kept.mark.text) == nullptr) labels.push_back(std::move(kept.label));
  }
  return labels;
}

Result<SessionHeader> fork_session(StorageBackend& backend, const SessionId& session,
                                   const EntryId& entry, const ForkOptions& options,
                                   const IdsAndTime& stamps) {
  LOGWOOD_TRY(const SessionStatus status, backend.status(session));
  LOGWOOD_TRY(const LoadedTree loaded, load_tree(backend, session));
  const Tree& tree = loaded.session.tree;
  const auto place = tree.find(entry.text);
  if (!place) {
    return Error{ErrorCode::not_found,
                 fmt::format("there is no tree entry {} in session {}", entry.text, session.text)};
  }
  if (tree.is_detached(*place)) {
    return Error{
        ErrorCode::damaged,
        fmt::format("the path to entry {} of session {} does not begin at a root; run verify",
                    entry.text, session.text)};
  }
  std::unordered_set<std::string> path;
  for (const Tree::Place on_path : tree.path_to(*place)) path.emplace(tree.id(on_path));

  NewSession made;
  made.id = options.id;
  made.key = options.key;
  made.cwd = status.header.cwd;
  made.origin = Origin{fork_agent, session.text, "", "", entry};
  PathSource source(backend, session, std::move(path), loaded.redactions, stamps);
  return backend.create(made, {.entries = [&] { return source.next(); }});
}

Result<std::optional<SessionHeader>> newest_session(StorageBackend& backend,
                                                    const ListOptions& options) {
  std::optional<SessionHeader> newest;
  LOGWOOD_CHECK(for_each_session(backend, options, [&](const SessionHeader& header) {
    if (!newest || std::pair(header.created, header.id) > std::pair(newest->created, newest->id)) {
      newest = header;
    }
  }));
  return newest;
}

Result<std::vector<SessionId>> remove_with_family(StorageBackend& backend,
                                                  const SessionId& session) {
  std::vector<SessionId> family;
  LOGWOOD_CHECK(find_descendants(backend, session, family));
  family.push_back(session);
  for (const SessionId& one : family) {
    auto removed = backend.remove(one);
    // Somebody else was quicker with a sub-agent's: that is what was wanted.
    if (!removed && (one == session || removed.error().code != ErrorCode::not_found)) {
      return std::move(removed).error();
    }
  }
  return family;
}

}  // namespace logwood
