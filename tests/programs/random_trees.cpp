// Random sequences of operations on the trees, heads, labels and redactions of a store in a folder
// and of one in memory, or of one in a database where there is one for tests, each compared after
// every step with the naive tree (tests/support/naive_tree).
//
//   random_trees [--seed N]
//
// A sequence that fails is made as short as possible and shown. RapidCheck then
// names what replays it: RC_PARAMS="reproduce=…", to be set in the environment.
#include "support/random_sequences.hpp"
#include "support/tree_operations.hpp"

int main(int argc, char** argv) {
  using namespace logwood;
  const RandomSequences campaign{"random trees", 25'000, 2'000, 0.75};
  return check_random_sequences(
      campaign, argc, argv, tree_operation_sequence,
      [](std::optional<std::string> place, const std::vector<TreeOperation>& sequence) {
        TreeRunner runner(std::move(place));
        run_tree_operations(runner, sequence);
      });
}
