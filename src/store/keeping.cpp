// Where sessions are kept: in the archive, in the trash, and back from there.
#include <algorithm>

#include "logwood/store.hpp"
#include "storage/backend.hpp"
#include "store/branching.hpp"
#include "store/inside.hpp"

namespace logwood {

using storage::StorageBackend;

Result<ArchiveResult> Store::archive(const SessionId& session, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->archive(session, progress);
}

Result<ArchiveResult> Store::unarchive(const SessionId& session, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->unarchive(session, progress);
}

Result<> Store::remove(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->remove(session);
}

Result<std::vector<SessionId>> Store::remove_family(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return remove_with_family(*backend, session);
}

Result<> Store::restore(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  inside_->forget(session);  // what is kept may be of another one with that id
  return backend->restore(session);
}

Result<std::vector<SessionId>> Store::removed() {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(const std::vector<storage::Leftover> leftovers, backend->leftovers());
  std::vector<SessionId> ids;
  for (const storage::Leftover& leftover : leftovers) {
    if (leftover.kind == CopyKind::trash) ids.push_back(leftover.session);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace logwood
