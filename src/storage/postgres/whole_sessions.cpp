#include "storage/postgres/whole_sessions.hpp"

#include <fmt/format.h>

#include <initializer_list>

#include "model/header.hpp"
#include "storage/archived_session.hpp"
#include "storage/chain_check.hpp"
#include "storage/postgres/catalog_statements.hpp"
#include "storage/postgres/session_maker.hpp"
#include "storage/postgres/session_writer.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

// When there is no answer the session is looked for, and its row changed: a commit that is
// acknowledged says that everything before it is durable.
Result<> commit_whole(Database& database, PgConnection& connection, const SessionId& session,
                      const ChainEnd& made) {
  const Deadline deadline = database.deadline();
  auto committed = connection.commit(deadline);
  if (committed || committed.error().code != ErrorCode::unavailable) return committed;
  const auto is_there = [&]() -> Result<bool> {
    LOGWOOD_TRY(const Tail tail, find_tail(database, session));
    LOGWOOD_TRY(Lease another, database.lease(deadline));
    PgValues values = database.values();
    values.int8(tail.session);
    LOGWOOD_CHECK(another->change(sql::touch_tail, values, deadline));
    return ChainEnd{tail.seq, tail.link} == made;
  }();
  if (is_there && *is_there) return {};
  return Error{
      ErrorCode::durability_unknown,
      fmt::format("session {} may have been stored or not ({}); look for it before you try "
                  "again",
                  session.text, committed.error().message)};
}

Result<> run_all(Database& database, PgConnection& connection, const PgValues& values,
                 std::initializer_list<const PgStatement*> statements) {
  for (const PgStatement* statement : statements) {
    LOGWOOD_CHECK(connection.run(*statement, values, database.deadline()));
  }
  return {};
}

}  // namespace

Result<> make_session(Database& database, PgConnection& connection, const SessionHeader& header,
                      const std::string& text, const EntrySource& entries) {
  SessionMaker maker(database, connection, header);
  LOGWOOD_CHECK(maker.begin(text));
  while (entries) {
    LOGWOOD_TRY(const std::optional<std::string> entry, entries());
    if (!entry) break;
    LOGWOOD_CHECK(maker.add(*entry));
  }
  LOGWOOD_CHECK(maker.finish());
  return commit_whole(database, connection, header.id, maker.end());
}

Result<> put_stored_session(Database& database, const SessionId& session,
                            const std::optional<ChainEnd>& replaced, const StoredSource& source) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  LOGWOOD_TRY(Lease connection, database.lease());
  LOGWOOD_CHECK(connection->begin(database.deadline()));
  std::optional<SessionMaker> maker;
  SessionHeader header;
  if (replaced) {
    LOGWOOD_TRY(Tail tail, find_tail(database, session));
    LOGWOOD_CHECK(lock_tail(database, *connection, session, tail, database.deadline()));
    if (tail.archived) return archived_error(session);
    if (ChainEnd{tail.seq, tail.link} != *replaced) {
      return Error{ErrorCode::conflict,
                   fmt::format("session {} was appended to while it was copied", session.text)};
    }
    LOGWOOD_TRY(header, parse_header(tail.header));
    PgValues values = database.values();
    values.int8(tail.session);
    LOGWOOD_CHECK(run_all(database, *connection, values,
                          {&sql::forget_derived, &sql::drop_entries, &sql::drop_blobs}));
    maker.emplace(database, *connection, header);
    maker->replace(tail.session);
  }
  ChainCheck chain(session);
  LOGWOOD_CHECK(source([&](const StoredPiece& piece) -> Result<> {
    if (!piece.hash.empty()) {
      if (maker) return maker->add_blob(piece.hash, piece.bytes);
      return Error{
          ErrorCode::damaged,
          fmt::format("session {}: its header names a blob, which no header does", session.text)};
    }
    LOGWOOD_TRY(const format::SealedLine sealed, chain.take(piece.bytes));
    if (!maker) {
      const std::string text = std::string(sealed.body) + '}';
      LOGWOOD_TRY(header, parse_header(text));
      maker.emplace(database, *connection, header);
      LOGWOOD_CHECK(maker->begin_sealed(text));
    }
    return maker->add_sealed(piece.bytes, sealed);
  }));
  if (!maker) {
    return Error{ErrorCode::damaged, fmt::format("session {} has no line", session.text)};
  }
  LOGWOOD_CHECK(maker->finish());
  return commit_whole(database, *connection, session, maker->end());
}

Result<> purge_session(Database& database, const SessionId& session) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  PgValues values = database.values();
  values.text(session.text);
  LOGWOOD_TRY(const PgRows found, database.read(sql::sessions_of_id, values));
  for (int row = 0; row < found.count(); ++row) {
    LOGWOOD_TRY(Lease connection, database.lease());
    LOGWOOD_CHECK(connection->begin(database.deadline()));
    PgValues which = database.values();
    which.int8(found.integer(row, 0));
    LOGWOOD_CHECK(run_all(database, *connection, which,
                          {&sql::lock_tail, &sql::forget_derived, &sql::drop_entries,
                           &sql::drop_blobs, &sql::drop_session}));
    LOGWOOD_CHECK(connection->commit(database.deadline()));
  }
  return {};
}

}  // namespace logwood::storage::postgres
