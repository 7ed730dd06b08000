// A machine in memory: a disk that loses power, and processes that use it through
// io::FileSystem and can be killed.
//
// A copy of a SimulatedDisk is the machine as if every process had been killed at
// that moment: the same files and page cache, no open files, no locks, no hook, no
// planned faults. So a test can copy the disk inside the hook, after every change
// that the code under test makes, try on the copy what a power cut could leave
// (power_loss.hpp), and let the original go on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.hpp"
#include "support/disk_state.hpp"
#include "support/fault_plan.hpp"

namespace logwood::io {

using ProcessId = std::uint64_t;

/// The file system as one process of a simulated machine sees it. Stays usable when
/// the SimulatedDisk it came from is gone.
class SimulatedProcess final : public FileSystem {
 public:
  [[nodiscard]] ProcessId id() const { return id_; }

  Result<std::unique_ptr<File>> open(const std::string& name, Access access) override;
  Result<std::unique_ptr<File>> create(const std::string& name) override;
  Result<FileStatus> status(const std::string& name) const override;
  Result<bool> wait_for_change(const std::string& name, const FileStatus& known,
                               std::chrono::milliseconds timeout,
                               const std::stop_token& stop) const override;
  Result<> rename(const std::string& from, const std::string& to, Replace replace) override;
  Result<> remove(const std::string& name) override;
  Result<> make_folder(const std::string& name) override;
  Result<> sync_folder(const std::string& name) override;
  Result<std::vector<std::string>> list(const std::string& name) const override;
  // This disk has one user.
  Result<bool> is_open_to_others(const std::string&) const override { return false; }
  Result<> close_to_others(const std::string&) override { return {}; }

 private:
  friend class SimulatedDisk;
  SimulatedProcess(std::shared_ptr<struct SimulatedMachine> machine, ProcessId id)
      : machine_(std::move(machine)), id_(id) {}

  std::shared_ptr<struct SimulatedMachine> machine_;  // with the disk and all its processes
  ProcessId id_;
};

/// Safe for use by several threads, like the FileSystems of its processes.
class SimulatedDisk {
 public:
  /// Called after every call that changes something, or tried to, with the name of
  /// the Operation and of the file or folder.
  using Hook = std::function<void(std::string_view operation, std::string_view name)>;

  SimulatedDisk();
  explicit SimulatedDisk(DiskState state);
  SimulatedDisk(const SimulatedDisk& other);
  SimulatedDisk& operator=(const SimulatedDisk& other);
  SimulatedDisk(SimulatedDisk&&) noexcept = default;
  SimulatedDisk& operator=(SimulatedDisk&&) noexcept = default;
  ~SimulatedDisk() = default;

  /// A lock that another open file holds is `busy` at once, whatever the patience:
  /// nothing else runs that could release it.
  [[nodiscard]] std::unique_ptr<SimulatedProcess> start_process();

  /// Closes its files and releases its locks; what it wrote stays in the page cache.
  /// From now on its calls fail and do nothing.
  void kill_process(ProcessId process);

  void on_change(Hook hook);
  [[nodiscard]] FaultPlan& faults();

  /// The machine after a power cut at which nothing unsynced reached the disk.
  [[nodiscard]] SimulatedDisk without_unsynced() const;
  /// All that is pending reaches the disk, as after a quiet minute.
  void sync_everything();

  /// What processes see, without being one; nothing where there is no such file.
  [[nodiscard]] std::optional<std::string> content(std::string_view name) const;
  /// The names of all files, without folders.
  [[nodiscard]] std::vector<std::string> file_names() const;
  /// Puts a file in place, durable at once, with the folders above it.
  void put(const std::string& name, std::string_view bytes);

  /// The same for two disks on which a new process sees the same (inode numbers and
  /// times aside).
  [[nodiscard]] std::uint64_t fingerprint() const;

  [[nodiscard]] DiskState state() const;

 private:
  std::shared_ptr<struct SimulatedMachine> machine_;
};

}  // namespace logwood::io
