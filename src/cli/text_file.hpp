// Files that a person names: not of the store, and as hostile as anything from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "logwood/result.hpp"

namespace logwood::cli {

/// What may have the name. Opening a pipe waits for its other end: right where somebody
/// named it, wrong where it was only expected to be a file.
enum class FileKinds : std::uint8_t { regular, and_pipes };

/// All of a file; `invalid_argument` when it is longer than that.
Result<std::string> read_text_file(const std::string& path, std::size_t size_max, FileKinds kinds);

}  // namespace logwood::cli
