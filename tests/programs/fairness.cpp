// Eight processes append synced entries of 1 KB to one session as fast as they can.
// Nobody waits much longer than everybody: the 99th percentile of the slowest
// process is at most five times the median of all.
//
// Rounds of two seconds, each in a session of its own; the figure is the median of
// their ratios. That ratio is also that of the disk and the machine, so in each round
// the same eight processes take perfectly fair turns as well: each appends to a session
// of its own when the one before it hands it the turn, through a pipe. Where a busy
// machine spoils the ratio, the slowest process must wait no longer than 1.5 times as
// long as the slowest of those.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
constexpr double against_fair_turns_allowed = 1.5;
constexpr std::chrono::milliseconds round_time{1500};
constexpr std::chrono::milliseconds fair_turns_time{500};
constexpr std::uint64_t rounds_of_campaign = 15;
constexpr std::size_t latencies_max = 1U << 20U;

struct Latencies {
  std::atomic<std::uint32_t> count;
  std::uint32_t microseconds[latencies_max];
};

// A turn that goes from one process to the next, round and round.
class Turns {
 public:
  explicit Turns(std::uint32_t count) : pipes_(count) {
    for (auto& pipe : pipes_) {
      if (::pipe(pipe.data()) != 0) std::abort();
    }
    hand_to(0, Turn::go_on);
  }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns() {
    for (const auto& pipe : pipes_) {
      ::close(pipe[0]);
      ::close(pipe[1]);
    }
  }

  enum class Turn : char { go_on, stop };

  [[nodiscard]] Turn wait(std::uint32_t process) const {
    Turn turn = Turn::stop;
    if (::read(pipes_[process][0], &turn, 1) != 1) std::abort();
    return turn;
  }
  void hand_on(std::uint32_t process, Turn turn) const {
    hand_to((process + 1) % pipes_.size(), turn);
  }

 private:
  void hand_to(std::size_t process, Turn turn) const {
    if (::write(pipes_[process][1], &turn, 1) != 1) std::abort();
  }
  std::vector<std::array<int, 2>> pipes_;
};

// What a process waits for before it appends, and what it does afterwards.
class Place {
 public:
  Place(std::uint32_t process, const Turns* turns, Clock::time_point end)
      : process_(process), turns_(turns), end_(end) {}

  // False when it is over. Where there are turns, who has one says so to all.
  bool begin() {
    if (turns_ == nullptr) return Clock::now() < end_;
    const bool goes_on = turns_->wait(process_) == Turns::Turn::go_on && Clock::now() < end_;
    if (!goes_on) turns_->hand_on(process_, Turns::Turn::stop);
    return goes_on;
  }
  void end() {
    if (turns_ != nullptr) turns_->hand_on(process_, Turns::Turn::go_on);
  }

 private:
  std::uint32_t process_;
  const Turns* turns_;
  Clock::time_point end_;
};

// Appends for a while and notes how long each append took, the wait for the turn
// included where there are turns.
int append_for(std::chrono::milliseconds time, const std::string& folder, const SessionId& session,
               std::uint32_t process, const Turns* turns, StartLine& start, Latencies& latencies) {
  auto store = Store::open(folder);
  const Draft draft =
      Draft::of({.type = "message", .payload = R"({"text":")" + std::string(1000, 'x') + "\"}"});
  start.wait();
  bool held = store.has_value();
  Place place(process, turns, Clock::now() + time);
  for (auto before = Clock::now(); place.begin(); before = Clock::now()) {
    if (held) {
      if (auto appended = store->append(session, draft); !appended) {
        fmt::print("an append failed: {}\n", appended.error().message);
        held = false;
      }
    }
    place.end();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before);
    if (latencies.count == latencies_max) continue;
    latencies.microseconds[latencies.count] = static_cast<std::uint32_t>(took.count());
    ++latencies.count;
  }
  return held ? 0 : 1;
}

// False when a process failed.
bool append_together(std::chrono::milliseconds time, const std::string& folder,
                     const std::vector<SessionId>& sessions, const Turns* turns,
                     const SharedMemory<Latencies>& latencies) {
  StartLine start(process_count);
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < process_count; ++number) {
    const SessionId& session = sessions[number % sessions.size()];
    processes.emplace_back([&, number] {
      return append_for(time, folder, session, number, turns, start, latencies[number]);
    });
  }
  bool all_held = true;
  for (ChildProcess& process : processes) all_held = process.wait() == 0 && all_held;
  return all_held;
}

std::vector<SessionId> make_sessions(const std::string& folder, std::uint32_t count) {
  auto store = Store::open(folder, {.create = StoreOptions::Create::if_missing});
  std::vector<SessionId> sessions;
  for (std::uint32_t i = 0; i < count && store; ++i) {
    if (auto header = store->create()) sessions.push_back(header->id);
  }
  if (sessions.size() != count) {
    fmt::print("no session could be made in {}\n", folder);
    std::exit(1);
  }
  return sessions;
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

struct Round {
  Waits waits;
  Waits fair_turns;

  [[nodiscard]] double against_fair_turns() const {
    return fair_turns.slowest_us > 0 ? waits.slowest_us / fair_turns.slowest_us : 0;
  }
};

// Nothing when an append failed, or a process had no turn at all.
std::optional<Round> run_round(const std::string& folder) {
  const SharedMemory<Latencies> on_one(process_count);
  const SharedMemory<Latencies> in_turns(process_count);
  const Turns turns(process_count);
  if (!append_together(round_time, folder, make_sessions(folder, 1), nullptr, on_one) ||
      !append_together(fair_turns_time, folder, make_sessions(folder, process_count), &turns,
                       in_turns)) {
    return std::nullopt;
  }
  const Round round{waits_in(on_one), waits_in(in_turns)};
  fmt::print(
      "{} appends, {} to {} a process, p99 of the slowest {:.2f} ms, median {:.2f} ms: {:.1f}; "
      "{:.1f} of the p99 of fair turns, {:.2f} ms\n",
      round.waits.appends, round.waits.fewest, round.waits.most, round.waits.slowest_us / 1000,
      round.waits.median_us / 1000, round.waits.ratio(), round.against_fair_turns(),
      round.fair_turns.slowest_us / 1000);
  if (round.waits.fewest == 0) return std::nullopt;
  return round;
}

double median_of(const std::vector<Round>& rounds, double (*value)(const Round&)) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(value(round));
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
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
  const double ratio = median_of(rounds, [](const Round& one) { return one.waits.ratio(); });
  const double against =
      median_of(rounds, [](const Round& one) { return one.against_fair_turns(); });
  held = held && (ratio <= ratio_allowed || against <= against_fair_turns_allowed);
  fmt::print(
      "fairness: {} processes on one session, p99 of the slowest is {:.1f} × the median of all and "
      "{:.1f} × the p99 of perfectly fair turns; medians of {} rounds{}\n",
      process_count, ratio, against, rounds.size(), held ? "" : ", NOT HELD");
  return held ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main() { return logwood::run(); }
