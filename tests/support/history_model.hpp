#pragma once

#include <cstdint>
#include <vector>

#include "support/history.hpp"

namespace logwood {

/// What a session is to one user at a time: the promise that a history of many
/// users is compared with.
class SessionModel {
 public:
  /// Carries out the call, and returns what it must be answered.
  HistoryAnswer apply(const HistoryCall& call);

  [[nodiscard]] const std::vector<HistoryEntry>& entries() const { return entries_; }
  [[nodiscard]] HistoryTail tail() const;

  bool operator==(const SessionModel&) const = default;

 private:
  HistoryAnswer append(const AppendCall& call);
  [[nodiscard]] const HistoryEntry* find(std::uint32_t id) const;

  std::vector<HistoryEntry> entries_;
};

}  // namespace logwood
