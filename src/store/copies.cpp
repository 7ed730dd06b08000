#include "store/copies.hpp"

#include <set>

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
  const std::set<EntryId> sources(entries.begin(), entries.end());
  LOGWOOD_CHECK(backend.walk(session, {}, [&](const storage::WalkedEntry& entry) {
    if (is_made_of(entry.text, sources)) held.push_back({std::string(entry.place.id)});
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

  // What was made of them for another model has ids of its own, and there may be copies of it: so
  // this is repeated as long as it finds more.
  const std::size_t unreadable = found.size();
  std::set<EntryId> wanted(entries.begin(), entries.end());
  for (std::size_t known = 0; known != wanted.size();) {
    known = wanted.size();
    found.resize(unreadable);
    const std::vector<EntryId> looked_for(wanted.begin(), wanted.end());
    const auto add = [&](Copy copy, std::vector<EntryId> held, std::optional<Leftover> leftover) {
      if (held.empty()) return;
      wanted.insert(held.begin(), held.end());
      found.push_back({std::move(copy), std::move(held), std::move(leftover)});
    };
    for (const SessionId& other : sessions) {
      if (other == session || !family.has(other)) continue;
      LOGWOOD_TRY(auto held, held_by_session(backend, other, looked_for));
      add({CopyKind::session, other.text, false}, std::move(held), std::nullopt);
    }
    for (const Leftover& leftover : leftovers) {
      // What was being made has no header that would say what it is of.
      if (leftover.kind != CopyKind::unfinished && !family.has(leftover.session)) continue;
      // Erasing in the session itself removes what is left of its archives.
      if (leftover.kind == CopyKind::archive && leftover.session == session) continue;
      LOGWOOD_TRY(auto held, backend.held_by(leftover, looked_for));
      add({leftover.kind, leftover.name, false}, std::move(held), leftover);
    }
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
