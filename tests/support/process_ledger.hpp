// What writers that may be killed at any moment were about to append, and what
// they were told about it. It lies in shared memory, so it outlives them: a batch
// is written down before the append, its answer after it.
//
// The content of a batch follows from its number, so whoever reads a session can
// check every byte of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/entry.hpp"
#include "support/process_shared_memory.hpp"

namespace logwood {

/// Names a batch of the ledger: who wrote it, and its number there.
struct BatchKey {
  std::uint32_t writer = 0;
  std::uint32_t number = 0;
  bool operator==(const BatchKey&) const = default;
};

enum class Answer : std::uint8_t {
  none,          ///< the writer was killed, or is still waiting: it may be there or not
  acknowledged,  ///< it is there, for ever
  refused,       ///< a conflict: it is not there
};

/// What became of the erasure of a batch's first entry.
enum class Erased : std::uint8_t {
  no,
  attempted,  ///< it may be there or not
  yes,        ///< it is gone, for ever
};

struct LedgerBatch {
  std::uint32_t session = 0;
  std::uint32_t entry_count = 0;
  std::uint32_t entry_size_bytes = 0;
  std::atomic<Answer> answer = Answer::none;
  std::atomic<Erased> erased = Erased::no;
};

class Ledger {
 public:
  static constexpr std::uint32_t batches_max = 1U << 16U;  // of one writer

  explicit Ledger(std::uint32_t writers);

  /// Forgets everything. Nobody may be at work.
  void clear();

  /// Writes down a batch before it is appended; nothing when the ledger is full.
  std::optional<BatchKey> intend(std::uint32_t writer, std::uint32_t session,
                                 std::uint32_t entry_count, std::uint32_t entry_size_bytes);

  [[nodiscard]] LedgerBatch& operator[](const BatchKey& key) const;
  [[nodiscard]] std::uint32_t writers() const { return writers_; }
  [[nodiscard]] std::uint32_t count(std::uint32_t writer) const { return counts_[writer]; }

  /// The drafts of a batch, with their ids.
  [[nodiscard]] std::vector<Draft> drafts(const BatchKey& key) const;

 private:
  std::uint32_t writers_;
  SharedMemory<std::atomic<std::uint32_t>> counts_;
  SharedMemory<LedgerBatch> batches_;
};

/// Checks that entries, as they are read in order, are batches of the ledger:
/// whole, unbroken, each once, with the content they were given. Says what is
/// wrong; once it has said so it must not be used any more.
class LedgerReading {
 public:
  LedgerReading(const Ledger& ledger, std::uint32_t session)
      : ledger_(&ledger), session_(session) {}

  /// Takes the next entry of the session.
  std::optional<std::string> take(const Entry& entry);

  /// What would be wrong if the session ended here: a batch that is not whole.
  [[nodiscard]] std::optional<std::string> at_end() const;

  /// The batches that were whole so far, in order.
  [[nodiscard]] const std::vector<BatchKey>& batches() const { return batches_; }

 private:
  const Ledger* ledger_;
  std::uint32_t session_;
  std::vector<BatchKey> batches_;
  std::vector<std::vector<bool>> known_;  // by writer and number
  BatchKey open_;
  std::uint32_t open_place_ = 0;  // entries of open_ that were taken; 0: none is open
};

/// Whether it is one of the marks that writers append besides: they are in no ledger.
[[nodiscard]] bool is_besides(const Entry& entry);

/// The id of an entry of a batch; its places count from 1.
[[nodiscard]] EntryId id_in_batch(const BatchKey& key, std::uint32_t place);

/// The place of an entry, as its id says: the batch and from 1 to its entry count.
struct EntryPlaceInBatch {
  BatchKey batch;
  std::uint32_t place = 0;
};
[[nodiscard]] std::optional<EntryPlaceInBatch> place_of(std::string_view entry_id);

/// Whether the entry has the content that the ledger gives it, or none because somebody erased
/// it, or began to.
[[nodiscard]] bool has_its_content(const Ledger& ledger, const Entry& entry);

}  // namespace logwood
