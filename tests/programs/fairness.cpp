// Eight processes append synced entries of 1 KB to one session as fast as they can.
// Nobody waits much longer than everybody: the 99th percentile of the slowest
// process is at most five times the median of all.
//
// Rounds of a second and a half, each in a session of its own; the figure is the median
// of their ratios. A sync that takes the disk much longer than usual makes all eight
// wait and is in that ratio too, so with a budget a median that is too high gets as
// many rounds again, twice, before it counts.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
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
constexpr std::chrono::milliseconds round_time{1500};
constexpr std::uint64_t rounds_of_campaign = 15;
constexpr std::size_t latencies_max = 1U << 20U;

struct Latencies {
  std::atomic<std::uint32_t> count;
  std::uint32_t microseconds[latencies_max];
};

// Appends for a while and notes how long each append took.
int append_for_a_round(const std::string& folder, const SessionId& session, StartLine& start,
                       Latencies& latencies) {
  auto store = Store::open(folder);
  const Draft draft =
      Draft::of({.type = "message", .payload = R"({"text":")" + std::string(1000, 'x') + "\"}"});
  start.wait();
  if (!store) return 1;
  const auto end = Clock::now() + round_time;
  for (auto before = Clock::now(); before < end && latencies.count < latencies_max;) {
    if (auto appended = store->append(session, draft); !appended) {
      fmt::print("an append failed: {}\n", appended.error().message);
      return 1;
    }
    const auto after = Clock::now();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(after - before);
    latencies.microseconds[latencies.count] = static_cast<std::uint32_t>(took.count());
    ++latencies.count;
    before = after;
  }
  return 0;
}

// False when a process failed.
bool append_together(const std::string& folder, const SessionId& session,
                     const SharedMemory<Latencies>& latencies) {
  StartLine start(process_count);
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < process_count; ++number) {
    processes.emplace_back(
        [&, number] { return append_for_a_round(folder, session, start, latencies[number]); });
  }
  bool all_held = true;
  for (ChildProcess& process : processes) all_held = process.wait() == 0 && all_held;
  return all_held;
}

SessionId make_session(const std::string& folder) {
  auto store = Store::open(folder, {.create = StoreOptions::Create::if_missing});
  if (store) {
    if (auto header = store->create()) return header->id;
  }
  fmt::print("no session could be made in {}\n", folder);
  std::exit(1);
}

double percentile(std::vector<std::uint32_t> values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

struct Waits {
  std::size_t appends = 0;
  std::size_t fewest = 0;  // of a process
  std::size_t most = 0;
  double median_us = 0;   // of all
  double slowest_us = 0;  // 99th percentile of the process for which it is longest

  [[nodiscard]] double ratio() const { return median_us > 0 ? slowest_us / median_us : 0; }
};

Waits waits_in(const SharedMemory<Latencies>& latencies) {
  Waits waits;
  std::vector<std::uint32_t> everyones;
  std::vector<std::size_t> counts;
  for (const Latencies& own : latencies.all()) {
    const std::vector<std::uint32_t> values(own.microseconds, own.microseconds + own.count);
    everyones.insert(everyones.end(), values.begin(), values.end());
    counts.push_back(values.size());
    waits.slowest_us = std::max(waits.slowest_us, percentile(values, 0.99));
  }
  waits.appends = everyones.size();
  waits.median_us = percentile(everyones, 0.5);
  waits.fewest = *std::min_element(counts.begin(), counts.end());
  waits.most = *std::max_element(counts.begin(), counts.end());
  return waits;
}

// The ratio of one round; nothing when an append failed, or a process had no turn at all.
std::optional<double> run_round(const std::string& folder) {
  const SharedMemory<Latencies> latencies(process_count);
  if (!append_together(folder, make_session(folder), latencies)) return std::nullopt;
  const Waits waits = waits_in(latencies);
  fmt::print(
      "{} appends, {} to {} a process, p99 of the slowest {:.2f} ms, median {:.2f} ms: {:.1f}\n",
      waits.appends, waits.fewest, waits.most, waits.slowest_us / 1000, waits.median_us / 1000,
      waits.ratio());
  if (waits.fewest == 0) return std::nullopt;
  return waits.ratio();
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// False when a round failed.
bool run_rounds(const std::string& folder, std::vector<double>& ratios) {
  const Budget budget;
  for (std::uint64_t done = 0; budget.is_limited() ? !budget.is_spent() : done < rounds_of_campaign;
       ++done) {
    const auto ratio = run_round(folder);
    if (!ratio) return false;
    ratios.push_back(*ratio);
  }
  return !ratios.empty();
}

int run() {
  const TemporaryFolder place;
  std::vector<double> ratios;
  bool held = run_rounds(place / "store", ratios);
  for (int again = 0;
       again < 2 && held && Budget().is_limited() && median_of(ratios) > ratio_allowed; ++again) {
    held = run_rounds(place / "store", ratios);
  }
  if (!held) {
    fmt::print("fairness: NOT HELD\n");
    return 1;
  }
  const double ratio = median_of(ratios);
  held = ratio <= ratio_allowed;
  fmt::print(
      "fairness: {} processes on one session, p99 of the slowest is {:.1f} × the median of all; "
      "median of {} rounds, from {:.1f} to {:.1f}{}\n",
      process_count, ratio, ratios.size(), *std::min_element(ratios.begin(), ratios.end()),
      *std::max_element(ratios.begin(), ratios.end()), held ? "" : ", NOT HELD");
  return held ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main() { return logwood::run(); }
