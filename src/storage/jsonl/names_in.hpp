#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// The names in a folder, in order; none where there is no such folder.
Result<std::vector<std::string>> names_in(const io::FileSystem& files, std::string_view folder);

}  // namespace logwood::storage::jsonl
