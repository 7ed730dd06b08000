#include "support/history_model.hpp"

#include <algorithm>

namespace logwood {

HistoryTail SessionModel::tail() const {
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(),
                                 [](const HistoryEntry& entry) { return !entry.is_mark; });
  return last == entries_.rend() ? HistoryTail() : HistoryTail(last->id);
}

const HistoryEntry* SessionModel::find(std::uint32_t id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const HistoryEntry& entry) { return entry.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

HistoryAnswer SessionModel::append(const AppendCall& call) {
  std::size_t known = 0;
  for (const HistoryEntry& entry : call.entries) {
    const HistoryEntry* const there = find(entry.id);
    if (there == nullptr) continue;
    if (*there != entry) return IdConflict{};
    ++known;
  }
  const std::uint32_t last_id = call.entries.back().id;
  if (known == call.entries.size()) return Appended{last_id, 0, true};
  if (known > 0) return IdConflict{};
  if (call.expected_tail && *call.expected_tail != tail()) return TailConflict{tail()};
  entries_.insert(entries_.end(), call.entries.begin(), call.entries.end());
  return Appended{last_id, call.entries.size(), false};
}

HistoryAnswer SessionModel::apply(const HistoryCall& call) {
  if (const auto* append_call = std::get_if<AppendCall>(&call)) return append(*append_call);
  if (std::holds_alternative<StatusCall>(call)) return TailSeen{tail()};
  if (const auto* find_call = std::get_if<FindCall>(&call)) {
    const HistoryEntry* const there = find(find_call->id);
    return EntrySeen{there == nullptr ? std::nullopt : std::optional(*there)};
  }
  const auto& load = std::get<LoadCall>(call);
  if (!load.limit) return EntriesSeen{entries_};
  const std::size_t count = std::min(*load.limit, entries_.size());
  return EntriesSeen{{entries_.rbegin(), entries_.rbegin() + static_cast<std::ptrdiff_t>(count)}};
}

}  // namespace logwood
