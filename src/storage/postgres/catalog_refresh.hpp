// Brings the catalog of a tenant up to date.
//
// Which sessions have grown is asked of the database in one statement, and only of those that were
// active since the last refresh (statements.hpp says how that is known). They are read without a
// lock, some at a time, and what was read is written in short transactions (catalog_writing.hpp); a
// summary only if it still is the one that the reading went on from. What could not be written is
// read again. So whoever refreshes at the same time does no harm and waits for nobody; and since
// each goes through the sessions in an order of its own, two share the work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logwood/catalog.hpp"
#include "logwood/progress.hpp"
#include "storage/backend.hpp"
#include "storage/postgres/catalog_writing.hpp"
#include "storage/postgres/database.hpp"
#include "storage/postgres/text_reading.hpp"
#include "storage/summary_reading.hpp"

namespace logwood::storage::postgres {

/// One refresh.
class CatalogRefresh {
 public:
  CatalogRefresh(StorageBackend& sessions, Database& database, Progress progress)
      : sessions_(sessions), database_(database), progress_(std::move(progress)) {}

  /// Those that cannot be read; they do not stop it.
  Result<std::vector<UnreadableSession>> run(CatalogPart part);

  /// The same, after asking whether there is anything to do.
  Result<std::vector<UnreadableSession>> run_if_behind(CatalogPart part);

  /// For whoever asks that, by sql::is_behind, together with something else.
  [[nodiscard]] static PgValues is_behind_values(const Database& database, CatalogPart part);

 private:
  // A session that has grown, as its row said.
  struct Source {
    std::int64_t session = 0;
    SessionId id;
    std::uint64_t seq = 0;
    std::uint64_t size_bytes = 0;
  };
  struct Read {
    Source source;
    std::int64_t known_seq = -1;  // -1: nothing was known
    SummaryReading reading;
  };
  // What begin_refresh says.
  struct Beginning {
    std::string at;
    std::string oldest;  // transaction that is not over
    std::string own;     // transaction
    std::string timeline;
    std::optional<std::string> since;
    bool is_to_be_noted = false;
  };

  Result<Beginning> begin();
  Result<> end(const Beginning& beginning);
  Result<std::vector<Source>> stale(const Beginning& beginning);
  Result<> refresh_summaries(std::vector<Source> stale);
  Result<std::vector<Read>> read(std::span<const Source> some);
  Result<> write(const std::vector<Read>& some);
  Result<bool> put(CatalogWriting& writing, const Read& one);
  Result<> put_activity(CatalogWriting& writing, const Read& one);
  Result<> refresh_text();
  Result<std::vector<TextSource>> stale_texts();
  Result<> note(std::int64_t session, const SessionId& id, Error error);

  StorageBackend& sessions_;
  Database& database_;
  Progress progress_;
  std::vector<UnreadableSession> unreadable_;
  bool is_overtaken_ = false;  // something that was read could not be written any more
};

}  // namespace logwood::storage::postgres
