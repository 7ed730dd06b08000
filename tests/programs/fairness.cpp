// Eight processes append synced entries of 1 KB to one session as fast as they can.
// Nobody waits much longer than everybody: the 99th percentile of the slowest
// process is at most five times the median of all.
//
// Rounds of two seconds, each in a session of its own; the figure is the median of
// their ratios, so that a moment in which the machine was busy elsewhere is not ours.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/process_child.hpp"
#include "support/process_shared_memory.hpp"
#include "support/process_start_line.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t process_count = 8;
constexpr double ratio_allowed = 5;
constexpr std::chrono::seconds round_time{2};
constexpr std::uint64_t rounds_of_campaign = 15;
constexpr std::size_t latencies_max = 1U << 20U;

struct Latencies {
  std::atomic<std::uint32_t> count;
  std::uint32_t microseconds[latencies_max];
};

int append_for_a_round(const std::string& folder, const SessionId& session, StartLine& start,
                       Latencies& latencies) {
  auto store = Store::open(folder);
  const Draft draft =
      Draft::of({.type = "message", .payload = R"({"text":")" + std::string(1000, 'x') + "\"}"});
  start.wait();
  if (!store) return 1;
  const auto end = Clock::now() + round_time;
  while (latencies.count < latencies_max) {
    const auto before = Clock::now();
    if (before >= end) break;
    if (auto appended = store->append(session, draft); !appended) {
      fmt::print("an append failed: {}\n", appended.error().message);
      return 1;
    }
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before);
    latencies.microseconds[latencies.count] = static_cast<std::uint32_t>(took.count());
    ++latencies.count;
  }
  return 0;
}

double percentile(std::vector<std::uint32_t> values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

struct Round {
  std::size_t appends = 0;
  double median_us = 0;   // of all
  double slowest_us = 0;  // 99th percentile of the process for which it is longest
  std::size_t fewest = 0;
  std::size_t most = 0;

  [[nodiscard]] double ratio() const { return median_us > 0 ? slowest_us / median_us : 0; }
};

Round judge(const SharedMemory<Latencies>& latencies) {
  Round round;
  std::vector<std::uint32_t> everyones;
  std::vector<std::size_t> counts;
  for (const Latencies& own : latencies.all()) {
    const std::vector<std::uint32_t> values(own.microseconds, own.microseconds + own.count);
    everyones.insert(everyones.end(), values.begin(), values.end());
    counts.push_back(values.size());
    round.slowest_us = std::max(round.slowest_us, percentile(values, 0.99));
  }
  round.appends = everyones.size();
  round.median_us = percentile(everyones, 0.5);
  round.fewest = *std::min_element(counts.begin(), counts.end());
  round.most = *std::max_element(counts.begin(), counts.end());
  return round;
}

// Nothing when an append failed, or a process had no turn at all.
std::optional<Round> run_round(const std::string& folder) {
  SessionId session;
  {
    auto store = Store::open(folder, {.create = StoreOptions::Create::if_missing});
    auto header = store ? store->create() : Result<SessionHeader>(Error(store.error()));
    if (!header) {
      fmt::print("{}\n", header.error().message);
      return std::nullopt;
    }
    session = header->id;
  }
  SharedMemory<Latencies> latencies(process_count);
  StartLine start(process_count);
  std::vector<ChildProcess> processes;
  for (Latencies& own : latencies.all()) {
    processes.emplace_back([&] { return append_for_a_round(folder, session, start, own); });
  }
  bool all_held = true;
  for (ChildProcess& process : processes) all_held = process.wait() == 0 && all_held;
  const Round round = judge(latencies);
  fmt::print(
      "{} appends, {} to {} a process, p99 of the slowest {:.2f} ms, median {:.2f} ms: {:.1f}\n",
      round.appends, round.fewest, round.most, round.slowest_us / 1000, round.median_us / 1000,
      round.ratio());
  if (!all_held || round.fewest == 0) return std::nullopt;
  return round;
}

int run() {
  const TemporaryFolder place;
  const Budget budget;
  std::vector<Round> rounds;
  bool held = true;
  while (held && (budget.is_limited() ? !budget.is_spent() : rounds.size() < rounds_of_campaign)) {
    const auto round = run_round(place / "store");
    held = round.has_value();
    if (round) rounds.push_back(*round);
  }
  if (rounds.empty()) {
    fmt::print("fairness: NOT HELD\n");
    return 1;
  }
  std::sort(rounds.begin(), rounds.end(),
            [](const Round& a, const Round& b) { return a.ratio() < b.ratio(); });
  const Round& middle = rounds[rounds.size() / 2];
  held = held && middle.ratio() <= ratio_allowed;
  fmt::print(
      "fairness: {} processes on one session, p99 of the slowest {:.2f} ms, median of all {:.2f} "
      "ms, ratio {:.1f} of at most {:.0f} (median of {} rounds, {:.1f} to {:.1f})\n",
      process_count, middle.slowest_us / 1000, middle.median_us / 1000, middle.ratio(),
      ratio_allowed, rounds.size(), rounds.front().ratio(), rounds.back().ratio());
  return held ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main() { return logwood::run(); }
