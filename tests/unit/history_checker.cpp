#include "support/history_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "support/history_model.hpp"
#include "support/history_mutations.hpp"

namespace logwood {
namespace {

using Kind = HistoryVerdict::Kind;

HistoryEntry entry(std::uint32_t id) { return {id, 100 + id, false}; }

HistoryOperation operation(std::int64_t called, std::int64_t answered, HistoryCall call,
                           HistoryAnswer answer) {
  return {0, 0, called, answered, std::move(call), std::move(answer)};
}

HistoryOperation append(std::int64_t called, std::int64_t answered, std::uint32_t id,
                        HistoryAnswer answer, std::optional<HistoryTail> expected = {}) {
  return operation(called, answered, AppendCall{{entry(id)}, expected}, std::move(answer));
}

HistoryOperation killed_append(std::int64_t called, std::uint32_t id) {
  return append(called, never_ns, id, NoAnswer{});
}

HistoryOperation load(std::int64_t called, std::int64_t answered,
                      const std::vector<std::uint32_t>& ids) {
  EntriesSeen seen;
  for (const std::uint32_t id : ids) seen.entries.push_back(entry(id));
  return operation(called, answered, LoadCall{}, seen);
}

HistoryOperation status(std::int64_t called, std::int64_t answered, HistoryTail tail) {
  return operation(called, answered, StatusCall{}, TailSeen{tail});
}

Appended added(std::uint32_t id) { return {id, 1, false}; }

Kind verdict_on(const History& history) { return check_history(history).kind; }

TEST(HistoryChecker, AcceptsTheEmptyHistory) { EXPECT_EQ(verdict_on({}), Kind::linearizable); }

TEST(HistoryChecker, AcceptsOperationsOneAfterTheOther) {
  EXPECT_EQ(verdict_on({append(1, 2, 1, added(1)), status(3, 4, 1), load(5, 6, {1})}),
            Kind::linearizable);
}

TEST(HistoryChecker, LetsOverlappingOperationsHappenInEitherOrder) {
  EXPECT_EQ(verdict_on({append(1, 10, 1, added(1)), status(2, 9, std::nullopt)}),
            Kind::linearizable);
  EXPECT_EQ(verdict_on({append(1, 10, 1, added(1)), status(2, 9, 1)}), Kind::linearizable);
}

TEST(HistoryChecker, RejectsAReadThatMissesWhatWasAnswered) {
  EXPECT_EQ(verdict_on({append(1, 2, 1, added(1)), status(3, 4, std::nullopt)}),
            Kind::not_linearizable);
}

TEST(HistoryChecker, RejectsReadsThatGoBackInTime) {
  EXPECT_EQ(
      verdict_on({append(1, 100, 1, added(1)), status(10, 20, 1), status(30, 40, std::nullopt)}),
      Kind::not_linearizable);
}

TEST(HistoryChecker, RejectsTwoSuccessesOnOneTail) {
  const HistoryTail nothing;
  EXPECT_EQ(verdict_on({append(1, 10, 1, added(1), nothing), append(2, 9, 2, added(2), nothing)}),
            Kind::not_linearizable);
  EXPECT_EQ(
      verdict_on({append(1, 10, 1, added(1), nothing), append(2, 9, 2, TailConflict{1}, nothing)}),
      Kind::linearizable);
}

TEST(HistoryChecker, LetsWhatWasKilledHappenLaterOrNever) {
  EXPECT_EQ(verdict_on({killed_append(1, 1), load(2, 3, {}), load(4, 5, {1})}), Kind::linearizable);
  EXPECT_EQ(verdict_on({killed_append(1, 1), load(2, 3, {})}), Kind::linearizable);
  EXPECT_EQ(verdict_on({killed_append(1, 1), load(2, 3, {1}), load(4, 5, {})}),
            Kind::not_linearizable);
  EXPECT_EQ(verdict_on({load(1, 2, {1}), killed_append(3, 1)}), Kind::not_linearizable);
}

TEST(HistoryChecker, KnowsThatARepeatedAppendAddsNothing) {
  EXPECT_EQ(
      verdict_on({killed_append(1, 1), append(2, 3, 1, Appended{1, 0, true}), load(4, 5, {1})}),
      Kind::linearizable);
  EXPECT_EQ(verdict_on({append(1, 2, 1, added(1)), append(3, 4, 1, added(1))}),
            Kind::not_linearizable);
}

TEST(HistoryChecker, LooksAtEachSessionByItself) {
  History history = {append(1, 2, 1, added(1)), status(3, 4, std::nullopt)};
  history[1].session = 1;
  EXPECT_EQ(verdict_on(history), Kind::linearizable);
}

TEST(HistoryChecker, SaysWhatCouldNotComeNext) {
  const HistoryVerdict verdict =
      check_history({append(1000, 2000, 1, added(1)), status(3000, 4000, std::nullopt)});
  EXPECT_NE(verdict.explanation.find("status -> tail none"), std::string::npos)
      << verdict.explanation;
}

// --- against all orders -------------------------------------------------------------------------

// Tries every order of every choice of killed operations: slow, and obviously right.
bool has_an_order(const History& history) {
  std::vector<std::size_t> order(history.size());
  std::iota(order.begin(), order.end(), 0U);
  do {
    // An operation that was killed and comes after all others may as well not have happened.
    SessionModel session;
    bool fits = true;
    for (std::size_t i = 0; i < order.size() && fits; ++i) {
      const HistoryOperation& now = history[order[i]];
      for (std::size_t later = i + 1; later < order.size() && fits; ++later) {
        fits = history[order[later]].answered_ns >= now.called_ns;
      }
      const HistoryAnswer answer = session.apply(now.call);
      fits = fits && (!now.is_answered() || answer == now.answer);
    }
    if (fits) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// A few overlapping operations with answers that are often, but not always, possible.
History small_history(HistoryRandom& random) {
  History history;
  SessionModel session;
  const std::size_t count = 2 + random() % 5;
  for (std::size_t i = 0; i < count; ++i) {
    HistoryCall call = StatusCall{};
    const auto id = static_cast<std::uint32_t>(1 + random() % 3);
    switch (random() % 4) {
      case 0:
        call = AppendCall{{entry(id)}, session.tail()};
        break;
      case 1:
        call = AppendCall{{entry(id), entry(id + 3)}, std::nullopt};
        break;
      case 2:
        call = LoadCall{};
        break;
      default:
        break;
    }
    const SessionModel before = session;
    HistoryAnswer answer = session.apply(call);
    if (random() % 4 == 0) session = before;  // a lie, perhaps
    const auto called = static_cast<std::int64_t>(random() % 10);
    const auto answered = called + 1 + static_cast<std::int64_t>(random() % 6);
    const bool killed = random() % 6 == 0;
    history.push_back(operation(called, killed ? never_ns : answered, std::move(call),
                                killed ? HistoryAnswer(NoAnswer{}) : std::move(answer)));
  }
  return history;
}

TEST(HistoryChecker, AgreesWithATrialOfAllOrders) {
  HistoryRandom random(1);
  int accepted = 0;
  constexpr int tries = 3000;
  for (int i = 0; i < tries; ++i) {
    const History history = small_history(random);
    const bool right = has_an_order(history);
    accepted += right ? 1 : 0;
    std::string text;
    for (const HistoryOperation& one : history) text += describe(one) + '\n';
    ASSERT_EQ(check_history(history).is_linearizable(), right) << text;
  }
  EXPECT_GT(accepted, tries / 10);  // both verdicts occurred
  EXPECT_LT(accepted, tries * 9 / 10);
}

// --- falsified histories ------------------------------------------------------------------------

// A history of several processes, each operation done at a moment of its own, ending
// with a load.
History large_history(HistoryRandom& random) {
  constexpr std::uint32_t processes = 6;
  History history;
  SessionModel session;
  std::vector<std::int64_t> free_at(processes);
  std::vector<std::vector<HistoryEntry>> batches;
  std::vector<HistoryTail> tails = {HistoryTail()};
  std::uint32_t next_id = 1;
  for (std::int64_t moment = 100; moment < 15'000; moment += 100) {
    const auto process = static_cast<std::uint32_t>(random() % processes);
    if (free_at[process] >= moment) continue;
    HistoryCall call = StatusCall{};
    const std::uint64_t draw = random() % 100;
    if (draw < 50) {
      std::vector<HistoryEntry> batch(1 + random() % 3);
      for (HistoryEntry& one : batch) one = {next_id++, next_id, random() % 8 == 0};
      if (draw < 5 && !batches.empty()) batch = batches[random() % batches.size()];
      if (draw < 2) ++batch.back().content;
      batches.push_back(batch);
      std::optional<HistoryTail> expected;
      if (draw >= 15)
        expected = tails[tails.size() - 1 - random() % std::min<std::size_t>(2, tails.size())];
      call = AppendCall{std::move(batch), expected};
    } else if (draw < 60) {
      call = LoadCall{};
    } else if (draw < 70) {
      call = LoadCall{1 + random() % 10};
    } else if (draw < 80) {
      call = FindCall{static_cast<std::uint32_t>(1 + random() % next_id)};
    }
    const auto called =
        moment -
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(moment - free_at[process]));
    const auto answered = moment + static_cast<std::int64_t>(random() % 400);
    HistoryAnswer answer = session.apply(call);
    if (session.tail() != tails.back()) tails.push_back(session.tail());
    const bool killed = random() % 25 == 0;
    history.push_back({0, process, called, killed ? never_ns : answered, std::move(call),
                       killed ? HistoryAnswer(NoAnswer{}) : std::move(answer)});
    free_at[process] = answered;
  }
  history.push_back(operation(20'000, 20'001, LoadCall{}, session.apply(LoadCall{})));
  return history;
}

TEST(HistoryChecker, AcceptsHistoriesThatWereMadeInOneOrder) {
  HistoryRandom random(2);
  for (int i = 0; i < 100; ++i) {
    const HistoryVerdict verdict = check_history(large_history(random));
    ASSERT_TRUE(verdict.is_linearizable()) << verdict.explanation;
  }
}

TEST(HistoryChecker, RejectsEveryKindOfFalsifiedHistory) {
  HistoryRandom random(3);
  for (const HistoryMutation& mutation : history_mutations()) {
    int rejected = 0;
    for (int attempt = 0; attempt < 200 && rejected < 5; ++attempt) {
      const auto bad = mutation.apply(large_history(random), random);
      if (!bad) continue;
      ASSERT_EQ(verdict_on(*bad), Kind::not_linearizable) << mutation.name;
      ++rejected;
    }
    EXPECT_EQ(rejected, 5) << mutation.name;
  }
}

}  // namespace
}  // namespace logwood
