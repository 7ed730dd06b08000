#include "store/copies.hpp"

#include <set>

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"
#include "model/erasure.hpp"
#include "model/header.hpp"
#include "store/branching.hpp"

namespace logwood {
namespace {

using storage::Leftover;
using storage::StorageBackend;

// The session, and those that share entries with it by having been forked, in any direction.
class Family {
 public:
  explicit Family(const SessionId& session) { members_.insert(session); }

  void add(const SessionId& session, const std::optional<SessionId>& source) {
    if (source) links_.emplace_back(session, *source);
  }

  void close() {
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& [fork, source] : links_) {
        if (members_.contains(fork) == members_.contains(source)) continue;
        members_.insert(fork);
        members_.insert(source);
        grew = true;
      }
    }
  }

  [[nodiscard]] bool has(const SessionId& session) const { return members_.contains(session); }

 private:
  std::set<SessionId> members_;
  std::vector<std::pair<SessionId, SessionId>> links_;
};

Result<std::vector<EntryId>> held_by_session(StorageBackend& backend, const SessionId& session,
                                             std::span<const EntryId> entries) {
  std::vector<EntryId> held;
  for (const EntryId& id : entries) {
    auto entry = backend.find(session, id);
    if (!entry) {
      if (entry.error().code == ErrorCode::not_found) continue;
      return std::move(entry).error();
    }
    if (!entry->erased && !is_empty_copy(*entry)) held.push_back(id);
  }
  // What was made out of them for another model says so.
  const std::set<EntryId> wanted(entries.begin(), entries.end());
  LOGWOOD_CHECK(backend.walk(session, {}, [&](const storage::WalkedEntry& entry) {
    if (entry.text.find("\"migratedFrom\"") == std::string_view::npos) return;
    const std::string_view meta = find_fields(entry.text).meta;
    bool is_made_of_them = false;
    for_each_json_element(
        json_member(json_member(meta, "migratedFrom"), "entryIds"), [&](std::string_view id) {
          is_made_of_them = is_made_of_them || wanted.contains({json_text_or_empty(id)});
        });
    if (is_made_of_them) held.push_back({std::string(entry.place.id)});
  }));
  return held;
}

}  // namespace

Result<std::vector<FoundCopy>> find_copies(StorageBackend& backend, const SessionId& session,
                                           std::span<const EntryId> entries) {
  Family family(session);
  std::vector<SessionId> sessions;
  std::vector<FoundCopy> found;
  LOGWOOD_CHECK(for_each_session(
      backend, {},
      [&](const SessionHeader& header) {
        sessions.push_back(header.id);
        family.add(header.id, fork_source(header));
      },
      [&](const UnreadableSession& one) {
        // Nobody can say what it is a copy of.
        found.push_back({{CopyKind::session, one.id.text, false}, {}, std::nullopt});
      }));
  LOGWOOD_TRY(const std::vector<Leftover> leftovers, backend.leftovers());
  for (const Leftover& leftover : leftovers) family.add(leftover.session, leftover.forked_from);
  family.close();

  for (const SessionId& other : sessions) {
    if (other == session || !family.has(other)) continue;
    LOGWOOD_TRY(auto held, held_by_session(backend, other, entries));
    if (held.empty()) continue;
    found.push_back({{CopyKind::session, other.text, false}, std::move(held), std::nullopt});
  }
  for (const Leftover& leftover : leftovers) {
    // What was being made has no header that would say what it is of.
    if (leftover.kind != CopyKind::unfinished && !family.has(leftover.session)) continue;
    // Erasing in the session itself removes what is left of its archives.
    if (leftover.kind == CopyKind::archive && leftover.session == session) continue;
    LOGWOOD_TRY(auto held, backend.held_by(leftover, entries));
    if (held.empty()) continue;
    found.push_back({{leftover.kind, leftover.name, false}, std::move(held), leftover});
  }
  return found;
}

Result<std::optional<Erasure>> erase_copy(StorageBackend& backend, FoundCopy& found,
                                          const std::string& reason) {
  std::optional<Erasure> erasure;
  if (found.leftover) {
    LOGWOOD_TRY(erasure, backend.erase_in(*found.leftover, found.entries, reason));
  } else {
    LOGWOOD_TRY(erasure, backend.erase({found.copy.name}, found.entries, reason));
  }
  found.copy.erased = true;
  if (erasure->entries.empty()) erasure.reset();
  return erasure;
}

}  // namespace logwood
