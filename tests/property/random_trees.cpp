// A few hundred random sequences of operations on trees in every test run; the campaign of
// tools/prove random-trees runs many more of the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "support/fast_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/tree_operations.hpp"

namespace logwood {
namespace {

RC_GTEST_PROP(RandomTrees, OnAFolderAgreeWithTheNaiveTree, ()) {
  const auto operations = *tree_operation_sequence();
  const TemporaryFolder folder(fast_folder());
  TreeRunner runner(folder / "store");
  run_tree_operations(runner, operations);
}

RC_GTEST_PROP(RandomTrees, InMemoryAgreeWithTheNaiveTree, ()) {
  const auto operations = *tree_operation_sequence();
  TreeRunner runner(std::nullopt);
  run_tree_operations(runner, operations);
}

}  // namespace
}  // namespace logwood
