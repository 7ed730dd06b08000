#include "storage/jsonl/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/seeded_bugs.hpp"
#include "base/timestamp.hpp"
#include "model/header.hpp"
#include "storage/archived_session.hpp"
#include "storage/catalog_keeper.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/background_sync.hpp"
#include "storage/jsonl/catalog_look.hpp"
#include "storage/jsonl/handles.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/leftovers.hpp"
#include "storage/jsonl/migration.hpp"
#include "storage/jsonl/new_session_file.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/jsonl/session_headers.hpp"
#include "storage/jsonl/store_check.hpp"
#include "storage/jsonl/store_folder.hpp"
#include "storage/jsonl/stored_copy.hpp"
#include "storage/jsonl/trash.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::jsonl {
namespace {

class Backend final : public StorageBackend {
 public:
  Backend(std::unique_ptr<io::FileSystem> files, WriterOptions options, std::string read_only)
      : files_(std::move(files)),
        options_(std::move(options)),
        read_only_(std::move(read_only)),
        syncer_(options_.sync_interval,
                [this](const SessionId& session) { return sync_in_background(session); }) {}

  ~Backend() override {
    syncer_.stop();
    (void)close_all();
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  std::string read_only() const override { return read_only_; }

  Result<SessionHeader> create(const NewSession& session, const SessionContent& content) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_CHECK(check_new_session(session));
    const SessionId id = session.id ? *session.id : new_session_id();
    LOGWOOD_TRY(const SessionNames names, names_of(id));
    // Whoever made the store may have been killed before its names were durable.
    if (!root_synced_ && !LOGWOOD_SEEDED(root_not_synced)) {
      LOGWOOD_CHECK(files_->sync_folder(""));
      root_synced_ = true;
    }
    SessionHeader header = header_for(session, id, format_timestamp(options_.now()));
    std::string header_text = content.header;
    if (header_text.empty()) {
      header_text = header_body(header) + '}';
    } else {
      LOGWOOD_TRY(header, parse_header(header_text));
    }
    LOGWOOD_CHECK(create_session_file(*files_, id, names, header_text, content.entries));
    return header;
  }

  Result<OpenedSession> open_by_key(const NewSession& session) override {
    if (session.key.empty()) {
      return Error{ErrorCode::invalid_argument,
                   "a session is opened by its key, and the key is empty"};
    }
    LOGWOOD_CHECK(check_new_session(session));
    if (auto found = newest_of_key(*files_, session.key); !found || *found)
      return opened(std::move(found));
    LOGWOOD_CHECK(check_store_writable());

    // Nobody may create between the look and the creation: the store's own file
    // is the lock for that.
    LOGWOOD_TRY(const auto gate, files_->open(std::string(store_file), io::Access::write));
    LOGWOOD_CHECK(gate->lock(io::LockKind::exclusive, options_.patience));
    if (auto found = newest_of_key(*files_, session.key); !found || *found)
      return opened(std::move(found));
    LOGWOOD_TRY(SessionHeader header, create(session, {}));
    return OpenedSession{std::move(header), true};
  }

  Result<SessionStatus> status(const SessionId& session) override {
    LOGWOOD_TRY(SessionStatus status,
                with_reader<SessionStatus>(session, [](LogReader& r) { return r.status(); }));
    if (status.read_only.empty()) status.read_only = read_only_;
    return status;
  }

  Result<AppendResult> append(const SessionId& session, std::span<const Draft> drafts,
                              const AppendOptions& options) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const CheckedBatch batch, check_batch(session, drafts, options));
    bool buffered = false;
    auto result = with_writer<AppendResult>(
        session, [&](std::optional<LogWriter>& writer) -> Result<AppendResult> {
          LOGWOOD_CHECK(make_writer(session, writer));
          auto appended = writer->append(batch, options);
          buffered = writer->has_unsynced();
          return appended;
        });
    if (buffered) syncer_.expect(session);
    return result;
  }

  Result<PageFrom> read(const SessionId& session, const ReadPosition& from,
                        std::size_t limit) override {
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    // Before it is read: what is appended meanwhile is a change, if one too many.
    const auto seen = files_->status(names.file);
    LOGWOOD_TRY(PageFrom read, with_settled_reader<PageFrom>(session, [&](LogReader& reader) {
                  return reader.read(from, limit);
                }));
    read.next.seen = seen ? *seen : io::FileStatus{};
    return read;
  }

  Result<ReadPosition> end_of(const SessionId& session) override {
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    const auto seen = files_->status(names.file);  // before it is read, as in read
    LOGWOOD_TRY(ReadPosition end, with_settled_reader<ReadPosition>(
                                      session, [](LogReader& reader) { return reader.end(); }));
    end.seen = seen ? *seen : io::FileStatus{};
    return end;
  }

  Result<bool> wait(const SessionId& session, const ReadPosition& known,
                    std::chrono::milliseconds timeout) override {
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    // Bytes after the last batch may be cut off and replaced by as many others, which changes
    // neither file nor size: where there are some, somebody has to look now and then.
    constexpr std::chrono::milliseconds look{1000};
    const bool has_loose_end = known.seen.size_bytes > known.offset;
    LOGWOOD_TRY(const bool changed,
                files_->wait_for_change(names.file, known.seen,
                                        has_loose_end ? std::min(timeout, look) : timeout,
                                        closing_.get_token()));
    return changed || (has_loose_end && timeout > look && !closing_.stop_requested());
  }

  Result<WalkedTo> walk(const SessionId& session, const ReadPosition& from,
                        const WalkVisitor& visit) override {
    return with_reader<WalkedTo>(session,
                                 [&](LogReader& reader) { return reader.walk(from, visit); });
  }

  Result<BackwardEnd> read_back(const SessionId& session, const BackwardVisit& visit) override {
    return with_settled_reader<BackwardEnd>(
        session, [&](LogReader& reader) { return reader.read_back(visit); });
  }

  Result<Entry> find(const SessionId& session, const EntryId& entry) override {
    return with_settled_reader<Entry>(session, [&](LogReader& reader) -> Result<Entry> {
      LOGWOOD_TRY(auto found, reader.find(entry));
      if (found) return *std::move(found);
      return Error{ErrorCode::not_found,
                   fmt::format("there is no entry {} in session {}", entry.text, session.text)};
    });
  }

  Result<std::shared_ptr<const Redactions>> redactions(const SessionId& session) override {
    return with_reader<std::shared_ptr<const Redactions>>(
        session, [](LogReader& reader) { return reader.redactions(); });
  }

  Result<Erasure> erase(const SessionId& session, std::span<const EntryId> entries,
                        const std::string& reason) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    LOGWOOD_TRY(Erasure erasure, alone<Erasure>(session, [&](std::optional<LogWriter>& writer) {
                  return erase_unarchived(*files_, session, names, options_.patience,
                                          [&]() -> Result<Erasure> {
                                            LOGWOOD_CHECK(make_writer(session, writer));
                                            return writer->erase(entries, reason);
                                          });
                }));
    // Also when nothing was left to erase: whoever did it may have died before this.
    LOGWOOD_CHECK(catalog_.forget_erased(session));
    return erasure;
  }

  Result<std::vector<Leftover>> leftovers() override { return find_leftovers(*files_); }

  Result<std::vector<EntryId>> held_by(const Leftover& leftover,
                                       std::span<const EntryId> entries) override {
    return entries_held_by(*files_, leftover, entries, options_.patience);
  }

  Result<Erasure> erase_in(const Leftover& leftover, std::span<const EntryId> entries,
                           const std::string& reason) override {
    LOGWOOD_CHECK(check_store_writable());
    return erase_leftover(*files_, leftover, entries, reason, options_);
  }

  Result<Inventory> inventory() override { return take_inventory(*files_, options_.patience); }

  Result<> close_to_others(const std::string& name) override {
    return files_->close_to_others(name);
  }

  Result<> read_stored(const SessionId& session, const StoredVisitor& visit) override {
    return with_reader<void>(session, [&](LogReader& reader) { return reader.read_stored(visit); });
  }

  Result<ChainEnd> chain_end(const SessionId& session) override {
    return with_reader<ChainEnd>(session, [](LogReader& reader) { return reader.chain_end(); });
  }

  Result<> put_stored(const SessionId& session, const std::optional<ChainEnd>& replaced,
                      const StoredSource& source) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<void>(session, [&](std::optional<LogWriter>& writer) -> Result<> {
      if (writer) LOGWOOD_CHECK(writer->close());
      return put_stored_session(*files_, session, names, replaced, source, options_.patience);
    });
  }

  // Through the trash, so that a purge that is cut short leaves something to find.
  Result<> purge(const SessionId& session) override {
    auto removed = remove(session);
    if (!removed && removed.error().code != ErrorCode::not_found) return removed;
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    LOGWOOD_CHECK(purge_from_trash(*files_, session));
    LOGWOOD_TRY(const bool has_index, is_there(*files_, names.index));
    if (has_index) LOGWOOD_CHECK(files_->remove(names.index));
    return catalog_.forget_erased(session);
  }

  Result<> flush(const SessionId& session) override {
    LOGWOOD_CHECK(names_of(session));
    return with_writer<void>(session, [](std::optional<LogWriter>& writer) -> Result<> {
      return writer ? writer->flush() : Result<>();
    });
  }

  Result<MigrationResult> migrate(const SessionId& session) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<MigrationResult>(session, [&](const auto&) -> Result<MigrationResult> {
      auto migrated = migrate_session(*files_, session, names, options_.patience);
      if (migrated || migrated.error().code != ErrorCode::not_found) return migrated;
      LOGWOOD_TRY(const Form form, form_of(*files_, names));
      return form == Form::archived ? archived_error(session) : no_session(session);
    });
  }

  Result<ArchiveResult> archive(const SessionId& session, const Progress& progress) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<ArchiveResult>(
        session, [&](std::optional<LogWriter>& writer) -> Result<ArchiveResult> {
          if (writer) LOGWOOD_CHECK(writer->close());
          return archive_session(*files_, session, names, options_.patience, progress);
        });
  }

  Result<ArchiveResult> unarchive(const SessionId& session, const Progress& progress) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<ArchiveResult>(session, [&](const auto&) {
      return unarchive_session(*files_, session, names, options_.patience, progress);
    });
  }

  Result<VerifyReport> verify(const SessionId& session, const Progress& progress) override {
    return with_settled_reader<VerifyReport>(
        session, [&](LogReader& reader) { return reader.verify(progress); });
  }

  Result<SessionPage> list(const ListOptions& options) override {
    return list_headers(*files_, options);
  }

  SessionCatalog& catalog() override { return catalog_; }

  Result<> remove(const SessionId& session) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<void>(session, [&](std::optional<LogWriter>& writer) -> Result<> {
      if (writer) LOGWOOD_CHECK(writer->close());
      return move_to_trash(*files_, session, names, format_timestamp(options_.now()),
                           options_.patience);
    });
  }

  Result<> restore(const SessionId& session) override {
    LOGWOOD_CHECK(check_store_writable());
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    return alone<void>(session, [&](const auto&) {
      return restore_from_trash(*files_, session, names, options_.patience);
    });
  }

  Result<> close(const SessionId& session) override {
    LOGWOOD_CHECK(names_of(session));
    auto closed = alone<void>(session, [](std::optional<LogWriter>& writer) -> Result<> {
      if (!writer) return {};
      auto result = writer->close();
      writer.reset();
      return result;
    });
    handles_.forget(session);
    return closed;
  }

  Result<> close() override {
    closing_.request_stop();
    syncer_.stop();
    return close_all();
  }

 private:
  Result<> check_store_writable() const {
    if (read_only_.empty()) return {};
    return Error{ErrorCode::unsupported, read_only_};
  }

  static Result<OpenedSession> opened(Result<std::optional<SessionHeader>> found) {
    if (!found) return std::move(found).error();
    return OpenedSession{**std::move(found), false};
  }

  Result<> make_writer(const SessionId& session, std::optional<LogWriter>& writer) {
    if (writer) return {};
    LOGWOOD_TRY(SessionNames names, names_of(session));
    writer.emplace(*files_, session, std::move(names), options_);
    return {};
  }

  static Error in_use(const SessionId& session) {
    return {ErrorCode::busy,
            fmt::format("session {} is in use by another thread of this process", session.text)};
  }

  // The turn of this thread in a queue; not owned when patience has run out. It is
  // tried first without the clock, which costs as much as a checksum.
  [[nodiscard]] std::unique_lock<std::timed_mutex> turn_in(std::timed_mutex& queue) const {
    std::unique_lock turn(queue, std::try_to_lock);
    if (!turn) static_cast<void>(turn.try_lock_for(options_.patience));
    return turn;
  }

  // Runs `work` on the session's writer, alone within this process.
  template <class T, class Work>
  Result<T> with_writer(const SessionId& session, const Work& work) {
    const std::shared_ptr<Handle> handle = handles_.of(session);
    const std::unique_lock queue = turn_in(handle->writers);
    if (!queue) return in_use(session);
    return work(handle->writer);
  }

  // Runs `work` when neither a writer nor a reader of this process is at work,
  // and the reader has let go of the file.
  template <class T, class Work>
  Result<T> alone(const SessionId& session, const Work& work) {
    const std::shared_ptr<Handle> handle = handles_.of(session);
    const std::unique_lock writers = turn_in(handle->writers);
    if (!writers) return in_use(session);
    const std::unique_lock readers = turn_in(handle->readers);
    if (!readers) return in_use(session);
    handle->reader.reset();
    return work(handle->writer);
  }

  template <class T, class Work>
  Result<T> with_reader(const SessionId& session, const Work& work) {
    LOGWOOD_TRY(const SessionNames names, names_of(session));
    const std::shared_ptr<Handle> handle = handles_.of(session);
    const std::unique_lock queue = turn_in(handle->readers);
    if (!queue) return in_use(session);
    if (!handle->reader || !handle->reader->is_current()) {
      handle->reader.reset();
      LOGWOOD_TRY(LogReader reader, LogReader::open(*files_, session, names, options_.patience));
      handle->reader.emplace(std::move(reader));
    }
    return work(*handle->reader);
  }

  // The same for work that needs blobs and can be begun again: somebody may erase, and replace
  // the file, while it is done.
  template <class T, class Work>
  Result<T> with_settled_reader(const SessionId& session, const Work& work) {
    constexpr int attempts_max = 10;
    for (int attempt = 1;; ++attempt) {
      bool was_replaced = false;
      auto result = with_reader<T>(session, [&](LogReader& reader) {
        auto done = work(reader);
        was_replaced = !done && done.error().code == ErrorCode::unavailable && !reader.is_current();
        return done;
      });
      if (!was_replaced || attempt == attempts_max) return result;
    }
  }

  // True when nothing is left to sync. A failure stays with the writer, which
  // tells it to whoever calls next.
  bool sync_in_background(const SessionId& session) {
    const std::shared_ptr<Handle> handle = handles_.of(session);
    const std::unique_lock queue(handle->writers, std::try_to_lock);
    if (!queue) return false;
    if (handle->writer && !handle->writer->is_poisoned()) (void)handle->writer->flush();
    return true;
  }

  Result<> close_all() {
    Result<> first_failure;
    for (const auto& handle : handles_.take_all()) {
      const std::scoped_lock queues(handle->writers, handle->readers);
      handle->reader.reset();
      if (!handle->writer) continue;
      auto closed = handle->writer->close();
      handle->writer.reset();
      if (!closed && first_failure) first_failure = std::move(closed);
    }
    return first_failure;
  }

  std::unique_ptr<io::FileSystem> files_;
  WriterOptions options_;
  std::string read_only_;
  std::atomic<bool> root_synced_ = false;  // by this process
  std::stop_source closing_;               // wakes who waits
  Handles handles_{Handles::limit_by_default};
  CatalogKeeper catalog_{
      *this, [this] { return look_for_catalog(*files_); }, {files_.get(), options_.patience}};
  BackgroundSync syncer_;  // last, so that it stops before what it works on goes
};

}  // namespace

Result<std::unique_ptr<StorageBackend>> open(std::unique_ptr<io::FileSystem> files,
                                             const Options& options) {
  auto read_only = read_store_file(*files);
  if (!read_only && read_only.error().code == ErrorCode::not_found &&
      options.create == CreateStore::if_missing) {
    LOGWOOD_CHECK(make_store(*files, options.writer.patience));
    read_only = read_store_file(*files);
  }
  if (!read_only) return std::move(read_only).error();
  return std::unique_ptr<StorageBackend>(
      std::make_unique<Backend>(std::move(files), options.writer, *std::move(read_only)));
}

}  // namespace logwood::storage::jsonl
