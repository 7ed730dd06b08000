// How a campaign is called: `--seed N` replays it, LOGWOOD_BUDGET_S bounds it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace logwood {

struct CampaignArguments {
  std::uint64_t seed = 1;
  /// Nothing: run until the full figures are reached.
  std::optional<std::chrono::seconds> budget;

  /// Ends the program with a usage message when the arguments make no sense.
  static CampaignArguments of(int count, char** values);
};

/// Whether a campaign goes on: for as long as its budget lasts, or until `done` of `all`.
class CampaignClock {
 public:
  explicit CampaignClock(const CampaignArguments& arguments) : budget_(arguments.budget) {}

  [[nodiscard]] bool goes_on(std::uint64_t done, std::uint64_t all) const {
    if (!budget_) return done < all;
    return std::chrono::steady_clock::now() - start_ < *budget_;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<std::chrono::seconds> budget_;
};

}  // namespace logwood
