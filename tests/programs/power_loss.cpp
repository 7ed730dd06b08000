// Power loss and killed processes, tried in full: every sequence of operations up to a
// length, and longer ones by chance, with every state that a crash at any moment of
// them could leave.
//
//   power_loss [--seed N] [--threads N] [--directed]
//   power_loss --scenario 'SCENARIO'                      one alone
//   power_loss --replay 'SCENARIO' CHANGE KIND NUMBER     as a violation is printed
//
// With a budget the directed scenarios and all sequences of two moves are run whatever
// it is, and it bounds the scenarios by chance; without one, all sequences of three.
// With --directed only the first of these.
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/budget.hpp"
#include "support/crash_search.hpp"
#include "support/repeatable_random.hpp"
#include "support/thousands.hpp"

LOGWOOD_REPEATABLE_RANDOM

namespace {

using namespace logwood;  // NOLINT(google-build-using-namespace): a program about all of it

constexpr std::uint64_t campaign_states = 1'000'000;

// A disk with long strings costs a hundred times as much to look at: fewer of them are tried.
void lighten(CrashScenario& scenario) {
  if ((scenario.before + scenario.crashed).find(".long") == std::string::npos) return;
  scenario.most_mixtures = 60;
  scenario.most_cuts = 40;
}

// What each of these was written for is told by the tests in tests/crash.
std::vector<CrashScenario> directed(const std::vector<std::size_t>& sectors) {
  struct Row {
    Beginning beginning;
    const char* before;
    const char* crashed;
  };
  const std::vector<Row> rows{
      {Beginning::nothing, "", "A.open A.create A.append1"},
      {Beginning::store, "", "A.create A.append2"},
      {Beginning::store, "", "A.key A.append1 B.key B.append1"},
      {Beginning::store, "A.dies60 A.create", "B.create B.append1"},
      {Beginning::session, "", "A.append1 A.append3 A.append2"},
      {Beginning::session, "A.append2", "A.buffer2 A.kill B.again"},
      {Beginning::session, "A.append2", "A.buffer1 B.append1"},
      {Beginning::session, "A.append2", "A.buffer1 B.buffer2 A.append1"},
      {Beginning::session, "A.append2", "A.buffer1 B.syncfails B.append1 C.again1"},
      {Beginning::session, "A.append2", "A.buffer1 B.syncfails B.append1 A.buffer1 A.flush"},
      {Beginning::session, "A.append2", "A.syncfails A.append2 B.again C.append1"},
      {Beginning::session, "A.append2",
       "A.buffer1 B.append1 A.buffer1 A.syncfails2 A.flush C.append1"},
      {Beginning::session, "A.append2",
       "A.buffer1 A.buffer2 A.syncfails A.flush A.again B.append1"},
      {Beginning::session, "A.append2", "A.buffer3"},
      {Beginning::session, "A.append2", "A.short40 A.append2 B.append1 A.append1"},
      {Beginning::session, "A.append2", "A.buffer1 A.short150 A.buffer2 A.append1"},
      {Beginning::session, "A.append2", "A.buffer1 A.buffer3 A.buffer1"},
      {Beginning::session, "A.append2 B.append1", "A.dies100 A.append2 B.append1 B.again1"},
      {Beginning::session, "A.append2 B.append1", "A.dies0 A.append2 B.again"},
      {Beginning::session, "A.append2 A.buffer1", "A.dies150 A.buffer3 B.stale B.append1"},
      {Beginning::session, "A.append3", "A.reopen A.append1 A.reopen B.append1"},
      {Beginning::session, "A.append3 A.reopen", "A.buffer2 A.reopen A.again A.expect1"},
      {Beginning::session, "A.append1", "B.again A.stale B.stale A.again"},
      {Beginning::session, "A.append2 A.buffer1", "B.remove"},
      {Beginning::session, "A.append2", "A.erase A.append1"},
      {Beginning::session, "A.append2 B.append1", "A.buffer1 B.erase A.append1"},
      {Beginning::session, "A.append3 A.reopen", "A.erase A.erase B.again"},
      {Beginning::session, "A.append2", "A.dies200 A.erase B.append1 B.erase"},
      {Beginning::session, "A.append2", "A.syncfails A.erase A.append1 B.again"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.erase B.append1"},
      {Beginning::damaged, "", "A.append1 A.erase B.append1"},
      {Beginning::session, "A.append2", "A.long1 A.append1"},
      {Beginning::session, "A.long1", "A.long2 B.long1 B.again1"},
      {Beginning::session, "A.append1", "A.dies100 A.long1 B.again B.append1"},
      {Beginning::session, "A.append1", "A.syncfails A.long1 A.again"},
      {Beginning::session, "A.append1", "A.syncfails2 A.long1 B.again"},
      {Beginning::session, "A.append1 A.long2", "A.erase B.append1"},
      {Beginning::session, "A.append1 A.long1", "A.syncfails A.erase A.erase B.again"},
      {Beginning::session, "A.append1 A.dies100 A.long1", "B.erase B.again"},
      {Beginning::session, "A.append2 A.long1", "B.remove"},
      {Beginning::session, "A.append2", "A.head A.append1 B.head B.buffer1 B.flush"},
      {Beginning::session, "A.append3 A.head", "A.head A.reopen B.append1"},
      {Beginning::session, "A.append3", "A.fork A.append1 B.fork"},
      {Beginning::session, "A.append1 A.long1", "A.fork A.erase"},
      {Beginning::session, "A.append2 A.erase", "B.fork A.head A.fork"},
      {Beginning::session, "A.append2", "A.archive A.unarchive A.append1"},
      {Beginning::session, "A.append2 A.buffer1", "B.archive A.flush B.unarchive A.append1"},
      {Beginning::session, "A.append2 A.archive", "B.erase B.unarchive A.append1"},
      {Beginning::session, "A.append2", "A.syncfails A.archive A.append1"},
      {Beginning::session, "A.append2", "A.dies100 A.archive B.archive"},
      {Beginning::session, "A.append2 A.archive", "A.dies100 A.unarchive B.erase"},
      {Beginning::session, "A.append2 A.archive", "A.syncfails A.unarchive B.unarchive B.append1"},
      {Beginning::session, "A.append2", "A.remove A.restore B.append1"},
      {Beginning::session, "A.append1 A.long1", "A.remove A.restore A.erase"},
      {Beginning::session, "A.append1 A.long1 A.archive", "A.remove A.restore A.unarchive"},
      {Beginning::unsealed, "", "A.archive A.unarchive A.migrate"},
      {Beginning::unsealed, "", "A.migrate A.append2"},
      {Beginning::unsealed, "A.dies200 A.migrate", "B.migrate B.append1"},
      {Beginning::unsealed, "A.syncfails A.migrate", "A.migrate A.buffer1 A.flush"},
      {Beginning::damaged, "", "A.append1 A.buffer2 B.append1"},
      {Beginning::damaged, "A.again2", "A.buffer1 A.reopen B.again"},
  };
  std::vector<CrashScenario> made;
  for (const std::size_t sector : sectors) {
    for (const Row& row : rows) {
      CrashScenario scenario{row.beginning, sector, 300, row.before, row.crashed};
      lighten(scenario);
      made.push_back(std::move(scenario));
    }
  }
  return made;
}

const std::vector<std::string>& moves() {
  static const std::vector<std::string> all{"A.append1",
                                            "A.append3",
                                            "A.buffer2",
                                            "B.append1",
                                            "B.buffer1",
                                            "B.again",
                                            "A.stale",
                                            "B.erase",
                                            "A.long1",
                                            "A.head",
                                            "A.fork",
                                            "A.archive",
                                            "B.unarchive",
                                            "B.remove B.restore",
                                            "A.flush",
                                            "A.reopen",
                                            "A.kill",
                                            "A.syncfails A.append2",
                                            "A.short100 A.append2",
                                            "A.dies100 A.append2"};
  return all;
}

// Every sequence of `length` moves: all but the last are only played, since crashes in
// them were tried in the shorter ones.
std::vector<CrashScenario> sequences(std::size_t length) {
  std::vector<CrashScenario> made;
  std::size_t count = 1;
  for (std::size_t i = 0; i < length; ++i) count *= moves().size();
  for (std::size_t number = 0; number < count; ++number) {
    CrashScenario scenario;
    scenario.most_mixtures = 100;
    std::size_t rest = number;
    for (std::size_t i = 0; i < length; ++i, rest /= moves().size()) {
      std::string& part = i + 1 < length ? scenario.before : scenario.crashed;
      if (!part.empty()) part += ' ';
      part += moves()[rest % moves().size()];
    }
    lighten(scenario);
    made.push_back(std::move(scenario));
  }
  return made;
}

CrashScenario by_chance(std::uint64_t seed) {
  Choices choices(seed);
  CrashScenario scenario;
  const std::array<std::size_t, 4> sectors{32, 64, 128, 512};
  scenario.sector_bytes = sectors[choices.below(sectors.size())];
  scenario.most_mixtures = 100;
  if (choices.below(8) == 0) {
    scenario.beginning = Beginning::unsealed;
    scenario.before = "A.migrate";
  }
  const std::uint64_t played = 2 + choices.below(7);
  const std::uint64_t crashed = 1 + choices.below(2);
  for (std::uint64_t i = 0; i < played + crashed; ++i) {
    std::string& part = i < played ? scenario.before : scenario.crashed;
    std::string move = moves()[choices.below(moves().size())];
    const char actor = static_cast<char>('A' + choices.below(3));
    for (std::size_t at = 1; at < move.size(); ++at) {
      if (move[at] == '.') move[at - 1] = actor;
    }
    if (!part.empty()) part += ' ';
    part += move;
  }
  lighten(scenario);
  return scenario;
}

// Runs scenario 0, 1, 2 … as long as there is one.
void run_all(CrashSearch& search, unsigned threads,
             const std::function<std::optional<CrashScenario>(std::size_t)>& scenario) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      while (!search.has_enough()) {
        const auto one = scenario(next++);
        if (!one) return;
        search.run(*one);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

void run_all(CrashSearch& search, unsigned threads, const std::vector<CrashScenario>& scenarios) {
  run_all(search, threads, [&](std::size_t at) {
    return at < scenarios.size() ? std::optional(scenarios[at]) : std::nullopt;
  });
}

void print_violations(const CrashSearch& search) {
  constexpr std::size_t most = 10;
  const std::vector<Violation> violations = search.violations();
  for (std::size_t i = 0; i < violations.size() && i < most; ++i) {
    const Violation& violation = violations[i];
    fmt::print("VIOLATION after {}: {}\n  replay: power_loss --replay '{}' {} {} {}\n",
               violation.operation, violation.what, violation.scenario, violation.state.change,
               violation.state.kind, violation.state.number);
  }
}

int replay(char** arguments) {
  const auto scenario = CrashScenario::parse(arguments[0]);
  if (!scenario) {
    fmt::print(stderr, "this is no scenario: {}\n", arguments[0]);
    return 2;
  }
  const CrashState state{std::strtoull(arguments[1], nullptr, 10), arguments[2][0],
                         std::strtoull(arguments[3], nullptr, 10)};
  CrashSearch search;
  const bool good = search.replay(*scenario, state);
  print_violations(search);
  return good ? 0 : 1;
}

int run_one(const char* text) {
  const auto scenario = CrashScenario::parse(text);
  if (!scenario) {
    fmt::print(stderr, "this is no scenario: {}\n", text);
    return 2;
  }
  const Budget clock;
  CrashSearch search;
  search.run(*scenario);
  print_violations(search);
  fmt::print("{} states, {} crashes inside recovery, {} violations, {:.1f} s\n", search.states(),
             search.crashes_in_recovery(), search.violations().size(), clock.elapsed());
  return search.violations().empty() ? 0 : 1;
}

unsigned threads_argument(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--threads") {
      return static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    }
  }
  return std::min(2U, std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6 && std::string_view(argv[1]) == "--replay") return replay(argv + 2);
  if (argc == 3 && std::string_view(argv[1]) == "--scenario") return run_one(argv[2]);
  const Budget budget;
  const std::uint64_t seed = seed_argument(argc, argv, 1);
  const unsigned threads = threads_argument(argc, argv);
  CrashSearch search;
  const auto tell = [&](std::string_view what) {
    fmt::print("{:>6.1f} s  {:>9} states after {}\n", budget.elapsed(), search.states(), what);
    std::fflush(stdout);
  };

  bool only_directed = false;
  for (int i = 1; i < argc; ++i) only_directed |= std::string_view(argv[i]) == "--directed";
  const bool is_short = budget.is_limited() || only_directed;
  run_all(search, threads, directed({64}));
  if (!is_short) run_all(search, threads, directed({32, 128, 512}));
  tell("the directed scenarios");
  const std::size_t longest = only_directed ? 0 : is_short ? 2 : 3;
  for (std::size_t length = 1; length <= longest && !search.has_enough(); ++length) {
    run_all(search, threads, sequences(length));
    tell(fmt::format("all sequences of {}", length));
  }
  const auto goes_on = [&] {
    if (only_directed) return false;
    return budget.is_limited() ? !budget.is_spent() : search.states() < 5 * campaign_states;
  };
  run_all(search, threads, [&](std::size_t number) -> std::optional<CrashScenario> {
    if (!goes_on()) return std::nullopt;
    return by_chance(mixed(seed, number));
  });
  tell("scenarios by chance");

  print_violations(search);
  const std::size_t violations = search.violations().size();
  fmt::print(
      "power loss: {} states, {} violations, {} scenarios, {} crashes inside recovery, seed {}\n",
      thousands(search.states()), violations, search.scenarios(), search.crashes_in_recovery(),
      seed);
  if (violations > 0) return 1;
  return is_short || search.states() >= campaign_states ? 0 : 1;
}
