#include "api/import.hpp"

#include "io/outside_file.hpp"

namespace logwood::api {

Result<Imported> import_file(Store& store, const std::string& path, const ImportOptions& options) {
  LOGWOOD_TRY(const ByteSource bytes, io::read_outside(path));
  return store.import_session(bytes, options);
}

}  // namespace logwood::api
