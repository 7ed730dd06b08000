// What several processes did to sessions of one store, and what they were told:
// the histories that tests/support/history_checker judges.
//
// Entries are numbers here: `id` names the entry, `content` stands for its text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace logwood {

struct HistoryEntry {
  std::uint32_t id = 0;
  std::uint32_t content = 0;
  bool is_mark = false;  ///< does not become the tail
  auto operator<=>(const HistoryEntry&) const = default;
};

/// The tail of a session: an entry, or nothing before the first one.
using HistoryTail = std::optional<std::uint32_t>;

// Calls, and the answer that each can have.

struct AppendCall {
  std::vector<HistoryEntry> entries;
  std::optional<HistoryTail> expected_tail;
  bool operator==(const AppendCall&) const = default;
};
struct Appended {
  std::uint32_t last_id = 0;
  std::uint64_t count = 0;
  bool replayed = false;
  bool operator==(const Appended&) const = default;
};
struct TailConflict {
  HistoryTail actual;
  bool operator==(const TailConflict&) const = default;
};
struct IdConflict {
  bool operator==(const IdConflict&) const = default;
};

struct StatusCall {
  bool operator==(const StatusCall&) const = default;
};
struct TailSeen {
  HistoryTail tail;
  bool operator==(const TailSeen&) const = default;
};

/// Everything in append order, or the newest `limit` entries, newest first.
struct LoadCall {
  std::optional<std::size_t> limit;
  bool operator==(const LoadCall&) const = default;
};
struct EntriesSeen {
  std::vector<HistoryEntry> entries;
  bool operator==(const EntriesSeen&) const = default;
};

struct FindCall {
  std::uint32_t id = 0;
  bool operator==(const FindCall&) const = default;
};
struct EntrySeen {
  std::optional<HistoryEntry> entry;
  bool operator==(const EntrySeen&) const = default;
};

/// The process was killed before it had an answer: it may have happened or not.
struct NoAnswer {
  bool operator==(const NoAnswer&) const = default;
};

using HistoryCall = std::variant<AppendCall, StatusCall, LoadCall, FindCall>;
using HistoryAnswer =
    std::variant<NoAnswer, Appended, TailConflict, IdConflict, TailSeen, EntriesSeen, EntrySeen>;

inline constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

struct HistoryOperation {
  std::uint32_t session = 0;
  std::uint32_t process = 0;
  std::int64_t called_ns = 0;
  std::int64_t answered_ns = never_ns;
  HistoryCall call;
  HistoryAnswer answer;

  [[nodiscard]] bool is_answered() const { return !std::holds_alternative<NoAnswer>(answer); }
};

using History = std::vector<HistoryOperation>;

/// One operation on one line, for people.
[[nodiscard]] std::string describe(const HistoryOperation& operation);

}  // namespace logwood
