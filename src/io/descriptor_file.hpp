#pragma once

#include <string>

#include "io/descriptor.hpp"
#include "io/fair_lock.hpp"
#include "io/file_system.hpp"

namespace logwood::io {

/// A File of the operating system. The descriptor appends (O_APPEND) exactly when
/// `access` is Access::write.
class DescriptorFile final : public File {
 public:
  /// `name` is for messages.
  DescriptorFile(Descriptor descriptor, Access access, std::string name);

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override;
  Result<std::size_t> append(std::string_view bytes) override;
  Result<> write_at(std::uint64_t offset, std::string_view bytes) override;
  Result<> truncate(std::uint64_t size_bytes) override;
  Result<> sync() override;
  Result<FileStatus> status() const override;
  Result<> lock(LockKind kind, std::chrono::milliseconds patience) override;
  void unlock() override;

 private:
  Result<> check_access(bool is_enough, std::string_view attempt) const;
  Error failed(std::string_view attempt) const;

  Descriptor descriptor_;
  Access access_;
  std::string name_;
  FairLock lock_;
};

}  // namespace logwood::io
