#include "support/watched_files.hpp"

#include <utility>
#include <vector>

namespace logwood::io {
namespace {

class WatchedFiles final : public FileSystem {
 public:
  WatchedFiles(std::unique_ptr<FileSystem> inner, Watcher watcher)
      : inner_(std::move(inner)), watcher_(std::move(watcher)) {}

  Result<std::unique_ptr<File>> open(const std::string& name, Access access) override {
    watcher_(Operation::open, name);
    return inner_->open(name, access);
  }
  Result<std::unique_ptr<File>> create(const std::string& name) override {
    watcher_(Operation::create, name);
    return inner_->create(name);
  }
  Result<FileStatus> status(const std::string& name) const override {
    watcher_(Operation::status, name);
    return inner_->status(name);
  }
  Result<bool> wait_for_change(const std::string& name, const FileStatus& known,
                               std::chrono::milliseconds timeout,
                               const std::stop_token& stop) const override {
    return inner_->wait_for_change(name, known, timeout, stop);
  }
  Result<> rename(const std::string& from, const std::string& to, Replace replace) override {
    watcher_(Operation::rename, from);
    return inner_->rename(from, to, replace);
  }
  Result<> remove(const std::string& name) override {
    watcher_(Operation::remove, name);
    return inner_->remove(name);
  }
  Result<> make_folder(const std::string& name) override {
    watcher_(Operation::make_folder, name);
    return inner_->make_folder(name);
  }
  Result<> sync_folder(const std::string& name) override {
    watcher_(Operation::sync_folder, name);
    return inner_->sync_folder(name);
  }
  Result<std::vector<std::string>> list(const std::string& name) const override {
    watcher_(Operation::list, name);
    return inner_->list(name);
  }
  Result<bool> is_open_to_others(const std::string& name) const override {
    return inner_->is_open_to_others(name);
  }
  Result<> close_to_others(const std::string& name) override {
    return inner_->close_to_others(name);
  }

 private:
  std::unique_ptr<FileSystem> inner_;
  Watcher watcher_;
};

}  // namespace

std::unique_ptr<FileSystem> with_watcher(std::unique_ptr<FileSystem> inner, Watcher watcher) {
  return std::make_unique<WatchedFiles>(std::move(inner), std::move(watcher));
}

}  // namespace logwood::io
