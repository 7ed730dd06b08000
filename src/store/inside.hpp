#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "logwood/result.hpp"
#include "logwood/store.hpp"
#include "storage/backend.hpp"
#include "store/branching.hpp"
#include "store/contexts.hpp"
#include "store/usages.hpp"

namespace logwood {

/// What a Store and the readers it handed out share.
class Store::Inside {
 public:
  Inside(std::unique_ptr<storage::StorageBackend> opened, IdsAndTime stamps_given)
      : stamps(std::move(stamps_given)), backend_(std::move(opened)) {}

  /// What every operation begins with: the backend, unless the store was closed.
  Result<storage::StorageBackend*> backend() const {
    if (is_closed_) {
      return Error{ErrorCode::unavailable, "the store was closed; open it again"};
    }
    return backend_.get();
  }

  [[nodiscard]] std::string read_only() const { return backend_->read_only(); }

  const IdsAndTime stamps;
  Contexts contexts;
  Usages usages;

  /// Drops what is kept of a session whose entries were changed.
  void forget(const SessionId& session) {
    contexts.drop(session);
    usages.drop(session);
  }

  Result<> close() {
    is_closed_ = true;
    return backend_->close();
  }

 private:
  std::unique_ptr<storage::StorageBackend> backend_;
  std::atomic<bool> is_closed_ = false;
};

}  // namespace logwood
