#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/siphash.hpp"
#include "format/fold.hpp"
#include "logwood/entry.hpp"

namespace logwood::storage::jsonl {

/// Where an entry lies and who its parent is: 32 bytes, as in the index file.
struct IndexRecord {
  std::uint64_t offset = 0;
  std::uint32_t size = 0;  ///< of its line, without LF
  EntryKind kind = EntryKind::tree;
  std::uint8_t is_tombstone = 0;
  std::uint8_t is_redaction = 0;
  std::uint8_t unused = 0;
  std::uint64_t id_hash = 0;
  std::uint64_t parent_hash = 0;  ///< 0: no parent
};
static_assert(sizeof(IndexRecord) == 32);

/// Finds committed entries by id, approximately: an id that is there is always
/// among the candidates, and whoever uses one reads its line and compares.
///
/// The records of a long session are only read when something is looked up;
/// until then the first `missing()` of them are not in memory.
class IdIndex {
 public:
  explicit IdIndex(const SipKey& key, std::uint64_t missing = 0) : key_(key), missing_(missing) {}

  void add(const EntryId& id, std::string_view parent_id, const IndexRecord& where);

  /// How many records at the front still have to be handed to fill().
  [[nodiscard]] std::uint64_t missing() const { return missing_; }
  void fill(std::vector<IndexRecord> front);

  [[nodiscard]] std::uint64_t size() const { return missing_ + records_.size(); }
  [[nodiscard]] const SipKey& key() const { return key_; }
  /// The records from number `first` on; they must be in memory.
  [[nodiscard]] std::span<const IndexRecord> from(std::uint64_t first) const;

  /// Records whose id may be `id`, the oldest first. Nothing may be missing.
  [[nodiscard]] std::vector<IndexRecord> candidates(std::string_view id);

 private:
  void build_slots();
  void place(std::uint32_t number);

  SipKey key_;
  std::uint64_t missing_;
  std::vector<IndexRecord> records_;
  std::string last_id_;               // whose record was added last
  std::vector<std::uint32_t> slots_;  // record number + 1; empty until first needed
};

}  // namespace logwood::storage::jsonl
