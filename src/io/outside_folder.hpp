// Folders of other programs: looked into, never changed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

struct OutsideFiles {
  std::vector<FileStamp> files;
  /// That were looked into, the folder itself among them; without a stamp where it is not there.
  std::vector<FileStamp> folders;
};

/// The regular files in a folder and in the folders below it, `depth` levels down, that `wants`
/// says yes to; the name of each stamp is its path from the folder. Links are not followed below
/// it, what cannot be looked into is passed over, and a folder that is not there has no files.
/// `wants` is asked by several threads at once.
Result<OutsideFiles> files_outside(const std::string& folder, int depth,
                                   const std::function<bool(std::string_view path)>& wants);

/// What a file looks like; follows links.
Result<FileStamp> stamp_outside(const std::string& path);

}  // namespace logwood::io
