#include "storage/path_filter.hpp"

#include "model/head_mark.hpp"

namespace logwood::storage {

bool PathFilter::wants(const Entry& entry) {
  if (along_ == Along::append_order) return true;
  const EntryKind kind = kind_of(entry.type);
  if (!found_head_) {
    if (kind == EntryKind::tree) {
      next_ = entry.id;
      found_head_ = true;
    } else if (const auto target = head_target(entry.text)) {
      next_ = *target;
      found_head_ = true;
    }
  }
  if (kind != EntryKind::tree || entry.id != next_) return false;
  next_ = entry.parent_id;
  return true;
}

}  // namespace logwood::storage
