// What a store answers from its catalog, and what is said about sessions for it.
#include "logwood/store.hpp"
#include "model/session_info.hpp"
#include "storage/backend.hpp"
#include "store/inside.hpp"

namespace logwood {

using storage::StorageBackend;

Result<AppendResult> Store::set_info(const SessionId& session, const SessionInfo& info,
                                     const AppendOptions& options) {
  LOGWOOD_TRY(std::string payload, session_info_payload(info));
  return append(session, Draft::of({.type = "session_info", .payload = std::move(payload)}),
                options);
}

Result<SummaryPage> Store::summaries(const SummaryQuery& query, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->catalog().summaries(query, progress);
}

Result<SearchPage> Store::search(const SearchOptions& options, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->catalog().search(options, progress);
}

Result<StoreTotals> Store::totals(const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->catalog().totals(progress);
}

Result<> Store::show_beside(Store& other, bool other_comes_first) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(StorageBackend* const beside, other.inside_->backend());
  backend->catalog().set_beside(beside->catalog().file(), other_comes_first);
  return {};
}

Result<> Store::refresh_catalog(CatalogPart part, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->catalog().refresh(part, progress);
}

}  // namespace logwood
