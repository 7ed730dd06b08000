// Random sequences of operations, run by something that compares each step with what should be: on
// a folder and in memory, or in a database where there is one for tests.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "support/budget.hpp"
#include "support/fast_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_database.hpp"

namespace logwood {

struct RandomSequences {
  const char* what;             ///< "random trees"
  int sequences;                ///< of a campaign, on a folder and in memory
  int sequences_in_a_database;  ///< each is a tenant of its own
  double share_on_folder;       ///< of the time
};

/// `generated()` makes a sequence; `run(place, sequence)` throws where something disagrees, in a
/// store at that place or, without one, in memory. Prints what was done; 0 when all agreed.
template <class Generated, class Run>
int check_random_sequences(const RandomSequences& campaign, int argc, char** argv,
                           const Generated& generated, const Run& run) {
  const Budget budget;
  const std::uint64_t seed = seed_argument(argc, argv, 1);
  const int count = has_test_database() ? campaign.sequences_in_a_database : campaign.sequences;
  const std::string params =
      "seed=" + std::to_string(seed) + " max_success=" + std::to_string(count);
  setenv("RC_PARAMS", params.c_str(), 0);  // what the caller has set stands

  std::uint64_t sequences = 0;
  std::uint64_t operations = 0;
  std::string told;
  const auto check = [&](const std::string& where, double until, const auto& with_place) {
    const std::uint64_t before = sequences;
    const bool agreed = rc::check(std::string(campaign.what) + " " + where, [&] {
      if (budget.is_spent(until)) return;
      const auto sequence = *generated();
      with_place([&](std::optional<std::string> place) { run(std::move(place), sequence); });
      ++sequences;
      operations += sequence.size();
    });
    told +=
        (told.empty() ? "" : " and ") + std::to_string(sequences - before) + " sequences " + where;
    return agreed;
  };
  bool agreed = true;
  if (has_test_database()) {
    agreed = check("in a database", 1, [](const auto& run_at) { run_at(new_tenant_url()); });
  } else {
    agreed = check("on a folder", campaign.share_on_folder, [](const auto& run_at) {
      const TemporaryFolder place(fast_folder());
      run_at(place / "store");
    });
    agreed = check("in memory", 1, [](const auto& run_at) { run_at(std::nullopt); }) && agreed;
  }
  std::printf("%s: %s, %llu operations, %s, seed %llu\n", campaign.what, told.c_str(),
              static_cast<unsigned long long>(operations),
              agreed ? "0 disagreements" : "a DISAGREEMENT", static_cast<unsigned long long>(seed));
  return agreed ? 0 : 1;
}

}  // namespace logwood
