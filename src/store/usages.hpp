#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "logwood/result.hpp"
#include "logwood/turn.hpp"
#include "model/usage_sum.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// What sessions used, and how far that was summed: a second look reads only what was
/// added. Safe for use by several threads.
class Usages {
 public:
  Result<SessionUsage> of(storage::StorageBackend& backend, const SessionId& session);

  void drop(const SessionId& session);

 private:
  struct Summed {
    std::mutex mutex;
    UsageSum sum;
    storage::ReadPosition until;
  };

  std::mutex mutex_;
  std::map<SessionId, std::shared_ptr<Summed>> sessions_;  // owners: this and who adds to it
};

}  // namespace logwood
