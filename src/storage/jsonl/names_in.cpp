#include "storage/jsonl/names_in.hpp"

#include <algorithm>

namespace logwood::storage::jsonl {

Result<std::vector<std::string>> names_in(const io::FileSystem& files, std::string_view folder) {
  auto names = files.list(std::string(folder));
  if (!names && names.error().code == ErrorCode::not_found) return std::vector<std::string>();
  if (names) std::sort(names->begin(), names->end());
  return names;
}

}  // namespace logwood::storage::jsonl
