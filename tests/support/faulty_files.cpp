#include "support/faulty_files.hpp"

#include <algorithm>
#include <utility>

namespace logwood::io {
namespace {

using Faults = std::shared_ptr<FaultPlan>;

// A call without bytes to cut short: it happens, fails, or both.
template <class Call>
auto call_or_fail(FaultPlan& faults, Operation operation, std::string_view name, Call call)
    -> decltype(call()) {
  const std::optional<Fault> fault = faults.next(operation);
  if (!fault) return call();
  if (fault->takes_effect) LOGWOOD_CHECK(call());
  return error_of(*fault, operation, name);
}

class FaultyFile final : public File {
 public:
  FaultyFile(std::unique_ptr<File> inner, std::string name, Faults faults)
      : inner_(std::move(inner)), name_(std::move(name)), faults_(std::move(faults)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    const std::optional<Fault> fault = faults_->next(Operation::read_at);
    if (!fault) return inner_->read_at(offset, into);
    if (!fault->short_bytes) return error_of(*fault, Operation::read_at, name_);
    return inner_->read_at(offset, into.first(std::min(*fault->short_bytes, into.size())));
  }

  Result<std::size_t> append(std::string_view bytes) override {
    const std::optional<Fault> fault = faults_->next(Operation::append);
    if (!fault) return inner_->append(bytes);
    if (fault->short_bytes) return inner_->append(bytes.substr(0, *fault->short_bytes));
    if (fault->takes_effect) LOGWOOD_CHECK(inner_->append(bytes));
    return error_of(*fault, Operation::append, name_);
  }

  Result<> write_at(std::uint64_t offset, std::string_view bytes) override {
    const std::optional<Fault> fault = faults_->next(Operation::write_at);
    if (!fault) return inner_->write_at(offset, bytes);
    const std::size_t most = fault->takes_effect ? bytes.size() : 0;
    LOGWOOD_CHECK(inner_->write_at(offset, bytes.substr(0, fault->short_bytes.value_or(most))));
    return error_of(*fault, Operation::write_at, name_);
  }

  Result<> truncate(std::uint64_t size_bytes) override {
    return call_or_fail(*faults_, Operation::truncate, name_,
                        [&] { return inner_->truncate(size_bytes); });
  }

  Result<> sync() override {
    return call_or_fail(*faults_, Operation::sync, name_, [&] { return inner_->sync(); });
  }

  Result<FileStatus> status() const override {
    return call_or_fail(*faults_, Operation::file_status, name_, [&] { return inner_->status(); });
  }

  Result<> lock(LockKind kind, std::chrono::milliseconds patience) override {
    const std::optional<Fault> fault = faults_->next(Operation::lock);
    if (fault) return error_of(*fault, Operation::lock, name_);
    return inner_->lock(kind, patience);
  }

  void unlock() override { inner_->unlock(); }

 private:
  std::unique_ptr<File> inner_;
  std::string name_;
  Faults faults_;
};

class FaultyFiles final : public FileSystem {
 public:
  FaultyFiles(std::unique_ptr<FileSystem> inner, Faults faults)
      : inner_(std::move(inner)), faults_(std::move(faults)) {}

  Result<std::unique_ptr<File>> open(const std::string& name, Access access) override {
    return wrap(name, call_or_fail(*faults_, Operation::open, name,
                                   [&] { return inner_->open(name, access); }));
  }

  Result<std::unique_ptr<File>> create(const std::string& name) override {
    return wrap(name, call_or_fail(*faults_, Operation::create, name,
                                   [&] { return inner_->create(name); }));
  }

  Result<FileStatus> status(const std::string& name) const override {
    return call_or_fail(*faults_, Operation::status, name, [&] { return inner_->status(name); });
  }

  Result<bool> wait_for_change(const std::string& name, const FileStatus& known,
                               std::chrono::milliseconds timeout,
                               const std::stop_token& stop) const override {
    return inner_->wait_for_change(name, known, timeout, stop);
  }

  Result<> rename(const std::string& from, const std::string& to, Replace replace) override {
    return call_or_fail(*faults_, Operation::rename, from,
                        [&] { return inner_->rename(from, to, replace); });
  }

  Result<> remove(const std::string& name) override {
    return call_or_fail(*faults_, Operation::remove, name, [&] { return inner_->remove(name); });
  }

  Result<> make_folder(const std::string& name) override {
    return call_or_fail(*faults_, Operation::make_folder, name,
                        [&] { return inner_->make_folder(name); });
  }

  Result<> sync_folder(const std::string& name) override {
    return call_or_fail(*faults_, Operation::sync_folder, name,
                        [&] { return inner_->sync_folder(name); });
  }

  Result<std::vector<std::string>> list(const std::string& name) const override {
    return call_or_fail(*faults_, Operation::list, name, [&] { return inner_->list(name); });
  }

  Result<std::vector<FileStamp>> stamps(const std::string& folder) const override {
    return call_or_fail(*faults_, Operation::list, folder, [&] { return inner_->stamps(folder); });
  }

  [[nodiscard]] std::string path_of(const std::string& name) const override {
    return inner_->path_of(name);
  }

  Result<bool> is_open_to_others(const std::string& name) const override {
    return inner_->is_open_to_others(name);
  }

  Result<> close_to_others(const std::string& name) override {
    return inner_->close_to_others(name);
  }

 private:
  Result<std::unique_ptr<File>> wrap(const std::string& name,
                                     Result<std::unique_ptr<File>> opened) const {
    LOGWOOD_TRY(std::unique_ptr<File> file, std::move(opened));
    return std::make_unique<FaultyFile>(std::move(file), name, faults_);
  }

  std::unique_ptr<FileSystem> inner_;
  Faults faults_;
};

}  // namespace

std::unique_ptr<FileSystem> with_faults(std::unique_ptr<FileSystem> inner,
                                        std::shared_ptr<FaultPlan> faults) {
  return std::make_unique<FaultyFiles>(std::move(inner), std::move(faults));
}

}  // namespace logwood::io
