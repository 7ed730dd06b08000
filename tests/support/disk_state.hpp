// What a simulated disk holds: the names and bytes that running processes see, and
// the part of them that would survive a power cut. A plain value, cheap to copy:
// copies share bytes and names until one of them changes.
//
// The model, pessimistic where file systems differ:
//
//   - A file's bytes and size survive once the file was synced, its name once its
//     folder was; a file's sync says nothing about its name, nor the other way round.
//   - Name changes are atomic, a rename across folders too, and it survives when
//     either folder was synced. A name below a folder that did not survive is lost.
//   - Unsynced changes are kept as a list: any part of them, in any order, may have
//     reached the disk (see power_loss).
//   - A sync that fails forgets the list: the pages count as clean, processes go on
//     seeing them, and no later sync writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logwood::io {

/// Bytes that disks share. Changing a copy leaves the others as they were.
class Image {
 public:
  Image() = default;
  explicit Image(std::string bytes) : bytes_(std::make_shared<std::string>(std::move(bytes))) {}

  [[nodiscard]] std::string_view bytes() const {
    return bytes_ ? std::string_view(*bytes_) : std::string_view();
  }

  /// Writes over what is there; a gap before `offset` reads as zeros.
  void write(std::uint64_t offset, std::string_view bytes);
  void resize(std::uint64_t size_bytes);

 private:
  std::string& own();

  std::shared_ptr<std::string> bytes_;  // by every Image copied from one another
};

/// A write or a truncate that no sync has covered.
struct UnsyncedChange {
  enum class Kind : std::uint8_t { write, truncate };
  Kind kind = Kind::write;
  std::uint64_t offset = 0;  ///< of a write; the new size of a truncate
  Image bytes = {};
  std::uint64_t size_before = 0;
  Image overwritten = {};  ///< what the write replaced, up to the size before

  /// The change, or of a write only its first `most_bytes`.
  void apply_to(Image& image, std::size_t most_bytes = SIZE_MAX) const;
};

/// A file or folder, whatever its names are. Which one it is: its place in `inodes`.
using InodeIndex = std::size_t;

struct Inode {
  std::uint64_t number = 0;  ///< what status tells; used again when free, as file systems do
  bool is_folder = false;
  Image cached = {};
  Image durable = {};
  std::vector<UnsyncedChange> unsynced = {};
};

using Names = std::map<std::string, InodeIndex, std::less<>>;

/// A name that was created (`to`), removed (`from`) or renamed (both), and whose
/// folder was not synced since.
struct NameChange {
  std::string from;
  std::string to;
  InodeIndex inode = 0;

  /// False, with `names` as before, where what it changes is not there.
  bool apply_to(Names& names) const;
  [[nodiscard]] bool is_in(std::string_view folder) const;
  /// Whether one of the two is about a name of the other, so that order matters.
  [[nodiscard]] bool depends_on(const NameChange& other) const;
};

class DiskState {
 public:
  DiskState() = default;

  [[nodiscard]] std::optional<InodeIndex> find(std::string_view name) const;
  [[nodiscard]] const Inode& inode(InodeIndex index) const { return *inodes_[index]; }
  [[nodiscard]] const Names& names() const { return *names_; }
  [[nodiscard]] const Names& durable_names() const { return *durable_names_; }
  [[nodiscard]] const std::vector<NameChange>& unsynced_names() const { return unsynced_names_; }
  [[nodiscard]] std::size_t inode_count() const { return inodes_.size(); }

  /// `number` is the inode number to tell.
  InodeIndex create(const std::string& name, bool is_folder, std::uint64_t number);
  void rename(const std::string& from, const std::string& to);
  void remove(const std::string& name);
  void sync_folder(std::string_view folder);

  void write(InodeIndex index, std::uint64_t offset, std::string_view bytes);
  void truncate(InodeIndex index, std::uint64_t size_bytes);
  void sync(InodeIndex index);
  void fail_sync(InodeIndex index);

  /// Everything is synced, as after a quiet minute.
  void sync_everything();

  /// The file that the last change of all wrote to; none when it was not a write.
  [[nodiscard]] std::optional<InodeIndex> last_write() const { return last_write_; }
  /// As if the last write had been interrupted after `bytes` of it.
  void cut_last_write(std::size_t bytes);

  /// The disk after a power cut that leaves these names, as far as their folders are
  /// among them, and of every file what was synced.
  [[nodiscard]] DiskState survivor(const Names& names) const;
  /// Gives a file these bytes, as if they had always been there.
  void settle(InodeIndex index, Image image);

 private:
  Inode& own(InodeIndex index);
  void change_names(NameChange change);

  // Shared between copies of a disk, and copied before a change (own).
  std::vector<std::shared_ptr<Inode>> inodes_;
  std::shared_ptr<const Names> names_ = std::make_shared<const Names>();
  std::shared_ptr<const Names> durable_names_ = names_;
  std::vector<NameChange> unsynced_names_;
  std::optional<InodeIndex> last_write_;
};

}  // namespace logwood::io
