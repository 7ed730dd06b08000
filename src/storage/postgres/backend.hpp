// The store in a PostgreSQL database: for many hosts and many tenants.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"
#include "storage/postgres/session_writer.hpp"

namespace logwood::storage::postgres {

struct Options {
  /// Makes the tables where there are none, or brings them up to date, which takes the role that
  /// owns them; and the tenant of the place.
  bool create = false;
  std::chrono::milliseconds patience{5000};
  WriterOptions writer;
};

Result<std::unique_ptr<StorageBackend>> open(const Place& place, const Options& options);

}  // namespace logwood::storage::postgres
