#pragma once

#include "io/file_system.hpp"

namespace logwood::storage::jsonl {

/// Lets go of a lock that was taken on `file`.
class SharedLock {
 public:
  explicit SharedLock(io::File& file) : file_(file) {}
  ~SharedLock() { file_.unlock(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  io::File& file_;
};

}  // namespace logwood::storage::jsonl
