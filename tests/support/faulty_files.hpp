// Any file system, with calls that go wrong by plan: for testing each call of ours
// against each answer the system may give, on real files too.
#pragma once

#include <memory>

#include "io/file_system.hpp"
#include "support/fault_plan.hpp"

namespace logwood::io {

/// Passes every call on to `inner`, except those that `faults` picks. `faults` is
/// shared between the test, the file system and its open files.
[[nodiscard]] std::unique_ptr<FileSystem> with_faults(std::unique_ptr<FileSystem> inner,
                                                      std::shared_ptr<FaultPlan> faults);

}  // namespace logwood::io
