// The only door to the disk. Everything above speaks to files through these two
// classes, so that the tests can put a disk behind them that loses power, runs
// full or answers with any errno (tests/support/simulated_disk).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"

namespace logwood::io {

/// Which file this is, whatever it is called now.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

struct FileStatus {
  FileIdentity identity;
  std::uint64_t size_bytes = 0;
  bool is_file = true;  ///< not a folder, a link or anything else
  bool operator==(const FileStatus&) const = default;
};

/// What a file looks like from outside: when it is the same as before, so is the file, but for
/// changes too close together for the clock.
struct FileStamp {
  std::string name;  ///< in its folder
  FileIdentity identity;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
};

enum class LockKind : std::uint8_t { shared, exclusive };
enum class Access : std::uint8_t {
  read,
  write,    ///< read, append, truncate: a file that only grows at its end
  rewrite,  ///< read, write_at, truncate: a derived file
};
enum class Replace : std::uint8_t { never, existing };

/// One open file. Closing happens in the destructor and releases the lock.
/// Not for use by two threads at once, except read_at and status. A call that the
/// file was not opened for is `internal`.
class File {
 public:
  virtual ~File() = default;

  /// Reads at `offset`; fewer bytes than asked for only at the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const = 0;

  /// One write at the end of the file, wherever that is by now. Returns how much was written: it
  /// may be less than asked for (disk full, limit, signal), and the rest is not retried.
  virtual Result<std::size_t> append(std::string_view bytes) = 0;

  /// Writes all of `bytes` at `offset`, over what is there; on failure some of
  /// them may be written. For derived files only: a session file grows at its end
  /// or is replaced as a whole. (Linux makes it one or the other: on a descriptor
  /// that appends, a write with an offset appends too.)
  virtual Result<> write_at(std::uint64_t offset, std::string_view bytes) = 0;

  virtual Result<> truncate(std::uint64_t size_bytes) = 0;

  /// Returns once every byte and the size would survive a power cut. After a
  /// failure the state of all unsynced bytes is unknown, also for later calls.
  virtual Result<> sync() = 0;

  virtual Result<FileStatus> status() const = 0;

  /// Waits for the lock on this file, at most `patience`, in order of arrival;
  /// then `busy`, naming the holder where the system tells. The lock belongs to
  /// this File: another File on the same name, in any process, is excluded. An
  /// exclusive lock needs a file that was opened for more than reading.
  virtual Result<> lock(LockKind kind, std::chrono::milliseconds patience) = 0;
  virtual void unlock() = 0;
};

/// A folder and what is below it. Names are relative, separated by '/', and
/// cannot leave the folder: "." and ".." parts, and symbolic links, are refused.
/// Safe for use by several threads.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& name, Access access) = 0;

  /// Makes a new empty file, mode 0600, and opens it as Access::write does;
  /// `already_exists` when the name is taken.
  virtual Result<std::unique_ptr<File>> create(const std::string& name) = 0;

  /// What a file, a folder or anything else of that name is now, links not followed. The only call
  /// that does not examine the folders on the way to `name`: it opens nothing, and each append asks
  /// it twice.
  virtual Result<FileStatus> status(const std::string& name) const = 0;

  /// Waits until `name` is something else than `known` says ({}: nothing of that name): true, at
  /// once where it is so already. False after `timeout`, a signal, or when told to stop.
  virtual Result<bool> wait_for_change(const std::string& name, const FileStatus& known,
                                       std::chrono::milliseconds timeout,
                                       const std::stop_token& stop) const = 0;

  /// Atomic. With Replace::never a taken name is `already_exists`.
  virtual Result<> rename(const std::string& from, const std::string& to, Replace replace) = 0;

  /// Removes a file; not a folder.
  virtual Result<> remove(const std::string& name) = 0;

  /// Makes a folder, mode 0700; does nothing when it is there already.
  virtual Result<> make_folder(const std::string& name) = 0;

  /// Makes created, renamed and removed names in this folder survive a power cut.
  /// "" is the folder at the root.
  virtual Result<> sync_folder(const std::string& name) = 0;

  /// The names in a folder, files and folders alike, in no particular order. "" is
  /// the folder at the root.
  virtual Result<std::vector<std::string>> list(const std::string& name) const = 0;

  /// The stamps of the files in a folder, in no particular order; anything but a file is left out.
  /// Where files have no times they are 0.
  virtual Result<std::vector<FileStamp>> stamps(const std::string& folder) const;

  /// Where a library that opens files by itself finds this one; empty where none could.
  [[nodiscard]] virtual std::string path_of(const std::string& name) const;

  /// Whether other users may do anything with a file or folder; "" is the folder at the root.
  virtual Result<bool> is_open_to_others(const std::string& name) const = 0;

  /// Takes that away from them, and nothing from its owner.
  virtual Result<> close_to_others(const std::string& name) = 0;
};

}  // namespace logwood::io
