#include "support/history_mutations.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace logwood {
namespace {

using Entries = std::vector<HistoryEntry>;
using Place = Entries::iterator;
using Mutated = std::optional<History>;
using Operation = HistoryOperation;

// --- looking at operations ----------------------------------------------------------------------

const AppendCall* append_of(const Operation& operation) {
  return std::get_if<AppendCall>(&operation.call);
}

// An append that added entries.
bool is_added(const Operation& operation) {
  const auto* answer = std::get_if<Appended>(&operation.answer);
  return answer != nullptr && !answer->replayed;
}

bool is_whole_load(const Operation& operation) {
  const auto* load = std::get_if<LoadCall>(&operation.call);
  return load != nullptr && !load->limit && operation.is_answered();
}

Entries& seen_by(Operation& load) { return std::get<EntriesSeen>(load.answer).entries; }
const Entries& seen_by(const Operation& load) { return std::get<EntriesSeen>(load.answer).entries; }

bool is_before(const Operation& first, const Operation& second) {
  return first.answered_ns < second.called_ns;
}

bool moves_tail(const Operation& append) {
  const Entries& entries = append_of(append)->entries;
  return std::any_of(entries.begin(), entries.end(), [](const auto& one) { return !one.is_mark; });
}

bool has_id(const Entries& entries, std::uint32_t id) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& one) { return one.id == id; });
}

bool shares_id(const Operation& append, const Entries& entries) {
  const Entries& own = append_of(append)->entries;
  return std::any_of(own.begin(), own.end(),
                     [&](const HistoryEntry& one) { return has_id(entries, one.id); });
}

// No other append of the history has an id of this one.
bool has_ids_alone(const History& history, const Operation& append) {
  return std::none_of(history.begin(), history.end(), [&](const Operation& other) {
    return &other != &append && append_of(other) != nullptr && other.session == append.session &&
           shares_id(other, append_of(append)->entries);
  });
}

const Operation& last_load(const History& history, std::uint32_t session) {
  const Operation* last = nullptr;
  for (const Operation& one : history) {
    if (one.session == session && is_whole_load(one) &&
        (last == nullptr || one.called_ns > last->called_ns)) {
      last = &one;
    }
  }
  return *last;
}

// Where the first entry of an append stands among what was seen.
Place place_of(Entries& entries, const Operation& append) {
  return std::find_if(entries.begin(), entries.end(), [&](const HistoryEntry& one) {
    return one.id == append_of(append)->entries.front().id;
  });
}

// The tail when only what stands before the append was there.
HistoryTail tail_before(const History& history, const Operation& append) {
  HistoryTail tail;
  for (const HistoryEntry& entry : seen_by(last_load(history, append.session))) {
    if (entry.id == append_of(append)->entries.front().id) break;
    if (!entry.is_mark) tail = entry.id;
  }
  return tail;
}

Appended success_of(const Operation& append) {
  const Entries& entries = append_of(append)->entries;
  return {entries.back().id, entries.size(), false};
}

void remove(Entries& entries, const Operation& append) {
  std::erase_if(
      entries, [&](const HistoryEntry& one) { return has_id(append_of(append)->entries, one.id); });
}

void add(Entries& entries, const Operation& append) {
  const Entries& more = append_of(append)->entries;
  entries.insert(entries.end(), more.begin(), more.end());
}

// --- choosing -----------------------------------------------------------------------------------

using Test = std::function<bool(const Operation&)>;
using Tests = std::function<bool(const Operation&, const Operation&)>;

Operation* any(History& history, HistoryRandom& random, const Test& fits) {
  std::vector<Operation*> found;
  for (Operation& one : history) {
    if (fits(one)) found.push_back(&one);
  }
  return found.empty() ? nullptr : found[random() % found.size()];
}

// Two operations of one session.
std::pair<Operation*, Operation*> any_two(History& history, HistoryRandom& random,
                                          const Tests& fit) {
  std::vector<std::pair<Operation*, Operation*>> found;
  for (Operation& first : history) {
    for (Operation& second : history) {
      if (&first != &second && first.session == second.session && fit(first, second)) {
        found.emplace_back(&first, &second);
      }
    }
  }
  return found.empty() ? std::pair<Operation*, Operation*>() : found[random() % found.size()];
}

Operation& mutable_last_load(History& history, std::uint32_t session) {
  return const_cast<Operation&>(last_load(history, session));
}

// --- the lies -----------------------------------------------------------------------------------

// The last load lacks what was acknowledged before it was called.
Mutated lose_acknowledged(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [](const Operation& one) {
    return std::holds_alternative<Appended>(one.answer);
  });
  if (append == nullptr) return std::nullopt;
  remove(seen_by(mutable_last_load(bad, append->session)), *append);
  return bad;
}

// Two appends expected the same tail, moved it, and both succeeded; a tail that was
// left never comes back.
Mutated let_two_win(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [winner, loser] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    const AppendCall* const a = append_of(one);
    const AppendCall* const b = append_of(two);
    return a != nullptr && b != nullptr && is_added(one) && moves_tail(one) && moves_tail(two) &&
           std::holds_alternative<TailConflict>(two.answer) && a->expected_tail &&
           a->expected_tail == b->expected_tail && !shares_id(one, b->entries);
  });
  if (winner == nullptr) return std::nullopt;
  loser->answer = success_of(*loser);
  Entries& seen = seen_by(mutable_last_load(bad, loser->session));
  remove(seen, *loser);
  const auto behind =
      place_of(seen, *winner) + static_cast<std::ptrdiff_t>(append_of(*winner)->entries.size());
  const Entries& more = append_of(*loser)->entries;
  seen.insert(behind, more.begin(), more.end());
  return bad;
}

// A tail that an acknowledged append had left is seen afterwards.
Mutated show_stale_tail(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [append, status] =
      any_two(bad, random, [](const Operation& one, const Operation& two) {
        return is_added(one) && moves_tail(one) && is_before(one, two) &&
               std::holds_alternative<TailSeen>(two.answer);
      });
  if (append == nullptr) return std::nullopt;
  status->answer = TailSeen{tail_before(good, *append)};
  return bad;
}

// A load that is not the last has its first entry behind all others.
Mutated swap_in_one_load(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [load, later] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    return is_whole_load(one) && is_whole_load(two) && is_before(one, two) &&
           seen_by(one).size() >= 2;
  });
  if (load == nullptr) return std::nullopt;
  Entries& seen = seen_by(*load);
  std::rotate(seen.begin(), seen.begin() + 1, seen.end());
  return bad;
}

// The last load has two appends the other way round although one was answered
// before the other was called.
Mutated swap_in_time(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [first, second] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    return is_added(one) && is_added(two) && is_before(one, two);
  });
  if (first == nullptr) return std::nullopt;
  Entries& seen = seen_by(mutable_last_load(bad, first->session));
  remove(seen, *first);
  const auto behind =
      place_of(seen, *second) + static_cast<std::ptrdiff_t>(append_of(*second)->entries.size());
  const Entries& moved = append_of(*first)->entries;
  seen.insert(behind, moved.begin(), moved.end());
  return bad;
}

// An entry is there twice.
Mutated duplicate(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const load = any(bad, random, [](const Operation& one) {
    return is_whole_load(one) && !seen_by(one).empty();
  });
  if (load == nullptr) return std::nullopt;
  Entries& seen = seen_by(*load);
  seen.push_back(seen[random() % seen.size()]);
  return bad;
}

// What was refused, and was never tried again, is there.
Mutated resurrect_refused(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [&](const Operation& one) {
    return std::holds_alternative<TailConflict>(one.answer) && has_ids_alone(bad, one);
  });
  if (append == nullptr) return std::nullopt;
  add(seen_by(mutable_last_load(bad, append->session)), *append);
  return bad;
}

// A load lacks the last entry of a batch of several.
Mutated split_batch(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [append, load] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    return is_added(one) && append_of(one)->entries.size() > 1 && is_whole_load(two) &&
           !seen_by(two).empty() && seen_by(two).back() == append_of(one)->entries.back();
  });
  if (append == nullptr) return std::nullopt;
  seen_by(*load).pop_back();
  return bad;
}

// A conflict whose actual tail is the one that was expected.
Mutated contradict_in_conflict(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [](const Operation& one) {
    return std::holds_alternative<TailConflict>(one.answer);
  });
  if (append == nullptr) return std::nullopt;
  append->answer = TailConflict{*append_of(*append)->expected_tail};
  return bad;
}

// An append adds what was acknowledged before.
Mutated deny_replay(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [first, again] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    const auto* answer = std::get_if<Appended>(&two.answer);
    return is_added(one) && answer != nullptr && answer->replayed && is_before(one, two) &&
           append_of(one)->entries == append_of(two)->entries;
  });
  if (first == nullptr) return std::nullopt;
  again->answer = success_of(*again);
  return bad;
}

// An append finds its entries there although nobody else ever appended them.
Mutated claim_replay(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(
      bad, random, [&](const Operation& one) { return is_added(one) && has_ids_alone(bad, one); });
  if (append == nullptr) return std::nullopt;
  append->answer = Appended{append_of(*append)->entries.back().id, 0, true};
  return bad;
}

// A load has what was only called for after its answer.
Mutated see_the_future(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [load, append] = any_two(bad, random, [&](const Operation& one, const Operation& two) {
    return is_whole_load(one) && is_added(two) && is_before(one, two) && has_ids_alone(bad, two);
  });
  if (load == nullptr) return std::nullopt;
  add(seen_by(*load), *append);
  return bad;
}

// A load has less than one that was answered before it was called.
Mutated shrink(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [first, second] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    return is_whole_load(one) && is_whole_load(two) && is_before(one, two) && !seen_by(one).empty();
  });
  if (first == nullptr) return std::nullopt;
  seen_by(*second) = seen_by(*first);
  seen_by(*second).resize(random() % seen_by(*first).size());
  return bad;
}

// An entry has content that nobody gave it.
Mutated change_content(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const load = any(bad, random, [](const Operation& one) {
    return is_whole_load(one) && !seen_by(one).empty();
  });
  if (load == nullptr) return std::nullopt;
  Entries& seen = seen_by(*load);
  seen[random() % seen.size()].content = 0xFFFF'FFFFU;
  return bad;
}

// An append succeeded although it expected another tail than the one before it.
Mutated expect_another_tail(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [](const Operation& one) {
    return is_added(one) && append_of(one)->expected_tail;
  });
  if (append == nullptr) return std::nullopt;
  const HistoryTail right = *append_of(*append)->expected_tail;
  const Entries& all = seen_by(last_load(good, append->session));
  HistoryTail wrong = all[random() % all.size()].id;
  if (wrong == right) wrong.reset();
  std::get<AppendCall>(append->call).expected_tail = wrong;
  return bad;
}

// A conflict is told to be a success, and nothing of it is there.
Mutated pretend_success(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [&](const Operation& one) {
    return std::holds_alternative<TailConflict>(one.answer) &&
           !shares_id(one, seen_by(last_load(good, one.session)));
  });
  if (append == nullptr) return std::nullopt;
  append->answer = success_of(*append);
  return bad;
}

// What was acknowledged is not found by its id.
Mutated find_nothing(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [append, find] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    const auto* call = std::get_if<FindCall>(&two.call);
    return is_added(one) && call != nullptr && is_before(one, two) && two.is_answered() &&
           has_id(append_of(one)->entries, call->id);
  });
  if (append == nullptr) return std::nullopt;
  find->answer = EntrySeen{};
  return bad;
}

// An id that is there with other content is told to be there with this content.
Mutated accept_other_content(const History& good, HistoryRandom& random) {
  History bad = good;
  Operation* const append = any(bad, random, [&](const Operation& one) {
    if (!std::holds_alternative<IdConflict>(one.answer)) return false;
    const Entries& all = seen_by(last_load(good, one.session));
    const Entries& own = append_of(one)->entries;
    return std::any_of(own.begin(), own.end(), [&](const HistoryEntry& mine) {
      return std::any_of(all.begin(), all.end(), [&](const HistoryEntry& there) {
        return there.id == mine.id && there != mine;
      });
    });
  });
  if (append == nullptr) return std::nullopt;
  append->answer = Appended{append_of(*append)->entries.back().id, 0, true};
  return bad;
}

// The newest entries lack one that was acknowledged before.
Mutated miss_the_newest(const History& good, HistoryRandom& random) {
  History bad = good;
  const auto [append, load] = any_two(bad, random, [](const Operation& one, const Operation& two) {
    const auto* call = std::get_if<LoadCall>(&two.call);
    return is_added(one) && call != nullptr && call->limit && two.is_answered() &&
           is_before(one, two) && has_id(seen_by(two), append_of(one)->entries.back().id);
  });
  if (append == nullptr) return std::nullopt;
  remove(seen_by(*load), *append);
  return bad;
}

constexpr HistoryMutation all_mutations[] = {
    {"an acknowledged append is lost", lose_acknowledged},
    {"two appends win on one tail", let_two_win},
    {"a stale tail after an acknowledgement", show_stale_tail},
    {"one load in another order", swap_in_one_load},
    {"the order against time", swap_in_time},
    {"an entry twice", duplicate},
    {"a refused append is there", resurrect_refused},
    {"half a batch", split_batch},
    {"a conflict with the expected tail", contradict_in_conflict},
    {"added again", deny_replay},
    {"replayed without a first time", claim_replay},
    {"an entry before its append", see_the_future},
    {"a session that shrinks", shrink},
    {"changed content", change_content},
    {"success against another tail", expect_another_tail},
    {"success without effect", pretend_success},
    {"an acknowledged entry is not found", find_nothing},
    {"other content taken for the same", accept_other_content},
    {"the newest entries miss one", miss_the_newest},
};

}  // namespace

std::span<const HistoryMutation> history_mutations() { return all_mutations; }

}  // namespace logwood
