#include "storage/postgres/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "model/header.hpp"
#include "storage/archived_session.hpp"
#include "storage/held_entries.hpp"
#include "storage/no_session.hpp"
#include "storage/postgres/catalog_statements.hpp"
#include "storage/postgres/catalog_tables.hpp"
#include "storage/postgres/followers.hpp"
#include "storage/postgres/migrations.hpp"
#include "storage/postgres/session_list.hpp"
#include "storage/postgres/session_reader.hpp"
#include "storage/postgres/statements.hpp"
#include "storage/postgres/tenants.hpp"
#include "storage/postgres/whole_sessions.hpp"

namespace logwood::storage::postgres {
namespace {

class Backend final : public StorageBackend {
 public:
  Backend(const Place& place, const Options& options)
      : options_(options), database_(place, options.patience) {}

  Result<> open() {
    auto opened = database_.open();
    // Nothing is made where all is there: who works for a tenant cannot make anything.
    const bool can_help = !opened && (opened.error().code == ErrorCode::not_found ||
                                      opened.error().code == ErrorCode::unsupported);
    if (!options_.create || !can_help) return opened;
    LOGWOOD_CHECK(migrate_schema(database_));
    LOGWOOD_CHECK(add_tenant(database_, database_.place().tenant, ""));
    return database_.open();
  }

  std::string read_only() const override { return {}; }

  Result<SessionHeader> create(const NewSession& session, const SessionContent& content) override {
    LOGWOOD_CHECK(check_new_session(session));
    const SessionId id = session.id ? *session.id : new_session_id();
    SessionHeader header = header_for(session, id, format_timestamp(options_.writer.now()));
    std::string text = content.header;
    if (text.empty()) {
      text = header_body(header) + '}';
    } else {
      LOGWOOD_TRY(header, parse_header(text));
    }
    LOGWOOD_TRY(Lease connection, database_.lease());
    LOGWOOD_CHECK(connection->begin(database_.deadline()));
    LOGWOOD_CHECK(make_session(database_, *connection, header, text, content.entries));
    return header;
  }

  Result<OpenedSession> open_by_key(const NewSession& session) override {
    if (session.key.empty()) {
      return Error{ErrorCode::invalid_argument,
                   "a session is opened by its key, and the key is empty"};
    }
    LOGWOOD_CHECK(check_new_session(session));
    PgValues values = database_.values();
    values.bytes(session.key);
    LOGWOOD_TRY(const PgRows found, database_.read(sql::newest_of_key, values));
    if (!found.empty()) return opened(found);

    const Deadline deadline = database_.deadline();
    LOGWOOD_TRY(Lease connection, database_.lease(deadline));
    LOGWOOD_CHECK(connection->begin(deadline));
    LOGWOOD_CHECK(connection->run(sql::lock_key, values, deadline));
    LOGWOOD_TRY(const PgRows meanwhile, connection->run(sql::newest_of_key, values, deadline));
    if (!meanwhile.empty()) return opened(meanwhile);
    const SessionId id = session.id ? *session.id : new_session_id();
    SessionHeader header = header_for(session, id, format_timestamp(options_.writer.now()));
    const std::string text = header_body(header) + '}';
    LOGWOOD_CHECK(make_session(database_, *connection, header, text, {}));
    return OpenedSession{std::move(header), true};
  }

  Result<SessionStatus> status(const SessionId& session) override {
    LOGWOOD_TRY(Tail tail, find_tail(database_, session));
    SessionStatus status;
    LOGWOOD_TRY(status.header, parse_header(tail.header));
    status.tail = std::move(tail.tail);
    status.head = std::move(tail.head);
    status.archived = tail.archived;
    status.read_only = tail.archived ? archived_text(session) : limits_in_header(status.header);
    return status;
  }

  Result<AppendResult> append(const SessionId& session, std::span<const Draft> drafts,
                              const AppendOptions& options) override {
    LOGWOOD_TRY(CheckedBatch batch, check_batch(session, drafts, options));
    if (auto valid = check_id(session.text); !valid)
      return std::move(valid).error().within("session id");
    auto appended = with_writer<AppendResult>(
        session, [&](SessionWriter& writer) { return writer.append(std::move(batch), options); });
    if (appended) followers_.tell(session);
    return appended;
  }

  Result<PageFrom> read(const SessionId& session, const ReadPosition& from,
                        std::size_t limit) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    return reader.read(from, limit);
  }

  Result<ReadPosition> end_of(const SessionId& session) override {
    LOGWOOD_TRY(const Tail tail, find_tail(database_, session));
    ReadPosition end;
    end.seq = tail.seq;
    return end;
  }

  Result<bool> wait(const SessionId& session, const ReadPosition& known,
                    std::chrono::milliseconds timeout) override {
    return followers_.wait(session, known.seq, timeout);
  }

  Result<WalkedTo> walk(const SessionId& session, const ReadPosition& from,
                        const WalkVisitor& visit) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    return reader.walk(from, visit);
  }

  Result<BackwardEnd> read_back(const SessionId& session, const BackwardVisit& visit) override {
    return SessionReader::read_back(database_, session, visit);
  }

  Result<Entry> find(const SessionId& session, const EntryId& entry) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    LOGWOOD_TRY(auto found, reader.find(entry));
    if (found) return *std::move(found);
    return Error{ErrorCode::not_found,
                 fmt::format("there is no entry {} in session {}", entry.text, session.text)};
  }

  Result<std::shared_ptr<const Redactions>> redactions(const SessionId& session) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    LOGWOOD_TRY(Redactions found, reader.redactions());
    return std::make_shared<const Redactions>(std::move(found));
  }

  Result<Erasure> erase(const SessionId& session, std::span<const EntryId> entries,
                        const std::string& reason) override {
    if (auto valid = check_id(session.text); !valid)
      return std::move(valid).error().within("session id");
    auto erased = with_writer<Erasure>(
        session, [&](SessionWriter& writer) { return writer.erase(entries, reason); });
    if (erased) followers_.tell(session);
    return erased;
  }

  Result<std::vector<Leftover>> leftovers() override {
    LOGWOOD_TRY(const PgRows rows, database_.read(sql::list_removed, database_.values()));
    std::vector<Leftover> found;
    for (int row = 0; row < rows.count(); ++row) {
      const auto header = parse_header(rows.view(row, 2));
      const SessionId id{rows.text(row, 1)};
      found.push_back({CopyKind::trash, fmt::format("trash/{}.{}", id.text, rows.integer(row, 0)),
                       id, header ? fork_source(*header) : std::nullopt, header ? header->key : "",
                       header ? header->created : ""});
    }
    return found;
  }

  Result<std::vector<EntryId>> held_by(const Leftover& leftover,
                                       std::span<const EntryId> entries) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(leftover));
    return held_entries(
        entries,
        [&](const EntryId& id) -> Result<bool> {
          LOGWOOD_TRY(const auto found, reader.find(id));
          return found && !found->erased;
        },
        [&](const WalkVisitor& visit) { return reader.walk({}, visit); });
  }

  Result<Erasure> erase_in(const Leftover& leftover, std::span<const EntryId> entries,
                           const std::string& reason) override {
    LOGWOOD_TRY(const SessionReader reader, reader_of(leftover));
    SessionWriter writer(database_, leftover.session, options_.writer);
    return writer.erase(entries, reason, reader.tail().session);
  }

  Result<Inventory> inventory() override {
    LOGWOOD_TRY(const PgRows rows, database_.read(sql::room, database_.values()));
    Inventory inventory;
    inventory.version = static_cast<std::uint32_t>(schema_version());
    inventory.parts = {{"sessions", rows.number(0, 0), rows.number(0, 1), "session", "sessions"},
                       {"trash", rows.number(0, 2), rows.number(0, 3), "session", "sessions"},
                       {"blobs", rows.number(0, 4), rows.number(0, 5), "blob", "blobs"}};
    LOGWOOD_TRY(Database::Setup setup, database_.setup());
    inventory.catalog_todo = "the log of the server says more";
    inventory.promises = std::move(setup.promises);
    inventory.dangers = std::move(setup.dangers);
    return inventory;
  }

  // The database says who may read it.
  Result<> close_to_others(const std::string&) override { return {}; }

  Result<> read_stored(const SessionId& session, const StoredVisitor& visit) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    return reader.read_stored(visit);
  }

  Result<ChainEnd> chain_end(const SessionId& session) override {
    LOGWOOD_TRY(Tail tail, find_tail(database_, session));
    return ChainEnd{tail.seq, std::move(tail.link)};
  }

  Result<> put_stored(const SessionId& session, const std::optional<ChainEnd>& replaced,
                      const StoredSource& source) override {
    return put_stored_session(database_, session, replaced, source);
  }

  Result<> purge(const SessionId& session) override {
    LOGWOOD_CHECK(purge_session(database_, session));
    followers_.tell(session);
    return {};
  }

  // Nothing is acknowledged before it is durable.
  Result<> flush(const SessionId& session) override { return check_id(session.text); }

  Result<MigrationResult> migrate(const SessionId& session) override {
    LOGWOOD_TRY(const Tail tail, find_tail(database_, session));
    if (tail.archived) return archived_error(session);
    return MigrationResult{session_version, session_version, 0};
  }

  // The database packs what it keeps, so this only says that nothing is to be added.
  Result<ArchiveResult> archive(const SessionId& session, const Progress&) override {
    LOGWOOD_TRY(const Tail tail, set_archived(session, true));
    return ArchiveResult{tail.size_bytes, tail.size_bytes, !tail.archived};
  }

  Result<ArchiveResult> unarchive(const SessionId& session, const Progress&) override {
    LOGWOOD_TRY(const Tail tail, set_archived(session, false));
    return ArchiveResult{tail.size_bytes, tail.archived ? tail.size_bytes : 0, tail.archived};
  }

  Result<VerifyReport> verify(const SessionId& session, const Progress& progress) override {
    LOGWOOD_TRY(SessionReader reader, reader_of(session));
    return reader.verify(progress);
  }

  Result<SessionPage> list(const ListOptions& options) override {
    return list_sessions(database_, options);
  }

  SessionCatalog& catalog() override { return catalog_; }

  Result<> remove(const SessionId& session) override {
    LOGWOOD_TRY(const Tail tail, find_tail(database_, session));
    LOGWOOD_CHECK(change_both(session, tail.session, sql::remove_tail, sql::remove_session));
    followers_.tell(session);
    return {};
  }

  Result<> restore(const SessionId& session) override {
    if (auto valid = check_id(session.text); !valid)
      return std::move(valid).error().within("session id");
    PgValues values = database_.values();
    values.text(session.text);
    LOGWOOD_TRY(const PgRows found, database_.read(sql::removed_last, values));
    auto restored = found.empty() ? Result<>(no_removed_session(session))
                                  : change_both(session, found.integer(0, 0), sql::restore_tail,
                                                sql::restore_session);
    if (restored) return {};
    LOGWOOD_TRY(const PgRows taken, database_.read(sql::find_session, values));
    if (!taken.empty()) {
      return Error{ErrorCode::already_exists,
                   fmt::format("there is a session {} already; remove it first", session.text)};
    }
    return restored;
  }

  Result<> close(const SessionId& session) override {
    LOGWOOD_CHECK(check_id(session.text));
    const std::lock_guard guard(mutex_);
    writers_.erase(session);
    return {};
  }

  Result<> close() override {
    followers_.close();
    database_.close();
    return {};
  }

 private:
  struct Handle {
    Handle(Database& database, const SessionId& session, const WriterOptions& options)
        : writer(database, session, options) {}
    std::timed_mutex queue;
    SessionWriter writer;
  };

  // What is believed of so many sessions is kept; of more it is asked for again.
  static constexpr std::size_t writers_max = 4096;

  template <class T, class Work>
  Result<T> with_writer(const SessionId& session, const Work& work) {
    std::shared_ptr<Handle> handle;  // owners: the map, and whoever works on it
    {
      const std::lock_guard guard(mutex_);
      if (writers_.size() >= writers_max && !writers_.contains(session)) writers_.clear();
      auto& known = writers_[session];
      if (!known) known = std::make_shared<Handle>(database_, session, options_.writer);
      handle = known;
    }
    const std::unique_lock turn(handle->queue, database_.patience());
    if (!turn) {
      return Error{
          ErrorCode::busy,
          fmt::format("session {} is in use by another thread of this process", session.text)};
    }
    return work(handle->writer);
  }

  Result<SessionReader> reader_of(const SessionId& session) {
    LOGWOOD_TRY(Tail tail, find_tail(database_, session));
    return SessionReader(database_, session, std::move(tail));
  }

  Result<SessionReader> reader_of(const Leftover& leftover) {
    const std::size_t dot = leftover.name.rfind('.');
    std::int64_t number = 0;
    if (dot != std::string::npos) {
      number = static_cast<std::int64_t>(json_unsigned(leftover.name.substr(dot + 1)).value_or(0));
    }
    PgValues values = database_.values();
    values.text(leftover.session.text).int8(number);
    LOGWOOD_TRY(const PgRows rows, database_.read(sql::find_removed, values));
    if (rows.empty()) {
      return Error{ErrorCode::not_found, fmt::format("there is no {} any more", leftover.name)};
    }
    return SessionReader(database_, leftover.session, tail_in(rows));
  }

  static Result<OpenedSession> opened(const PgRows& rows) {
    LOGWOOD_TRY(SessionHeader header, parse_header(rows.view(0, 0)));
    return OpenedSession{std::move(header), false};
  }

  Result<Tail> set_archived(const SessionId& session, bool archived) {
    LOGWOOD_TRY(Tail tail, find_tail(database_, session));
    const Deadline deadline = database_.deadline();
    LOGWOOD_TRY(Lease connection, database_.lease(deadline));
    PgValues values = database_.values();
    values.int8(tail.session).boolean(archived);
    LOGWOOD_CHECK(connection->change(sql::set_archived, values, deadline));
    return tail;
  }

  Result<> change_both(const SessionId& session, std::int64_t number, const PgStatement& tail,
                       const PgStatement& row) {
    const Deadline deadline = database_.deadline();
    LOGWOOD_TRY(Lease connection, database_.lease(deadline));
    LOGWOOD_CHECK(connection->begin(deadline));
    PgValues values = database_.values();
    values.int8(number);
    // Whoever is writing to the catalog what was read of it is done, or comes too late.
    LOGWOOD_CHECK(connection->run(sql::lock_tail, values, deadline));
    LOGWOOD_TRY(const PgRows changed, connection->run(tail, values, deadline));
    if (changed.changed() == 0) return no_session(session);
    LOGWOOD_CHECK(connection->run(row, values, deadline));
    LOGWOOD_CHECK(connection->run(sql::forget_derived, values, deadline));
    LOGWOOD_CHECK(connection->run(sql::touch_recency, values, deadline));
    return connection->commit(deadline);
  }

  Options options_;
  Database database_;
  std::mutex mutex_;
  std::map<SessionId, std::shared_ptr<Handle>> writers_;
  Followers followers_{database_};
  CatalogTables catalog_{*this, database_};
};

}  // namespace

Result<std::unique_ptr<StorageBackend>> open(const Place& place, const Options& options) {
  auto backend = std::make_unique<Backend>(place, options);
  LOGWOOD_CHECK(backend->open());
  return std::unique_ptr<StorageBackend>(std::move(backend));
}

}  // namespace logwood::storage::postgres
