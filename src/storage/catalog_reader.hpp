// Reads sessions into the catalog: all of one, or what was added since it was last read.
//
// Two things can go wrong here, and they end differently: a session that cannot be read is told
// about while the others are read, and a catalog that cannot is made again. So an error of the
// Result is one of the catalog, and one of the session is the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "storage/backend.hpp"

namespace logwood::storage {

/// A session and what it looks like from outside.
struct CatalogSource {
  SessionId id;
  catalog::Stamp stamp;
};

/// Why a session could not be read; nothing: it was.
using SessionError = std::optional<Error>;

class CatalogReader {
 public:
  explicit CatalogReader(StorageBackend& sessions) : sessions_(sessions) {}

  /// Brings the summary of a session up to date; if it has to be read from the start, the text it
  /// had too. Its stamp was taken at `seen_ns`. Within a transaction.
  Result<SessionError> read_summary(catalog::Catalog& catalog, const CatalogSource& source,
                                    std::int64_t seen_ns);

  /// Brings the text of a session that has a summary up to date. One that cannot be read to its
  /// end keeps the text it had. Within a transaction.
  Result<SessionError> read_text(catalog::Catalog& catalog, const SessionId& session);

 private:
  struct Text;
  Result<WalkedTo> walk_for_text(const SessionId& session, const ReadPosition& from, Text& text);

  StorageBackend& sessions_;
};

}  // namespace logwood::storage
