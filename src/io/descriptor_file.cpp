#include "io/descriptor_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "io/file_status.hpp"
#include "io/system_error.hpp"

namespace logwood::io {
namespace {

// Linux moves at most this much in one call and would write a larger batch short.
constexpr std::size_t most_bytes_per_write = 0x7ffff000;

// A signal that arrives before the first byte moved leaves nothing behind: ask again.
template <class Call>
auto until_uninterrupted(Call call) {
  auto outcome = call();
  while (outcome < 0 && errno == EINTR) outcome = call();
  return outcome;
}

}  // namespace

DescriptorFile::DescriptorFile(Descriptor descriptor, Access access, std::string name)
    : descriptor_(std::move(descriptor)),
      access_(access),
      name_(std::move(name)),
      lock_(descriptor_.number()) {}

Result<> DescriptorFile::check_access(bool is_enough, std::string_view attempt) const {
  if (is_enough) return {};
  return Error{ErrorCode::internal, fmt::format("{} was not opened to {} it", name_, attempt)};
}

Error DescriptorFile::failed(std::string_view attempt) const {
  return system_error(errno, attempt, name_);
}

Result<std::size_t> DescriptorFile::read_at(std::uint64_t offset, std::span<char> into) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = until_uninterrupted([&] {
      return ::pread(descriptor_.number(), into.data() + done, into.size() - done,
                     static_cast<off_t>(offset + done));
    });
    if (count < 0) return failed("read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

Result<std::size_t> DescriptorFile::append(std::string_view bytes) {
  LOGWOOD_CHECK(check_access(access_ == Access::write, "append to"));
  if (bytes.size() >= most_bytes_per_write) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("cannot append {} bytes to {} in one write", bytes.size(), name_)};
  }
  const ssize_t count = until_uninterrupted(
      [&] { return ::write(descriptor_.number(), bytes.data(), bytes.size()); });
  if (count < 0) return failed("append to");
  return static_cast<std::size_t>(count);
}

Result<> DescriptorFile::write_at(std::uint64_t offset, std::string_view bytes) {
  LOGWOOD_CHECK(check_access(access_ == Access::rewrite, "write over"));
  while (!bytes.empty()) {
    const ssize_t count = until_uninterrupted([&] {
      return ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (count < 0) return failed("write to");
    if (count == 0) return system_error(ENOSPC, "write to", name_);
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<> DescriptorFile::truncate(std::uint64_t size_bytes) {
  LOGWOOD_CHECK(check_access(access_ != Access::read, "truncate"));
  const int outcome = until_uninterrupted(
      [&] { return ::ftruncate(descriptor_.number(), static_cast<off_t>(size_bytes)); });
  if (outcome < 0) return failed("truncate");
  return {};
}

Result<> DescriptorFile::sync() {
  // Asked once, whatever the answer: after a failure Linux may mark the lost pages
  // clean, and a second call would report success for bytes that are not on disk.
  if (::fdatasync(descriptor_.number()) != 0) return failed("sync");
  return {};
}

Result<FileStatus> DescriptorFile::status() const {
  struct statx found;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the call
  if (::statx(descriptor_.number(), "", AT_EMPTY_PATH, status_mask, &found) != 0) {
    return failed("look at");
  }
  return status_of(found);
}

Result<> DescriptorFile::lock(LockKind kind, std::chrono::milliseconds patience) {
  LOGWOOD_CHECK(check_access(kind == LockKind::shared || access_ != Access::read, "lock"));
  return lock_.acquire(kind, patience, name_);
}

void DescriptorFile::unlock() { lock_.release(); }

}  // namespace logwood::io
