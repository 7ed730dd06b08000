// Turns a linearizable history into one that is not, each time by one lie: a
// checker that accepts one of them is worth nothing.
//
// A history to start from ends, for each session, with a load that was called after
// every answer. As sessions only grow, that load fixes the order of everything: any
// state on the way is one of its beginnings, between two batches. Each mutation says
// why what it makes cannot be.
#pragma once

#include <optional>
#include <random>
#include <span>
#include <string_view>

#include "support/history.hpp"

namespace logwood {

using HistoryRandom = std::mt19937_64;

struct HistoryMutation {
  std::string_view name;
  /// Nothing when the history has no place for this lie.
  std::optional<History> (*apply)(const History& history, HistoryRandom& random);
};

[[nodiscard]] std::span<const HistoryMutation> history_mutations();

}  // namespace logwood
