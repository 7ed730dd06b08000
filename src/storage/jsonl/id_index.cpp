#include "storage/jsonl/id_index.hpp"

#include <bit>
#include <cassert>

namespace logwood::storage::jsonl {

void IdIndex::add(const EntryId& id, std::string_view parent_id, const IndexRecord& where) {
  IndexRecord record = where;
  record.id_hash = siphash(key_, id.text);
  if (!parent_id.empty()) {
    // Mostly the parent is the entry before, whose hash is known.
    const bool follows = !records_.empty() && parent_id == last_id_;
    record.parent_hash = follows ? records_.back().id_hash : siphash(key_, parent_id);
  }
  last_id_ = id.text;
  records_.push_back(record);
  if (slots_.empty()) return;
  if (records_.size() * 2 > slots_.size()) {
    build_slots();
  } else {
    place(static_cast<std::uint32_t>(records_.size() - 1));
  }
}

void IdIndex::fill(std::vector<IndexRecord> front) {
  assert(front.size() == missing_);
  front.insert(front.end(), records_.begin(), records_.end());
  records_ = std::move(front);
  missing_ = 0;
  slots_.clear();
}

std::span<const IndexRecord> IdIndex::from(std::uint64_t first) const {
  assert(first >= missing_ && first <= size());
  return std::span(records_).subspan(static_cast<std::size_t>(first - missing_));
}

std::vector<IndexRecord> IdIndex::candidates(std::string_view id) {
  assert(missing_ == 0);
  if (slots_.empty()) build_slots();
  const std::uint64_t hash = siphash(key_, id);
  const std::size_t mask = slots_.size() - 1;
  std::vector<IndexRecord> found;
  for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
    const IndexRecord& record = records_[slots_[at] - 1];
    if (record.id_hash == hash) found.push_back(record);
  }
  return found;
}

void IdIndex::build_slots() {
  slots_.assign(std::bit_ceil(std::max<std::size_t>(records_.size() * 4, 64)), 0);
  for (std::uint32_t i = 0; i < records_.size(); ++i) place(i);
}

void IdIndex::place(std::uint32_t number) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = records_[number].id_hash & mask;
  while (slots_[at] != 0) at = (at + 1) & mask;
  slots_[at] = number + 1;
}

}  // namespace logwood::storage::jsonl
