// The catalog of a store in PostgreSQL: tables beside the sessions, brought up to date by whoever
// asks them something.
#pragma once

#include "logwood/catalog.hpp"
#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// For use by several threads.
class CatalogTables {
 public:
  CatalogTables(StorageBackend& sessions, Database& database)
      : sessions_(sessions), database_(database) {}

  Result<> refresh(CatalogPart part, const Progress& progress);
  Result<SummaryPage> summaries(const SummaryQuery& query, const Progress& progress);
  Result<SearchPage> search(const SearchOptions& options, const Progress& progress);
  Result<StoreTotals> totals(const Progress& progress);

 private:
  StorageBackend& sessions_;
  Database& database_;
};

}  // namespace logwood::storage::postgres
