// Whether a history could have been made by one user at a time: whether each
// operation can be given one moment between its call and its answer such that, done
// at those moments one after the other, all of them have the answers they had.
//
// The search is that of Wing and Gong with Lowe's memory of states that were tried:
// among the operations that nothing unfinished precedes, one whose answer the model
// gives is done next; where there is none, the last choice is taken back. Sessions
// are independent, so each is searched alone. An operation without answer may be
// done at any time after its call, or never. Two things make it quick: an operation
// that changes nothing is done as soon as it fits, which never spoils anything; and
// as sessions only grow, a state that is not the beginning of every load still to
// come is given up at once.
#pragma once

#include <cstdint>
#include <string>

#include "support/history.hpp"

namespace logwood {

struct HistoryVerdict {
  enum class Kind : std::uint8_t { linearizable, not_linearizable, gave_up };
  Kind kind = Kind::linearizable;
  /// For people: how far the best attempt came, and what could not come next.
  std::string explanation;
  std::uint64_t steps = 0;

  [[nodiscard]] bool is_linearizable() const { return kind == Kind::linearizable; }
};

/// Gives up after so many steps in one session; a history of 200 operations of 8
/// processes takes a few hundred.
inline constexpr std::uint64_t steps_max = 500'000;

[[nodiscard]] HistoryVerdict check_history(const History& history);

}  // namespace logwood
