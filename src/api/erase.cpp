#include "api/erase.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "io/outside_file.hpp"

namespace logwood::api {
namespace {

Result<> keep(io::WholeFile& file, const Erasure& erasure) {
  LOGWOOD_CHECK(file.write(to_json(erasure) + '\n'));
  return file.finish();
}

}  // namespace

Result<Erased> erase_with_receipt(Store& store, const SessionId& session,
                                  const std::vector<EntryId>& entries, const EraseOptions& options,
                                  const std::string& folder,
                                  const std::optional<std::string>& path) {
  Erased erased;
  erased.file = path ? *path : fmt::format("erasure-{}.json", new_session_id().text);
  // The folder by its name, as one that was removed can still be stood in.
  auto file = io::WholeFile::create(
      erased.file.empty() ? erased.file : (std::filesystem::path(folder) / erased.file).string());
  if (!file) {
    return std::move(file).error().within(
        "nothing was erased, as the receipt would have no place (--receipt FILE names one)");
  }
  LOGWOOD_TRY(erased.erasure, store.erase(session, entries, options));
  if (erased.erasure.entries.empty()) {
    erased.file.clear();
  } else {
    erased.kept = keep(*file, erased.erasure);
  }
  return erased;
}

}  // namespace logwood::api
