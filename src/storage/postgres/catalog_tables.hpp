// The catalog of a store in PostgreSQL: tables beside the sessions, brought up to date by whoever
// asks them something.
#pragma once

#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"
#include "storage/session_catalog.hpp"

namespace logwood::storage::postgres {

class CatalogTables final : public SessionCatalog {
 public:
  CatalogTables(StorageBackend& sessions, Database& database)
      : sessions_(sessions), database_(database) {}

  Result<> refresh(CatalogPart part, const Progress& progress) override;
  Result<SummaryPage> summaries(const SummaryQuery& query, const Progress& progress) override;
  Result<SearchPage> search(const SearchOptions& options, const Progress& progress) override;
  Result<StoreTotals> totals(const Progress& progress) override;

 private:
  StorageBackend& sessions_;
  Database& database_;
};

}  // namespace logwood::storage::postgres
