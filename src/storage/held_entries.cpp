#include "storage/held_entries.hpp"

#include <set>
#include <string>

#include "model/erasure.hpp"

namespace logwood::storage {

Result<std::vector<EntryId>> held_entries(
    std::span<const EntryId> entries, const std::function<Result<bool>(const EntryId&)>& has,
    const std::function<Result<WalkedTo>(const WalkVisitor&)>& walk) {
  std::vector<EntryId> held;
  for (const EntryId& id : entries) {
    LOGWOOD_TRY(const bool is_there, has(id));
    if (is_there) held.push_back(id);
  }
  const std::set<EntryId> sources(entries.begin(), entries.end());
  LOGWOOD_CHECK(walk([&](const WalkedEntry& entry) {
    if (is_made_of(entry.text, sources)) held.push_back({std::string(entry.place.id)});
  }));
  return held;
}

}  // namespace logwood::storage
