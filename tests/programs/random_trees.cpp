// Random sequences of operations on the trees, heads, labels and redactions of a store in a folder
// and of one in memory, each compared after every step with the naive tree
// (tests/support/naive_tree).
//
//   random_trees [--seed N]
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
#include "support/temporary_folder.hpp"
#include "support/tree_operations.hpp"

namespace {

using logwood::TreeOperation;
using logwood::TreeRunner;

constexpr int sequences_each = 25'000;

struct Counts {
  std::uint64_t sequences = 0;
  std::uint64_t operations = 0;
};

void run_counted(TreeRunner& runner, const std::vector<TreeOperation>& operations, Counts& counts) {
  logwood::run_tree_operations(runner, operations);
  ++counts.sequences;
  counts.operations += operations.size();
}

}  // namespace

int main(int argc, char** argv) {
  const logwood::Budget budget;
  const std::uint64_t seed = logwood::seed_argument(argc, argv, 1);
  const std::string params =
      "seed=" + std::to_string(seed) + " max_success=" + std::to_string(sequences_each);
  setenv("RC_PARAMS", params.c_str(), 0);  // what the caller has set stands

  Counts folder;
  Counts memory;
  bool agreed = rc::check("random trees on a folder", [&] {
    if (budget.is_spent(0.75)) return;
    const auto operations = *logwood::tree_operation_sequence();
    const logwood::TemporaryFolder place(logwood::fast_folder());
    TreeRunner runner(place / "store");
    run_counted(runner, operations, folder);
  });
  agreed = rc::check("random trees in memory",
                     [&] {
                       if (budget.is_spent()) return;
                       const auto operations = *logwood::tree_operation_sequence();
                       TreeRunner runner(std::nullopt);
                       run_counted(runner, operations, memory);
                     }) &&
           agreed;
  std::printf(
      "random trees: %llu sequences on a folder and %llu in memory, %llu operations, %s, seed "
      "%llu\n",
      static_cast<unsigned long long>(folder.sequences),
      static_cast<unsigned long long>(memory.sequences),
      static_cast<unsigned long long>(folder.operations + memory.operations),
      agreed ? "0 disagreements" : "a DISAGREEMENT", static_cast<unsigned long long>(seed));
  return agreed ? 0 : 1;
}
