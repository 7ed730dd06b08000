#include "api/import.hpp"

#include "io/outside_file.hpp"

namespace logwood::api {

Result<Imported> import_file(Store& store, const std::string& path, const ImportOptions& options,
                             const Progress& progress) {
  LOGWOOD_TRY(const ByteSource bytes, io::read_outside(path));
  auto imported = store.import_session(bytes, options, progress);
  if (!imported) return std::move(imported).error().within(path);
  return imported;
}

}  // namespace logwood::api
