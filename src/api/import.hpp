// Files that become sessions.
#pragma once

#include <string>

#include "logwood/store.hpp"

namespace logwood::api {

/// Store::import_session of the file at `path`: a regular file, a pipe or a device.
Result<Imported> import_file(Store& store, const std::string& path, const ImportOptions& options,
                             const Progress& progress = {});

}  // namespace logwood::api
