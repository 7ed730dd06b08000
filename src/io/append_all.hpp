#pragma once

#include <string_view>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

/// Appends all of `bytes`; a disk that runs full is an error.
Result<> append_all(File& target, std::string_view bytes);

}  // namespace logwood::io
