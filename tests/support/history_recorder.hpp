// Where processes that may be killed write down what they do, so that it is a
// history afterwards: the call before it is made, the answer after it came.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "support/history.hpp"
#include "support/process_shared_memory.hpp"

namespace logwood {

class HistoryRecorder {
 public:
  static constexpr std::size_t operations_max = 1024;
  static constexpr std::size_t batch_entries_max = 4;
  static constexpr std::size_t seen_entries_max = 1U << 20U;

  /// Forgets everything. Nobody may be at work.
  void clear();

  /// Gives an operation that has just been called a place; its session, process and call count.
  std::size_t call(const HistoryOperation& operation);
  void answer(std::size_t place, const HistoryAnswer& answer);

  /// What was written down so far, for whoever wants to repeat it.
  [[nodiscard]] std::size_t count() const;
  /// The call at a place; only while it is being written down there is none.
  [[nodiscard]] std::optional<HistoryOperation> operation(std::size_t place) const;

  [[nodiscard]] History history() const;

 private:
  enum class Stage : std::uint8_t { none, called, answered };
  enum class CallKind : std::uint8_t { append, status, load, find };
  enum class AnswerKind : std::uint8_t {
    appended,
    tail_conflict,
    id_conflict,
    tail,
    entries,
    entry
  };

  // An operation without pointers, as it must be to lie in shared memory.
  struct Flat {
    std::atomic<Stage> stage;
    std::uint32_t session;
    std::uint32_t process;
    std::int64_t called_ns;
    std::int64_t answered_ns;

    CallKind call;
    std::uint32_t entry_count;
    HistoryEntry entries[batch_entries_max];
    bool expects_tail;
    bool expects_some;
    std::uint32_t expected_tail;
    bool has_limit;
    std::uint64_t number;  // the limit, or the id to find

    AnswerKind answer;
    bool is_some;  // of the tail or entry
    std::uint32_t tail;
    HistoryEntry entry;
    std::uint64_t appended_count;
    bool replayed;
    std::size_t seen_begin;
    std::size_t seen_count;
  };

  [[nodiscard]] static HistoryCall call_in(const Flat& flat);
  [[nodiscard]] HistoryAnswer answer_in(const Flat& flat) const;

  SharedMemory<std::atomic<std::size_t>> used_;
  SharedMemory<Flat> operations_{operations_max};
  SharedMemory<std::atomic<std::size_t>> seen_used_;
  SharedMemory<HistoryEntry> seen_{seen_entries_max};
};

}  // namespace logwood
