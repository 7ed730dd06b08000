#include "storage/postgres/catalog_writing.hpp"

#include "storage/postgres/catalog_statements.hpp"

namespace logwood::storage::postgres {

Result<CatalogWriting> CatalogWriting::begin(Database& database,
                                             const std::vector<Seen>& sessions) {
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> seqs;
  for (const Seen& one : sessions) {
    numbers.push_back(one.session);
    seqs.push_back(static_cast<std::int64_t>(one.seq));
  }
  const Deadline deadline = database.deadline();
  LOGWOOD_TRY(Lease connection, database.lease(deadline));
  LOGWOOD_CHECK(connection->begin(deadline));
  LOGWOOD_CHECK(connection->script("set local synchronous_commit = off", deadline));
  CatalogWriting writing(database, std::move(connection));
  PgValues values = database.values();
  values.int8s(numbers);
  LOGWOOD_TRY(const PgRows held, writing.run(sql::hold_sessions, values));
  for (int row = 0; row < held.count(); ++row) writing.writable_.insert(held.integer(row, 0));
  values.int8s(seqs);
  // Asked when they are held: before that, more could have come.
  LOGWOOD_TRY(const PgRows redacted, writing.run(sql::redacted_since, values));
  for (int row = 0; row < redacted.count(); ++row) {
    writing.writable_.erase(redacted.integer(row, 0));
    writing.is_overtaken_ = true;
  }
  return writing;
}

}  // namespace logwood::storage::postgres
