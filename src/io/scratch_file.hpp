#pragma once

#include <memory>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

/// A file without a name, in the folder for temporary files (TMPDIR), to be read and appended to.
/// Nobody else can open it, and it is gone when it is closed.
Result<std::unique_ptr<File>> scratch_file();

}  // namespace logwood::io
