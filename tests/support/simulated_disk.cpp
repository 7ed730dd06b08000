#include "support/simulated_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "io/file_name.hpp"
#include "io/system_error.hpp"

namespace logwood::io {

class SimulatedFile;

// Everything that is shared by a disk, its processes and their open files. Guarded
// by its mutex; the hook is called without it, since it looks at the disk.
struct SimulatedMachine {
  struct Lock {
    const SimulatedFile* file;
    InodeIndex inode;
    LockKind kind;
  };

  std::recursive_mutex mutex;  // a call that fails closes the file it has just opened
  DiskState state;
  FaultPlan faults;
  SimulatedDisk::Hook hook;
  ProcessId last_process = 0;
  std::set<ProcessId> killed;
  std::set<const SimulatedFile*> open_files;
  std::vector<Lock> locks;

  void kill(ProcessId process);
  std::uint64_t free_inode_number() const;
};

namespace {

using Machine = std::shared_ptr<SimulatedMachine>;

bool moves_bytes(Operation operation) {
  return operation == Operation::read_at || operation == Operation::append ||
         operation == Operation::write_at;
}

bool changes_something(Operation operation) {
  switch (operation) {
    case Operation::create:
    case Operation::rename:
    case Operation::remove:
    case Operation::make_folder:
    case Operation::sync_folder:
    case Operation::append:
    case Operation::write_at:
    case Operation::truncate:
    case Operation::sync:
      return true;
    default:
      return false;
  }
}

Error killed_error() { return Error{ErrorCode::unavailable, "the simulated process was killed"}; }

// One call of a process: counted, failed where planned, and told to the hook. `body`
// gets the fault that it must act on itself, if any: its bytes are cut short, or it
// has a sync to spoil.
template <class Body>
auto perform(const Machine& machine, ProcessId process, Operation operation, std::string_view name,
             Body body) -> decltype(body(nullptr)) {
  using Answer = decltype(body(nullptr));
  std::unique_lock guard(machine->mutex);
  if (machine->killed.contains(process)) return killed_error();
  const std::optional<Fault> fault = machine->faults.next(operation);
  Answer answer = [&]() -> Answer {
    if (!fault) return body(nullptr);
    if (operation == Operation::sync) return body(&*fault);
    if (moves_bytes(operation) && fault->short_bytes) return body(&*fault);
    if (fault->takes_effect) LOGWOOD_CHECK(body(nullptr));
    return error_of(*fault, operation, name);
  }();
  if (fault && fault->kills) {
    machine->kill(process);
    answer = killed_error();
  }
  guard.unlock();
  if (machine->hook && changes_something(operation)) machine->hook(name_of(operation), name);
  return answer;
}

Error failure(int error_number, Operation operation, std::string_view name) {
  return system_error(error_number, name_of(operation), name);
}

FileStatus status_of(const Inode& inode) {
  return {.identity = {.device = 1, .inode = inode.number},
          .size_bytes = inode.cached.bytes().size(),
          .is_file = !inode.is_folder};
}

}  // namespace

class SimulatedFile final : public File {
 public:
  // The machine's mutex is held.
  SimulatedFile(Machine machine, ProcessId process, InodeIndex inode, Access access,
                std::string name)
      : machine_(std::move(machine)),
        process_(process),
        inode_(inode),
        access_(access),
        name_(std::move(name)) {
    machine_->open_files.insert(this);
  }

  ~SimulatedFile() override {
    const std::lock_guard guard(machine_->mutex);
    machine_->open_files.erase(this);
    release();
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    return call(Operation::read_at, [&](const Fault* fault) -> Result<std::size_t> {
      const std::string_view bytes = inode().cached.bytes();
      const std::size_t most = fault ? std::min(*fault->short_bytes, into.size()) : into.size();
      return offset < bytes.size() ? bytes.substr(offset).copy(into.data(), most) : 0;
    });
  }

  Result<std::size_t> append(std::string_view bytes) override {
    return call(Operation::append, [&](const Fault* fault) -> Result<std::size_t> {
      LOGWOOD_CHECK(check_access(access_ == Access::write, "append to"));
      const std::string_view part = bytes.substr(0, fault ? *fault->short_bytes : bytes.size());
      state().write(inode_, inode().cached.bytes().size(), part);
      return part.size();
    });
  }

  Result<> write_at(std::uint64_t offset, std::string_view bytes) override {
    return call(Operation::write_at, [&](const Fault* fault) -> Result<> {
      LOGWOOD_CHECK(check_access(access_ == Access::rewrite, "write over"));
      state().write(inode_, offset, bytes.substr(0, fault ? *fault->short_bytes : bytes.size()));
      if (fault) return error_of(*fault, Operation::write_at, name_);
      return {};
    });
  }

  Result<> truncate(std::uint64_t size_bytes) override {
    return call(Operation::truncate, [&](const Fault*) -> Result<> {
      LOGWOOD_CHECK(check_access(access_ != Access::read, "truncate"));
      state().truncate(inode_, size_bytes);
      return {};
    });
  }

  Result<> sync() override {
    return call(Operation::sync, [&](const Fault* fault) -> Result<> {
      if (!fault || fault->takes_effect) {
        state().sync(inode_);
      } else if (!fault->kills) {
        state().fail_sync(inode_);
      }
      if (fault) return error_of(*fault, Operation::sync, name_);
      return {};
    });
  }

  Result<FileStatus> status() const override {
    return call(Operation::file_status,
                [&](const Fault*) -> Result<FileStatus> { return status_of(inode()); });
  }

  Result<> lock(LockKind kind, std::chrono::milliseconds) override {
    return call(Operation::lock, [&](const Fault*) -> Result<> {
      LOGWOOD_CHECK(check_access(kind == LockKind::shared || access_ != Access::read, "lock"));
      for (const SimulatedMachine::Lock& other : machine_->locks) {
        if (other.file == this) {
          return Error{ErrorCode::internal, fmt::format("{} is locked twice by one file", name_)};
        }
        const bool excludes = kind == LockKind::exclusive || other.kind == LockKind::exclusive;
        if (other.inode == inode_ && excludes) {
          return Error{ErrorCode::busy, fmt::format("{} is in use by process {}; try again", name_,
                                                    other.file->process_)};
        }
      }
      machine_->locks.push_back({this, inode_, kind});
      return {};
    });
  }

  void unlock() override {
    const std::lock_guard guard(machine_->mutex);
    release();
  }

  // With the machine's mutex held, as all below.
  void release() {
    std::erase_if(machine_->locks, [&](const auto& lock) { return lock.file == this; });
  }
  [[nodiscard]] ProcessId process() const { return process_; }
  [[nodiscard]] InodeIndex inode_index() const { return inode_; }

 private:
  template <class Body>
  auto call(Operation operation, Body body) const -> decltype(body(nullptr)) {
    return perform(machine_, process_, operation, name_, body);
  }

  [[nodiscard]] DiskState& state() const { return machine_->state; }
  [[nodiscard]] const Inode& inode() const { return state().inode(inode_); }

  [[nodiscard]] Result<> check_access(bool is_enough, std::string_view attempt) const {
    if (is_enough) return {};
    return Error{ErrorCode::internal, fmt::format("{} was not opened to {} it", name_, attempt)};
  }

  Machine machine_;
  ProcessId process_;
  InodeIndex inode_;
  Access access_;
  std::string name_;
};

void SimulatedMachine::kill(ProcessId process) {
  killed.insert(process);
  std::erase_if(locks, [&](const Lock& lock) { return lock.file->process() == process; });
  std::erase_if(open_files, [&](const SimulatedFile* f) { return f->process() == process; });
}

std::uint64_t SimulatedMachine::free_inode_number() const {
  std::set<std::uint64_t> used{0, 1};  // none, and the root folder
  for (const auto& [name, index] : state.names()) used.insert(state.inode(index).number);
  // One whose removal may not have reached the disk is not free there.
  for (const auto& [name, index] : state.durable_names()) used.insert(state.inode(index).number);
  for (const NameChange& change : state.unsynced_names()) {
    used.insert(state.inode(change.inode).number);
  }
  for (const SimulatedFile* file : open_files) {
    used.insert(state.inode(file->inode_index()).number);
  }
  std::uint64_t number = 0;
  while (used.contains(number)) ++number;
  return number;
}

namespace {

// The folder a name lies in must be there, and be one.
Result<> check_outer_folder(const DiskState& state, const std::string& name, Operation operation) {
  LOGWOOD_CHECK(check_name(name));
  const std::string folder = split_name(name).folder;
  if (folder.empty()) return {};
  LOGWOOD_CHECK(check_outer_folder(state, folder, operation));
  const std::optional<InodeIndex> found = state.find(folder);
  if (!found) return failure(ENOENT, operation, name);
  if (!state.inode(*found).is_folder) return failure(ENOTDIR, operation, name);
  return {};
}

Result<InodeIndex> find(const DiskState& state, const std::string& name, Operation operation) {
  LOGWOOD_CHECK(check_outer_folder(state, name, operation));
  const std::optional<InodeIndex> found = state.find(name);
  if (!found) return failure(ENOENT, operation, name);
  return *found;
}

Result<InodeIndex> find_file(const DiskState& state, const std::string& name, Operation operation) {
  LOGWOOD_TRY(const InodeIndex found, find(state, name, operation));
  if (state.inode(found).is_folder) return failure(EISDIR, operation, name);
  return found;
}

Result<> check_folder(const DiskState& state, const std::string& name, Operation operation) {
  if (name.empty()) return {};
  LOGWOOD_TRY(const InodeIndex found, find(state, name, operation));
  if (!state.inode(found).is_folder) return failure(ENOTDIR, operation, name);
  return {};
}

}  // namespace

Result<std::unique_ptr<File>> SimulatedProcess::open(const std::string& name, Access access) {
  return perform(
      machine_, id_, Operation::open, name, [&](const Fault*) -> Result<std::unique_ptr<File>> {
        LOGWOOD_TRY(const InodeIndex found, find_file(machine_->state, name, Operation::open));
        return std::make_unique<SimulatedFile>(machine_, id_, found, access, name);
      });
}

Result<std::unique_ptr<File>> SimulatedProcess::create(const std::string& name) {
  return perform(
      machine_, id_, Operation::create, name, [&](const Fault*) -> Result<std::unique_ptr<File>> {
        LOGWOOD_CHECK(check_outer_folder(machine_->state, name, Operation::create));
        if (machine_->state.find(name)) return failure(EEXIST, Operation::create, name);
        const InodeIndex made =
            machine_->state.create(name, /*is_folder=*/false, machine_->free_inode_number());
        return std::make_unique<SimulatedFile>(machine_, id_, made, Access::write, name);
      });
}

Result<FileStatus> SimulatedProcess::status(const std::string& name) const {
  return perform(machine_, id_, Operation::status, name, [&](const Fault*) -> Result<FileStatus> {
    LOGWOOD_TRY(const InodeIndex found, find(machine_->state, name, Operation::status));
    return status_of(machine_->state.inode(found));
  });
}

Result<> SimulatedProcess::rename(const std::string& from, const std::string& to, Replace replace) {
  return perform(machine_, id_, Operation::rename, from, [&](const Fault*) -> Result<> {
    DiskState& state = machine_->state;
    LOGWOOD_CHECK(find(state, from, Operation::rename));
    LOGWOOD_CHECK(check_outer_folder(state, to, Operation::rename));
    const std::optional<InodeIndex> target = state.find(to);
    if (target && replace == Replace::never) return failure(EEXIST, Operation::rename, to);
    if (target && state.inode(*target).is_folder) return failure(EISDIR, Operation::rename, to);
    state.rename(from, to);
    return {};
  });
}

Result<> SimulatedProcess::remove(const std::string& name) {
  return perform(machine_, id_, Operation::remove, name, [&](const Fault*) -> Result<> {
    LOGWOOD_CHECK(find_file(machine_->state, name, Operation::remove));
    machine_->state.remove(name);
    return {};
  });
}

Result<> SimulatedProcess::make_folder(const std::string& name) {
  return perform(machine_, id_, Operation::make_folder, name, [&](const Fault*) -> Result<> {
    LOGWOOD_CHECK(check_outer_folder(machine_->state, name, Operation::make_folder));
    if (machine_->state.find(name)) {
      return check_folder(machine_->state, name, Operation::make_folder);
    }
    machine_->state.create(name, /*is_folder=*/true, machine_->free_inode_number());
    return {};
  });
}

Result<> SimulatedProcess::sync_folder(const std::string& name) {
  return perform(machine_, id_, Operation::sync_folder, name, [&](const Fault*) -> Result<> {
    LOGWOOD_CHECK(check_folder(machine_->state, name, Operation::sync_folder));
    machine_->state.sync_folder(name);
    return {};
  });
}

Result<bool> SimulatedProcess::wait_for_change(const std::string& name, const FileStatus& known,
                                               std::chrono::milliseconds timeout,
                                               const std::stop_token& stop) const {
  constexpr std::chrono::milliseconds between_looks{2};
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    auto now = status(name);
    if (!now && now.error().code == ErrorCode::not_found) now = FileStatus{};
    if (!now) return std::move(now).error();
    if (*now != known) return true;
    const auto passed = std::chrono::steady_clock::now() - start;
    if (passed >= timeout || stop.stop_requested()) return false;
    std::this_thread::sleep_for(between_looks);
  }
}

Result<std::vector<std::string>> SimulatedProcess::list(const std::string& name) const {
  return perform(machine_, id_, Operation::list, name,
                 [&](const Fault*) -> Result<std::vector<std::string>> {
                   LOGWOOD_CHECK(check_folder(machine_->state, name, Operation::list));
                   std::vector<std::string> names;
                   for (const auto& [path, inode] : machine_->state.names()) {
                     SplitName split = split_name(path);
                     if (split.folder == name) names.push_back(std::move(split.last));
                   }
                   return names;
                 });
}

SimulatedDisk::SimulatedDisk() : machine_(std::make_shared<SimulatedMachine>()) {}

SimulatedDisk::SimulatedDisk(DiskState state) : SimulatedDisk() {
  machine_->state = std::move(state);
}

SimulatedDisk::SimulatedDisk(const SimulatedDisk& other) : SimulatedDisk(other.state()) {}

SimulatedDisk& SimulatedDisk::operator=(const SimulatedDisk& other) {
  if (this != &other) *this = SimulatedDisk(other);
  return *this;
}

std::unique_ptr<SimulatedProcess> SimulatedDisk::start_process() {
  const std::lock_guard guard(machine_->mutex);
  return std::unique_ptr<SimulatedProcess>(
      new SimulatedProcess(machine_, ++machine_->last_process));
}

void SimulatedDisk::kill_process(ProcessId process) {
  const std::lock_guard guard(machine_->mutex);
  machine_->kill(process);
}

void SimulatedDisk::on_change(Hook hook) { machine_->hook = std::move(hook); }

FaultPlan& SimulatedDisk::faults() { return machine_->faults; }

SimulatedDisk SimulatedDisk::without_unsynced() const {
  const DiskState now = state();
  return SimulatedDisk(now.survivor(now.durable_names()));
}

void SimulatedDisk::sync_everything() {
  const std::lock_guard guard(machine_->mutex);
  machine_->state.sync_everything();
}

std::optional<std::string> SimulatedDisk::content(std::string_view name) const {
  const std::lock_guard guard(machine_->mutex);
  const std::optional<InodeIndex> found = machine_->state.find(name);
  if (!found || machine_->state.inode(*found).is_folder) return std::nullopt;
  return std::string(machine_->state.inode(*found).cached.bytes());
}

std::vector<std::string> SimulatedDisk::file_names() const {
  const std::lock_guard guard(machine_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, index] : machine_->state.names()) {
    if (!machine_->state.inode(index).is_folder) names.push_back(name);
  }
  return names;
}

void SimulatedDisk::put(const std::string& name, std::string_view bytes) {
  const std::lock_guard guard(machine_->mutex);
  DiskState& state = machine_->state;
  for (std::size_t slash = 0; (slash = name.find('/', slash)) != std::string::npos; ++slash) {
    const std::string folder = name.substr(0, slash);
    if (!state.find(folder)) state.create(folder, true, machine_->free_inode_number());
  }
  std::optional<InodeIndex> file = state.find(name);
  if (!file) file = state.create(name, false, machine_->free_inode_number());
  state.settle(*file, Image(std::string(bytes)));
  for (std::string folder = name; !folder.empty();) {
    folder = split_name(folder).folder;
    state.sync_folder(folder);
  }
}

std::uint64_t SimulatedDisk::fingerprint() const {
  const std::lock_guard guard(machine_->mutex);
  std::uint64_t fingerprint = 0;
  for (const auto& [name, index] : machine_->state.names()) {
    const Inode& inode = machine_->state.inode(index);
    // The order of names is fixed, so mixing in order is enough.
    fingerprint = (fingerprint ^ std::hash<std::string_view>{}(name)) * 0x9e3779b97f4a7c15U;
    fingerprint =
        (fingerprint ^ std::hash<std::string_view>{}(inode.cached.bytes())) * 0x9e3779b97f4a7c15U;
    fingerprint ^= fingerprint >> 29U;
  }
  return fingerprint;
}

DiskState SimulatedDisk::state() const {
  const std::lock_guard guard(machine_->mutex);
  return machine_->state;
}

}  // namespace logwood::io
