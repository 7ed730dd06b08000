#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "logwood/ids.hpp"
#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/log_writer.hpp"

namespace logwood::storage::jsonl {

/// What this process has open of one session. The mutexes are the in-process
/// queues: locks on files do not keep threads of one process apart. Readers have
/// their own, so that nobody who reads waits for a sync. Whoever needs both takes
/// the writers' first.
struct Handle {
  std::timed_mutex writers;
  std::optional<LogWriter> writer;
  std::timed_mutex readers;
  std::optional<LogReader> reader;

  std::uint64_t last_used = 0;  // by the table's own count
};

/// The sessions that this process has open: about `limit` at most, so that a
/// server with thousands of them does not run out of descriptors. Those used
/// longest ago are let go of first, never one that somebody is at work on, that
/// has something unsynced, or whose failed sync has not been told yet. Safe for
/// use by several threads.
class Handles {
 public:
  static constexpr std::size_t limit_by_default = 256;

  explicit Handles(std::size_t limit) : limit_(limit) {}

  /// Owned by the table and by whoever is at work on it.
  std::shared_ptr<Handle> of(const SessionId& session);

  /// Lets go of one, unless somebody is at work on it.
  void forget(const SessionId& session);

  /// Empties the table.
  std::vector<std::shared_ptr<Handle>> take_all();

  [[nodiscard]] std::size_t size() const;

 private:
  std::vector<std::shared_ptr<Handle>> take_idle();
  std::shared_ptr<Handle> oldest_unsynced() const;

  std::size_t limit_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Handle>, std::less<>> handles_;
  std::uint64_t uses_ = 0;
};

}  // namespace logwood::storage::jsonl
