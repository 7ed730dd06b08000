// A store on a simulated disk, and what a second process does to its files meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "storage/jsonl/backend.hpp"
#include "support/simulated_disk.hpp"
#include "support/watched_files.hpp"

namespace logwood {

class StoredDisk {
 public:
  /// Appends are synced only when asked for and time stands still, so that nothing happens by
  /// itself.
  [[nodiscard]] static storage::jsonl::Options options() {
    storage::jsonl::Options options;
    options.create = storage::jsonl::CreateStore::if_missing;
    options.writer.sync_interval = std::chrono::hours(1);
    options.writer.now = [] { return std::chrono::system_clock::time_point(); };
    return options;
  }

  /// The store as a new process opens it, whose calls before() waits for.
  Result<std::unique_ptr<storage::StorageBackend>> open(
      const storage::jsonl::Options& chosen = options()) {
    return storage::jsonl::open(
        io::with_watcher(
            disk_.start_process(),
            [this](io::Operation operation, const std::string& name) { watch(operation, name); }),
        chosen);
  }

  /// Does something once, right before the `at_call`th of these calls from now on.
  void before(io::Operation operation, std::string name, std::function<void()> action,
              int at_call = 1) {
    operation_ = operation;
    name_ = std::move(name);
    action_ = std::move(action);
    calls_left_ = at_call;
  }

  /// Puts another file with these bytes under the name.
  void replace(const std::string& name, std::string_view bytes) {
    disk_.put(name + ".other", bytes);
    (void)somebody_->rename(name + ".other", name, io::Replace::existing);
  }

  [[nodiscard]] io::SimulatedDisk& disk() { return disk_; }
  /// Another process on the same machine.
  [[nodiscard]] io::FileSystem& somebody() { return *somebody_; }

 private:
  void watch(io::Operation operation, const std::string& name) {
    if (!action_ || operation != operation_ || name != name_ || --calls_left_ > 0) return;
    std::exchange(action_, nullptr)();
  }

  io::SimulatedDisk disk_;
  std::unique_ptr<io::FileSystem> somebody_ = disk_.start_process();
  io::Operation operation_ = io::Operation::open;
  std::string name_;
  std::function<void()> action_;
  int calls_left_ = 0;
};

}  // namespace logwood
