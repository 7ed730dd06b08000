#pragma once

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "storage/catalog_keeper.hpp"

namespace logwood::storage::jsonl {

/// The stamps of all sessions, in either form.
Result<CatalogLook> look_for_catalog(const io::FileSystem& files);

}  // namespace logwood::storage::jsonl
