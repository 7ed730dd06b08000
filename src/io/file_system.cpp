#include "io/file_system.hpp"

namespace logwood::io {

Result<std::vector<FileStamp>> FileSystem::stamps(const std::string& folder) const {
  LOGWOOD_TRY(const std::vector<std::string> names, list(folder));
  std::vector<FileStamp> stamps;
  for (const std::string& name : names) {
    const auto found = status(folder + "/" + name);
    if (!found && found.error().code == ErrorCode::not_found) continue;  // gone meanwhile
    if (!found) return found.error();
    if (found->is_file) stamps.push_back({name, found->identity, found->size_bytes, 0, 0});
  }
  return stamps;
}

std::string FileSystem::path_of(const std::string& /*name*/) const { return {}; }

}  // namespace logwood::io
