// What every campaign program takes from outside: how long it may run, and the
// seed that makes it repeat.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace logwood {

/// Time for a short form, from LOGWOOD_BUDGET_S; without it a campaign runs to
/// its full figures.
class Budget {
 public:
  Budget() {
    if (const char* text = std::getenv("LOGWOOD_BUDGET_S"); text != nullptr && *text != '\0') {
      seconds_ = std::strtod(text, nullptr);
    }
  }

  [[nodiscard]] bool is_limited() const { return seconds_.has_value(); }
  [[nodiscard]] double seconds_or(double campaign) const { return seconds_.value_or(campaign); }

  /// Whether the time is used up, or `share` of it; never without a limit.
  [[nodiscard]] bool is_spent(double share = 1.0) const {
    return seconds_ && elapsed() >= *seconds_ * share;
  }

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<double> seconds_;
};

/// The number after `--seed`, or `otherwise`.
inline std::uint64_t seed_argument(int argc, char** argv, std::uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--seed") return std::strtoull(argv[i + 1], nullptr, 10);
  }
  return otherwise;
}

}  // namespace logwood
