// Random sequences of operations on a store in a folder and on one in memory, or on one in a
// database where there is one for tests, each compared after every step with the naive store
// (tests/support/naive_store).
//
//   random_operations [--seed N]
//
// A sequence that fails is made as short as possible and shown. RapidCheck then
// names what replays it: RC_PARAMS="reproduce=…", to be set in the environment.
#include "support/operation_generator.hpp"
#include "support/operation_runner.hpp"
#include "support/random_sequences.hpp"

int main(int argc, char** argv) {
  using namespace logwood;
  const RandomSequences campaign{"random operations", 20'000, 2'000, 0.85};
  return check_random_sequences(
      campaign, argc, argv, operation_sequence,
      [](std::optional<std::string> place, const std::vector<Operation>& sequence) {
        OperationRunner runner(std::move(place));
        run_operations(runner, sequence);
      });
}
