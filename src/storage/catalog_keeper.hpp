// Brings the catalog up to date with the sessions it is about, and asks it.
//
// A session is read again when it looks different from outside than when it was read, and only from
// where that reading ended. One that was read within moments of its last change is looked at once
// more, since another change could have left it looking the same (git knows this as racy).
//
// The catalog is derived, so nothing that is wrong with it stops anybody: a damaged one is made
// again, wherever the damage is met, and one that cannot be written to is made in memory.
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
#include "storage/catalog_reader.hpp"

namespace logwood::storage {

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
      : sessions_(sessions), reader_(sessions), sources_(std::move(sources)), place_(place) {}

  Result<> refresh(CatalogPart part, const Progress& progress);
  Result<SummaryPage> summaries(const SummaryQuery& query);
  Result<SearchPage> search(const SearchOptions& options);
  Result<StoreTotals> totals();

  /// After entries of a session were erased: reads it anew, such that none of the bytes it had
  /// before are left in the file of the catalog. Others never find the session missing. Where that
  /// cannot be done nothing is left in the file; a failure says that something may be.
  Result<> forget_erased(const SessionId& session);

 private:
  using Lock = std::unique_ptr<io::File>;

  // All sessions as they looked at one moment.
  struct Seen {
    std::int64_t at_ns = 0;
    std::vector<CatalogSource> sources;
  };

  template <class Answer>
  Result<Answer> answer(CatalogPart part, const Progress& progress,
                        const std::function<Result<Answer>(catalog::Catalog&)>& question);
  bool can_go_on_after(const Error& error);
  Result<catalog::Catalog*> refreshed(CatalogPart part, const Seen& seen, const Progress& progress);
  Result<catalog::Catalog*> opened();
  Result<Lock> write_lock();
  Result<Seen> look_at_sources() const;
  Result<> refresh_summaries(catalog::Catalog& catalog, const Seen& seen, const Progress& progress);
  Result<> refresh_text(catalog::Catalog& catalog, const Progress& progress);
  Result<> read(const SessionId& session, const std::function<Result<SessionError>()>& read_it);
  bool is_gone(const SessionId& session);
  Result<> remove_if_gone(catalog::Catalog& catalog, const SessionId& session);
  Result<> read_anew(catalog::Catalog& catalog, const SessionId& session);
  [[nodiscard]] bool is_in_files() const;
  Result<bool> has_database() const;
  Result<> empty_files();

  StorageBackend& sessions_;
  CatalogReader reader_;
  CatalogSources sources_;
  CatalogPlace place_;
  std::mutex mutex_;
  std::optional<catalog::Catalog> catalog_;
  bool gave_up_files_ = false;  // they could not be written to, so `catalog_` is in memory
  std::vector<UnreadableSession> unreadable_;  // when it was last refreshed
};

}  // namespace logwood::storage
