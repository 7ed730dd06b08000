// A short transaction in which what was read of some sessions, without a lock, goes into the
// catalog. It
//
//   1  holds the sessions: nobody erases anything in them or removes them until it is over;
//   2  leaves out those that were removed, and those that have a redaction which the reading may
//      not know, so that nothing hidden or erased comes back.
//
// It is not waited for on disk: what is derived can be lost, as long as nothing later stays, and
// that nothing does is how a log works.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

class CatalogWriting {
 public:
  /// A session as it was before it was read.
  struct Seen {
    std::int64_t session = 0;
    std::uint64_t seq = 0;
  };
  static Result<CatalogWriting> begin(Database& database, const std::vector<Seen>& sessions);

  [[nodiscard]] bool may_write(std::int64_t session) const { return writable_.contains(session); }
  /// One of them was left out that has to be read again.
  [[nodiscard]] bool is_overtaken() const { return is_overtaken_; }

  /// Each statement has its time.
  Result<PgRows> run(const PgStatement& statement, const PgValues& values) {
    return connection_->run(statement, values, database_.deadline());
  }
  Result<> commit() { return connection_->commit(database_.deadline()); }

 private:
  CatalogWriting(Database& database, Lease connection)
      : database_(database), connection_(std::move(connection)) {}

  Database& database_;
  Lease connection_;
  std::unordered_set<std::int64_t> writable_;
  bool is_overtaken_ = false;
};

}  // namespace logwood::storage::postgres
