#include "store/usages.hpp"

namespace logwood {

Result<SessionUsage> Usages::of(storage::StorageBackend& backend, const SessionId& session) {
  std::shared_ptr<Summed> summed;
  {
    const std::lock_guard guard(mutex_);
    auto& known = sessions_[session];
    if (!known) known = std::make_shared<Summed>();
    summed = known;
  }
  const std::lock_guard guard(summed->mutex);
  LOGWOOD_TRY(storage::WalkedTo walked,
              backend.walk(session, summed->until, [&](const storage::WalkedEntry& entry) {
                if (!entry.flagged) summed->sum.take(entry.text);
              }));
  summed->until = std::move(walked.next);
  return summed->sum.total();
}

void Usages::drop(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  sessions_.erase(session);
}

}  // namespace logwood
