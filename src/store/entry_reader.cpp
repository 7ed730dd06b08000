// Reading a session forwards, and waiting for more of it.
#include <utility>

#include "logwood/store.hpp"
#include "storage/backend.hpp"
#include "store/inside.hpp"

namespace logwood {

using storage::StorageBackend;

class EntryReader::Inside {
 public:
  std::shared_ptr<Store::Inside> store;  // owners: the Store and its readers
  SessionId session;
  std::size_t page_size = 100;
  View view = View::shown;
  storage::ReadPosition position;
  bool has_more = true;
};

Result<EntryReader> Store::read(const SessionId& session, std::size_t page_size, View view) {
  if (page_size == 0) return Error{ErrorCode::invalid_argument, "a page has at least one entry"};
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_CHECK(backend->read(session, {}, 0));  // says at once when there is no such session
  auto inside = std::make_unique<EntryReader::Inside>();
  inside->store = inside_;
  inside->session = session;
  inside->page_size = page_size;
  inside->view = view;
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
  if (inside_->view == View::shown && !read.page.entries.empty()) {
    LOGWOOD_TRY(const auto redactions, backend->redactions(inside_->session));
    for (Entry& entry : read.page.entries) redactions->apply(entry);
  }
  return std::move(read.page);
}

Result<bool> EntryReader::wait(std::chrono::milliseconds timeout) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->store->backend());
  if (inside_->has_more) return true;
  LOGWOOD_TRY(const bool more, backend->wait(inside_->session, inside_->position, timeout));
  LOGWOOD_CHECK(inside_->store->backend());  // it may have been closed, which wakes who waits
  return more;
}

bool EntryReader::has_more() const { return inside_->has_more; }

Result<std::uint64_t> EntryReader::skip_to_end() {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->store->backend());
  LOGWOOD_TRY(inside_->position, backend->end_of(inside_->session));
  inside_->has_more = false;
  return inside_->position.seq;
}

void EntryReader::reset() {
  inside_->position = {};
  inside_->has_more = true;
}

}  // namespace logwood
