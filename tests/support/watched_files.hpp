// Any file system, and somebody who is told of every call before it is made: for what
// another process does between two calls of ours.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "io/file_system.hpp"
#include "support/fault_plan.hpp"

namespace logwood::io {

/// Told the call of a FileSystem (not of the files it opens) and the first name in it.
using Watcher = std::function<void(Operation operation, const std::string& name)>;

[[nodiscard]] std::unique_ptr<FileSystem> with_watcher(std::unique_ptr<FileSystem> inner,
                                                       Watcher watcher);

}  // namespace logwood::io
