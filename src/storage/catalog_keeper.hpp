// Brings the catalog up to date with the sessions it is about, and asks it.
//
// A session is read again when it looks different from outside than when it was read, and only from
// where that reading ended. One that was read within moments of its last change is looked at once
// more, since another change could have left it looking the same (git knows this as racy).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "io/file_system.hpp"
#include "logwood/catalog.hpp"
#include "storage/backend.hpp"

namespace logwood::storage {

/// A session and what it looks like from outside.
struct CatalogSource {
  SessionId id;
  catalog::Stamp stamp;
};
using CatalogSources = std::function<Result<std::vector<CatalogSource>>()>;

/// Where a catalog lies.
struct CatalogPlace {
  /// Null: in memory, for as long as this process runs.
  io::FileSystem* files = nullptr;
  std::chrono::milliseconds patience{5000};
};

/// For use by several threads.
class CatalogKeeper {
 public:
  CatalogKeeper(StorageBackend& sessions, CatalogSources sources, CatalogPlace place)
      : sessions_(sessions), sources_(std::move(sources)), place_(place) {}

  Result<> refresh(CatalogPart part, const Progress& progress);
  Result<SummaryPage> summaries(const SummaryQuery& query);
  Result<SearchPage> search(const SearchOptions& options);
  Result<StoreTotals> totals();

  /// After entries of a session were erased: reads it anew, such that none of the bytes it had
  /// before are left in the file of the catalog. Others never find the session missing.
  Result<> forget_erased(const SessionId& session);

 private:
  using Lock = std::unique_ptr<io::File>;

  Result<catalog::Catalog*> opened();
  Result<Lock> write_lock();
  Result<> refresh_summaries(catalog::Catalog& catalog, const Progress& progress);
  Result<> refresh_text(catalog::Catalog& catalog, const Progress& progress);
  Result<> read_summary(catalog::Catalog& catalog, const CatalogSource& source,
                        std::int64_t seen_ns);
  Result<std::string> walk_for_summary(const SessionId& session, const ReadPosition& from,
                                       const Redactions& redactions,
                                       catalog::SummaryBuilder& builder);
  Result<> read_summary_from_start(catalog::Catalog& catalog, const SessionId& session,
                                   catalog::Catalog::Update& update);
  static Result<> put_summary(catalog::Catalog& catalog, const SessionId& session,
                              catalog::Catalog::Update& update, catalog::SummaryBuilder& builder);
  Result<> read_text(catalog::Catalog& catalog, const SessionId& session);
  Result<> remove_files();
  bool is_gone(const SessionId& session);
  Result<> read_anew(catalog::Catalog& catalog, const SessionId& session);

  StorageBackend& sessions_;
  CatalogSources sources_;
  CatalogPlace place_;
  std::mutex mutex_;
  std::optional<catalog::Catalog> catalog_;
  std::vector<UnreadableSession> unreadable_;  // when it was last refreshed
};

}  // namespace logwood::storage
