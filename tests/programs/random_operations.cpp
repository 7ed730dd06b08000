// Random sequences of operations on a store in a folder and on one in memory, or on one in a
// database where there is one for tests, each compared after every step with the naive store
// (tests/support/naive_store).
//
//   random_operations [--seed N]
//
// A sequence that fails is made as short as possible and shown. RapidCheck then
// names what replays it: RC_PARAMS="reproduce=…", to be set in the environment.
#include <rapidcheck.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "support/budget.hpp"
#include "support/fast_folder.hpp"
#include "support/operation_generator.hpp"
#include "support/operation_runner.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_database.hpp"

namespace {

using logwood::Operation;
using logwood::OperationRunner;

constexpr int sequences_each = 20'000;
constexpr int sequences_in_a_database = 2'000;  // each is a tenant of its own

struct Counts {
  std::uint64_t sequences = 0;
  std::uint64_t operations = 0;
};

void run_counted(OperationRunner& runner, const std::vector<Operation>& operations,
                 Counts& counts) {
  logwood::run_operations(runner, operations);
  ++counts.sequences;
  counts.operations += operations.size();
}

}  // namespace

int main(int argc, char** argv) {
  const logwood::Budget budget;
  const std::uint64_t seed = logwood::seed_argument(argc, argv, 1);
  const std::string params =
      "seed=" + std::to_string(seed) + " max_success=" +
      std::to_string(logwood::has_test_database() ? sequences_in_a_database : sequences_each);
  setenv("RC_PARAMS", params.c_str(), 0);  // what the caller has set stands

  Counts counts;
  std::string told;
  // Nothing: in memory.
  using Place = std::optional<std::string>;
  const auto check = [&](const std::string& where, double until, const auto& with_place) {
    const std::uint64_t before = counts.sequences;
    const bool agreed = rc::check("random operations " + where, [&] {
      if (budget.is_spent(until)) return;
      const auto operations = *logwood::operation_sequence();
      with_place([&](Place place) {
        OperationRunner runner(std::move(place));
        run_counted(runner, operations, counts);
      });
    });
    told += (told.empty() ? "" : " and ") + std::to_string(counts.sequences - before) +
            " sequences " + where;
    return agreed;
  };
  bool agreed = true;
  if (logwood::has_test_database()) {
    agreed = check("in a database", 1, [](const auto& run) { run(logwood::new_tenant_url()); });
  } else {
    agreed = check("on a folder", 0.85, [](const auto& run) {
      const logwood::TemporaryFolder place(logwood::fast_folder());
      run(place / "store");
    });
    agreed = check("in memory", 1, [](const auto& run) { run(std::nullopt); }) && agreed;
  }
  std::printf("random operations: %s, %llu operations, %s, seed %llu\n", told.c_str(),
              static_cast<unsigned long long>(counts.operations),
              agreed ? "0 disagreements" : "a DISAGREEMENT", static_cast<unsigned long long>(seed));
  return agreed ? 0 : 1;
}
