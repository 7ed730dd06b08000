// Random sequences of operations on a store in a folder and on one in memory, each
// compared after every step with the naive store (tests/support/naive_store).
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

namespace {

using logwood::Operation;
using logwood::OperationRunner;

constexpr int sequences_on_a_folder = 20'000;

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
      "seed=" + std::to_string(seed) + " max_success=" + std::to_string(sequences_on_a_folder);
  setenv("RC_PARAMS", params.c_str(), 0);  // what the caller has set stands

  Counts folder;
  Counts memory;
  bool agreed = rc::check("random operations on a folder", [&] {
    if (budget.is_spent(0.85)) return;
    const auto operations = *logwood::operation_sequence();
    const logwood::TemporaryFolder place(logwood::fast_folder());
    OperationRunner runner(place / "store");
    run_counted(runner, operations, folder);
  });
  agreed = rc::check("random operations in memory",
                     [&] {
                       if (budget.is_spent()) return;
                       const auto operations = *logwood::operation_sequence();
                       OperationRunner runner(std::nullopt);
                       run_counted(runner, operations, memory);
                     }) &&
           agreed;
  std::printf(
      "random operations: %llu sequences on a folder and %llu in memory, %llu operations, %s, seed "
      "%llu\n",
      static_cast<unsigned long long>(folder.sequences),
      static_cast<unsigned long long>(memory.sequences),
      static_cast<unsigned long long>(folder.operations + memory.operations),
      agreed ? "0 disagreements" : "a DISAGREEMENT", static_cast<unsigned long long>(seed));
  return agreed ? 0 : 1;
}
