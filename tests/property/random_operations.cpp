// A few hundred random sequences of operations in every test run; the campaign of
// tools/prove random-operations runs many more of the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <vector>

#include "support/fast_folder.hpp"
#include "support/operation_generator.hpp"
#include "support/operation_runner.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

RC_GTEST_PROP(RandomOperations, OnAFolderAgreeWithTheNaiveStore, ()) {
  const auto operations = *operation_sequence();
  const TemporaryFolder folder(fast_folder());
  OperationRunner runner(folder / "store");
  run_operations(runner, operations);
}

RC_GTEST_PROP(RandomOperations, InMemoryAgreeWithTheNaiveStore, ()) {
  const auto operations = *operation_sequence();
  OperationRunner runner(std::nullopt);
  run_operations(runner, operations);
}

}  // namespace
}  // namespace logwood
