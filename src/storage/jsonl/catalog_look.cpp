#include "storage/jsonl/catalog_look.hpp"

#include <map>
#include <string>
#include <utility>

#include "storage/file_stamp.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

Result<CatalogLook> look_for_catalog(const io::FileSystem& files) {
  std::map<std::string, catalog::Stamp> stamps;
  const auto add_archived = [&]() -> Result<> {
    const auto found = files.stamps(std::string(archive_folder));
    if (!found && found.error().code == ErrorCode::not_found) return {};
    if (!found) return found.error();
    for (const io::FileStamp& stamp : *found) {
      if (std::string id = archived_session_of(stamp.name); !id.empty()) {
        stamps.emplace(std::move(id), stamp_of(stamp));
      }
    }
    return {};
  };
  // As session_ids does: one that is moved meanwhile, either way, is seen at least once.
  LOGWOOD_CHECK(add_archived());
  LOGWOOD_TRY(const std::vector<io::FileStamp> plain, files.stamps(std::string(sessions_folder)));
  for (const io::FileStamp& stamp : plain) {
    if (std::string id = session_of(stamp.name); !id.empty()) {
      stamps.insert_or_assign(std::move(id), stamp_of(stamp));
    }
  }
  LOGWOOD_CHECK(add_archived());
  CatalogLook look;
  look.sources.reserve(stamps.size());
  for (const auto& [id, stamp] : stamps) look.sources.push_back({{id}, stamp});
  return look;
}

}  // namespace logwood::storage::jsonl
