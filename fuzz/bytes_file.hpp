#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "format/line_reader.hpp"
#include "io/file_system.hpp"

namespace logwood::fuzz {

inline Result<std::size_t> read_bytes(std::string_view bytes, std::uint64_t offset,
                                      std::span<char> into) {
  if (offset >= bytes.size()) return std::size_t{0};
  const std::size_t size =
      std::min<std::size_t>(into.size(), bytes.size() - static_cast<std::size_t>(offset));
  std::memcpy(into.data(), bytes.data() + offset, size);
  return size;
}

inline format::ReadAt reader_of_bytes(std::string_view bytes) {
  return [bytes](std::uint64_t offset, std::span<char> into) {
    return read_bytes(bytes, offset, into);
  };
}

/// Bytes as a file that can only be read, and whose lock is always free.
class BytesFile final : public io::File {
 public:
  explicit BytesFile(std::string_view bytes) : bytes_(bytes) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    return read_bytes(bytes_, offset, into);
  }
  Result<std::size_t> append(std::string_view) override { return refused(); }
  Result<> write_at(std::uint64_t, std::string_view) override { return refused(); }
  Result<> truncate(std::uint64_t) override { return refused(); }
  Result<> sync() override { return refused(); }
  Result<io::FileStatus> status() const override {
    io::FileStatus status;
    status.size_bytes = bytes_.size();
    return status;
  }
  Result<> lock(io::LockKind, std::chrono::milliseconds) override { return {}; }
  void unlock() override {}

 private:
  static Error refused() { return {ErrorCode::internal, "the bytes can only be read"}; }
  std::string_view bytes_;
};

}  // namespace logwood::fuzz
