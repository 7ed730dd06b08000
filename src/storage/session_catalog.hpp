// What a backend answers about all its sessions at once, without going through them.
#pragma once

#include <string>

#include "logwood/catalog.hpp"
#include "logwood/progress.hpp"
#include "logwood/result.hpp"

namespace logwood::storage {

/// Summaries, search and totals bring up to date what they need; refresh does it beforehand. Each
/// tells how far that is. For use by several threads.
class SessionCatalog {
 public:
  virtual ~SessionCatalog() = default;

  virtual Result<> refresh(CatalogPart part, const Progress& progress) = 0;
  virtual Result<SummaryPage> summaries(const SummaryQuery& query, const Progress& progress) = 0;
  virtual Result<SearchPage> search(const SearchOptions& options, const Progress& progress) = 0;
  virtual Result<StoreTotals> totals(const Progress& progress) = 0;

  /// The catalog as a file of SQLite, and one of another backend that is asked together with it
  /// (Catalog::set_beside); empty, and without effect, where there is no such file.
  virtual std::string file() { return {}; }
  virtual void set_beside(const std::string& /*path*/, bool /*comes_first*/) {}
};

}  // namespace logwood::storage
