// What every measurement shares. A time means nothing by itself on a machine that others use too,
// so each figure is a ratio against the bare engine in the same run: contenders take turns in short
// rounds, each round gives one ratio, and the median of the rounds is the figure.
#pragma once

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logwood/result.hpp"

namespace logwood::bench {

/// Ends the measurement: what it measures does not work.
[[noreturn]] inline void give_up(std::string_view why) {
  fmt::print(stderr, "cannot measure: {}\n", why);
  std::exit(2);
}

template <class T>
auto must(Result<T> result) {
  if (!result) give_up(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// Seconds on the clock on the wall, and seconds of processor time that this process used.
inline double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
inline double wall_seconds() { return seconds_on(CLOCK_MONOTONIC); }
inline double cpu_seconds() { return seconds_on(CLOCK_PROCESS_CPUTIME_ID); }

/// The time `work` takes.
inline double wall_seconds_of(const std::function<void()>& work) {
  const double start = wall_seconds();
  work();
  return wall_seconds() - start;
}
inline double cpu_seconds_of(const std::function<void()>& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// Where this is allowed, nobody else gets the processor while this program wants it. Otherwise, on
/// a busy machine, whoever slept in a sync waits for the next tick of the scheduler, and all that
/// is measured is the length of a tick.
inline void take_precedence() {
  sched_param first_of_all{};
  first_of_all.sched_priority = 1;
  if (::sched_setscheduler(0, SCHED_FIFO, &first_of_all) != 0) {
    fmt::print("(without precedence over other programs: run it as root for that)\n");
  }
}

/// The value that `share` of the samples do not exceed.
inline double percentile(std::vector<double> samples, double share) {
  if (samples.empty()) give_up("there are no samples");
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1));
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}
inline double median(const std::vector<double>& samples) { return percentile(samples, 0.5); }

/// LOGWOOD_BUDGET_S: about how many seconds a short run may take; nothing in a campaign.
inline std::optional<double> budget_seconds() {
  const char* const text = std::getenv("LOGWOOD_BUDGET_S");
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::strtod(text, nullptr);
}

/// How often to repeat: `in_campaign` times, or until a share of the budget is used, but at least
/// `at_least` times.
class Rounds {
 public:
  Rounds(int in_campaign, int at_least, double share_of_budget)
      : in_campaign_(in_campaign), at_least_(at_least) {
    if (const auto budget = budget_seconds()) until_ = wall_seconds() + *budget * share_of_budget;
  }

  /// Whether there is another one; call it before each.
  bool next() {
    const bool goes_on =
        until_ ? done_ < at_least_ || (done_ < in_campaign_ && wall_seconds() < *until_)
               : done_ < in_campaign_;
    if (goes_on) ++done_;
    return goes_on;
  }
  [[nodiscard]] int number() const { return done_; }

 private:
  int in_campaign_;
  int at_least_;
  int done_ = 0;
  std::optional<double> until_;
};

/// Contenders that take turns. The first is the one that the others are compared with.
class Contest {
 public:
  /// `round` does one round of work and returns what it cost.
  void add(std::string name, std::function<double()> round) {
    contenders_.push_back({std::move(name), std::move(round), {}});
  }

  /// One round of each. Who begins moves on, so that nobody always follows the same one.
  void run_round() {
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      Contender& contender = contenders_[(first_ + i) % contenders_.size()];
      contender.costs.push_back(contender.round());
    }
    ++first_;
  }

  [[nodiscard]] double cost(std::size_t contender) const {
    return median(contenders_[contender].costs);
  }
  /// The median of what contender `a` cost in each round against `b` in the same round.
  [[nodiscard]] double ratio(std::size_t a, std::size_t b = 0) const {
    return median(ratios(a, b));
  }

  void print(std::string_view unit, double units_per_second) const {
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      const std::vector<double> all = ratios(i, 0);
      fmt::print("  {:<46} {:>10.2f} {:<4} {:>8.3f}x  [{:.3f} .. {:.3f}]\n", contenders_[i].name,
                 cost(i) * units_per_second, unit, median(all), percentile(all, 0.25),
                 percentile(all, 0.75));
    }
    std::fflush(stdout);
  }

 private:
  struct Contender {
    std::string name;
    std::function<double()> round;
    std::vector<double> costs;
  };

  [[nodiscard]] std::vector<double> ratios(std::size_t a, std::size_t b) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < contenders_[a].costs.size(); ++i) {
      all.push_back(contenders_[a].costs[i] / contenders_[b].costs[i]);
    }
    return all;
  }

  std::vector<Contender> contenders_;
  std::size_t first_ = 0;
};

/// The figures of one measurement against what was promised. A short run on a busy machine is
/// allowed some noise, a campaign none.
class Verdict {
 public:
  explicit Verdict(std::string name) : name_(std::move(name)) {}

  void at_most(std::string_view what, double figure, double target, std::string_view unit = "x") {
    judge(what, figure, target, "<=", figure <= target * margin(), unit);
  }
  void at_least(std::string_view what, double figure, double target, std::string_view unit = "x") {
    judge(what, figure, target, ">=", figure >= target / margin(), unit);
  }
  /// A figure that nothing was promised about.
  void show(std::string_view what) { said_.emplace_back(what); }

  /// Prints the figures on one line; the program's exit code.
  [[nodiscard]] int finish() const {
    std::string line = name_ + ": ";
    for (std::size_t i = 0; i < said_.size(); ++i) line += (i == 0 ? "" : ", ") + said_[i];
    if (budget_seconds())
      line += fmt::format(" (short run: {:.1f}x of each target is allowed)", margin());
    if (!holds_) line += " FELL SHORT";
    fmt::print("{}\n", line);
    return holds_ ? 0 : 1;
  }

 private:
  static double margin() { return budget_seconds() ? 1.5 : 1.0; }

  void judge(std::string_view what, double figure, double target, std::string_view relation,
             bool good, std::string_view unit) {
    const int digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
    said_.push_back(fmt::format("{} {:.{}f}{} ({} {:g}{})", what, figure, digits, unit, relation,
                                target, unit));
    holds_ = holds_ && good;
  }

  std::string name_;
  std::vector<std::string> said_;
  bool holds_ = true;
};

}  // namespace logwood::bench
