#include "logwood/store.hpp"

#include <atomic>
#include <utility>

#include "io/real_files.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/backend.hpp"
#include "storage/memory/backend.hpp"
#include "store/session_tree.hpp"

namespace logwood {

using storage::StorageBackend;

class Store::Inside {
 public:
  explicit Inside(std::unique_ptr<StorageBackend> opened) : backend_(std::move(opened)) {}

  /// What every operation begins with: the backend, unless the store was closed.
  Result<StorageBackend*> backend() const {
    if (is_closed_) {
      return Error{ErrorCode::unavailable, "the store was closed; open it again"};
    }
    return backend_.get();
  }

  [[nodiscard]] std::string read_only() const { return backend_->read_only(); }

  Result<> close() {
    is_closed_ = true;
    return backend_->close();
  }

 private:
  std::unique_ptr<StorageBackend> backend_;
  std::atomic<bool> is_closed_ = false;
};

namespace {

StoreOptions with_defaults(StoreOptions options) {
  if (!options.now) options.now = [] { return std::chrono::system_clock::now(); };
  return options;
}

constexpr std::size_t whole_session = static_cast<std::size_t>(-1);

}  // namespace

Result<Store> Store::open(const std::string& folder, const StoreOptions& options) {
  const StoreOptions chosen = with_defaults(options);
  const bool create = chosen.create == StoreOptions::Create::if_missing;
  LOGWOOD_TRY(auto files,
              io::open_folder(folder, {.create = create, .allow_remote = chosen.allow_remote}));
  storage::jsonl::Options jsonl;
  jsonl.create =
      create ? storage::jsonl::CreateStore::if_missing : storage::jsonl::CreateStore::never;
  jsonl.writer.patience = chosen.patience;
  jsonl.writer.sync_interval = chosen.sync_interval;
  jsonl.writer.new_id = chosen.new_id;
  jsonl.writer.now = chosen.now;
  auto backend = storage::jsonl::open(std::move(files), jsonl);
  if (!backend) return std::move(backend).error().within("store " + folder);
  return Store(std::make_shared<Inside>(*std::move(backend)));
}

Result<Store> Store::in_memory(const StoreOptions& options) {
  StoreOptions chosen = with_defaults(options);
  if (!chosen.new_id) chosen.new_id = [] { return new_entry_id(); };
  return Store(std::make_shared<Inside>(storage::memory::open({chosen.new_id, chosen.now})));
}

Store::Store(std::shared_ptr<Inside> inside) : inside_(std::move(inside)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

std::string Store::read_only() const { return inside_->read_only(); }

Result<SessionHeader> Store::create(const NewSession& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->create(session);
}

Result<OpenedSession> Store::open_by_key(const NewSession& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->open_by_key(session);
}

Result<SessionStatus> Store::status(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->status(session);
}

Result<AppendResult> Store::append(const SessionId& session, std::span<const Draft> drafts,
                                   const AppendOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->append(session, drafts, options);
}

Result<AppendResult> Store::append(const SessionId& session, const Draft& draft,
                                   const AppendOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->append(session, {&draft, 1}, options);
}

Result<EntryPage> Store::load(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(storage::PageFrom all, backend->read(session, {}, whole_session));
  return std::move(all.page);
}

Result<BackwardPage> Store::load_last(const SessionId& session, std::size_t limit, Along along) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->read_last(session, limit, along);
}

Result<Entry> Store::find(const SessionId& session, const EntryId& entry) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->find(session, entry);
}

Result<SessionTree> Store::tree(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return load_tree(*backend, session);
}

Result<std::vector<Branch>> Store::branches(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return list_branches(*backend, session);
}

Result<> Store::flush(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->flush(session);
}

Result<MigrationResult> Store::migrate(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->migrate(session);
}

Result<VerifyReport> Store::verify(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->verify(session);
}

Result<SessionPage> Store::list(const ListOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->list(options);
}

Result<> Store::remove(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->remove(session);
}

Result<> Store::close(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->close(session);
}

Result<> Store::close() { return inside_->close(); }

class EntryReader::Inside {
 public:
  std::shared_ptr<Store::Inside> store;  // owners: the Store and its readers
  SessionId session;
  std::size_t page_size = 100;
  storage::ReadPosition position;
  bool has_more = true;
};

Result<EntryReader> Store::read(const SessionId& session, std::size_t page_size) {
  if (page_size == 0) return Error{ErrorCode::invalid_argument, "a page has at least one entry"};
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_CHECK(backend->read(session, {}, 0));  // says at once when there is no such session
  auto inside = std::make_unique<EntryReader::Inside>();
  inside->store = inside_;
  inside->session = session;
  inside->page_size = page_size;
  return EntryReader(std::move(inside));
}

EntryReader::EntryReader(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
EntryReader::EntryReader(EntryReader&&) noexcept = default;
EntryReader& EntryReader::operator=(EntryReader&&) noexcept = default;
EntryReader::~EntryReader() = default;

Result<EntryPage> EntryReader::next() {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->store->backend());
  LOGWOOD_TRY(storage::PageFrom read,
              backend->read(inside_->session, inside_->position, inside_->page_size));
  inside_->position = std::move(read.next);
  inside_->has_more = read.page.has_more;
  return std::move(read.page);
}

bool EntryReader::has_more() const { return inside_->has_more; }

void EntryReader::reset() {
  inside_->position = {};
  inside_->has_more = true;
}

}  // namespace logwood
