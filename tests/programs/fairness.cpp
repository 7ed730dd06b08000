// Eight processes append synced entries of 1 KB to one session as fast as they can.
// Nobody waits much longer than everybody: the 99th percentile of the slowest
// process is at most five times the median of all.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/process_arguments.hpp"
#include "support/process_child.hpp"
#include "support/process_shared_memory.hpp"
#include "support/process_start_line.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int process_count = 8;
constexpr double allowed_ratio = 5;
constexpr std::chrono::seconds campaign_time{20};
constexpr std::size_t latencies_max = 1U << 20U;

struct Latencies {
  std::atomic<std::uint32_t> count;
  std::uint32_t microseconds[latencies_max];
};

int append_until(const std::string& folder, const SessionId& session, Clock::duration time,
                 StartLine& start, Latencies& latencies) {
  auto store = Store::open(folder);
  if (!store) return 1;
  const Draft draft =
      Draft::of({.type = "message", .payload = R"({"text":")" + std::string(1000, 'x') + "\"}"});
  start.wait();
  const auto end = Clock::now() + time;
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

int run(const CampaignArguments& arguments) {
  const TemporaryFolder place;
  const std::string folder = place / "store";
  SessionId session;
  {
    auto store = Store::open(folder, {.create = StoreOptions::Create::if_missing});
    if (!store) {
      fmt::print("{}\n", store.error().message);
      return 1;
    }
    auto header = store->create();
    if (!header) {
      fmt::print("{}\n", header.error().message);
      return 1;
    }
    session = header->id;
  }

  SharedMemory<Latencies> latencies(process_count);
  StartLine start(process_count);
  std::vector<ChildProcess> processes;
  for (Latencies& own : latencies.all()) {
    processes.emplace_back([&] {
      return append_until(folder, session, arguments.budget.value_or(campaign_time), start, own);
    });
  }
  bool all_held = true;
  for (ChildProcess& process : processes) all_held = process.wait() == 0 && all_held;

  std::vector<std::uint32_t> everyones;
  double slowest = 0;
  for (const Latencies& own : latencies.all()) {
    const std::vector<std::uint32_t> values(own.microseconds, own.microseconds + own.count);
    everyones.insert(everyones.end(), values.begin(), values.end());
    slowest = std::max(slowest, percentile(values, 0.99));
    std::printf("a process: %zu appends, median %.2f ms, p99 %.2f ms, longest %.2f ms\n",
                values.size(), percentile(values, 0.5) / 1000, percentile(values, 0.99) / 1000,
                percentile(values, 1) / 1000);
  }
  const double median = percentile(everyones, 0.5);
  const double ratio = median > 0 ? slowest / median : allowed_ratio + 1;
  std::printf(
      "fairness: %d processes, %zu appends, p99 of the slowest %.2f ms, median of all %.2f ms, "
      "ratio %.1f\n",
      process_count, everyones.size(), slowest / 1000, median / 1000, ratio);
  return all_held && ratio <= allowed_ratio ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  return logwood::run(logwood::CampaignArguments::of(count, values));
}
