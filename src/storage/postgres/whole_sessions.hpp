// Sessions that come or go as a whole: made, taken over from another store, purged.
#pragma once

#include <optional>
#include <string>

#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// Makes a session within the transaction that is open on `connection`, and commits it. `text` is
/// that of its header.
Result<> make_session(Database& database, PgConnection& connection, const SessionHeader& header,
                      const std::string& text, const EntrySource& entries);

/// As StorageBackend::put_stored.
Result<> put_stored_session(Database& database, const SessionId& session,
                            const std::optional<ChainEnd>& replaced, const StoredSource& source);

/// Each of that id by itself, the one in its place and those in the trash: what is done is done.
Result<> purge_session(Database& database, const SessionId& session);

}  // namespace logwood::storage::postgres
