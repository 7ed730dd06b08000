#pragma once

#include <vector>

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "storage/catalog_keeper.hpp"

namespace logwood::storage::jsonl {

/// The stamps of all sessions, in either form.
Result<std::vector<CatalogSource>> catalog_sources(const io::FileSystem& files);

}  // namespace logwood::storage::jsonl
