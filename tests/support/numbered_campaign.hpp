// A campaign of cases that are made from a number and a seed, so that each can be made again alone.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "support/budget.hpp"

namespace logwood {

class NumberedCampaign {
 public:
  /// `--seed N`, `--only NUMBER`
  NumberedCampaign(int argc, char** argv) : seed_(seed_argument(argc, argv, 1)) {
    for (int i = 1; i + 1 < argc; ++i) {
      if (std::string_view(argv[i]) == "--only") only_ = std::strtoull(argv[i + 1], nullptr, 10);
    }
  }

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] bool is_one() const { return only_ != 0; }

  /// `run(number, seed)` from 1 to `count`, until the time is used up; or the one that was asked
  /// for.
  template <class Run>
  void for_each(std::uint64_t count, const Run& run) const {
    const std::uint64_t last = is_one() ? only_ : count;
    for (std::uint64_t number = is_one() ? only_ : 1; number <= last && !budget_.is_spent();
         ++number) {
      run(number, seed_);
    }
  }

 private:
  Budget budget_;
  std::uint64_t seed_;
  std::uint64_t only_ = 0;  // 0: all
};

}  // namespace logwood
