#include "support/disk_state.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <utility>

#include "io/file_name.hpp"

namespace logwood::io {

std::string& Image::own() {
  if (!bytes_) {
    bytes_ = std::make_shared<std::string>();
  } else if (bytes_.use_count() > 1) {
    bytes_ = std::make_shared<std::string>(*bytes_);
  }
  return *bytes_;
}

void Image::write(std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  std::string& mine = own();
  if (mine.size() < offset + bytes.size()) mine.resize(offset + bytes.size());
  bytes.copy(mine.data() + offset, bytes.size());
}

void Image::resize(std::uint64_t size_bytes) {
  if (size_bytes != bytes().size()) own().resize(size_bytes);
}

void UnsyncedChange::apply_to(Image& image, std::size_t most_bytes) const {
  if (kind == Kind::truncate) {
    image.resize(offset);
  } else {
    image.write(offset, bytes.bytes().substr(0, most_bytes));
  }
}

bool NameChange::apply_to(Names& names) const {
  if (!from.empty()) {
    const auto found = names.find(from);
    if (found == names.end() || found->second != inode) return false;
    names.erase(found);
    // What is in a folder goes along with it.
    for (auto inside = names.lower_bound(from + '/');
         inside != names.end() && inside->first.starts_with(from + '/');) {
      if (!to.empty()) names[to + inside->first.substr(from.size())] = inside->second;
      inside = names.erase(inside);
    }
  } else if (names.contains(to)) {
    return false;
  }
  if (!to.empty()) names[to] = inode;
  return true;
}

bool NameChange::is_in(std::string_view folder) const {
  return (!from.empty() && split_name(from).folder == folder) ||
         (!to.empty() && split_name(to).folder == folder);
}

bool NameChange::depends_on(const NameChange& other) const {
  const auto is_or_holds = [](const std::string& name, const std::string& other_name) {
    return name == other_name || other_name.starts_with(name + '/');
  };
  const auto is_name_of_other = [&](const std::string& name) {
    return !name.empty() && (is_or_holds(name, other.from) || is_or_holds(name, other.to));
  };
  return is_name_of_other(from) || is_name_of_other(to);
}

std::optional<InodeIndex> DiskState::find(std::string_view name) const {
  const auto found = names_->find(name);
  if (found == names_->end()) return std::nullopt;
  return found->second;
}

Inode& DiskState::own(InodeIndex index) {
  std::shared_ptr<Inode>& inode = inodes_[index];
  if (inode.use_count() > 1) inode = std::make_shared<Inode>(*inode);
  last_write_.reset();
  return *inode;
}

void DiskState::change_names(NameChange change) {
  Names changed = *names_;
  [[maybe_unused]] const bool applied = change.apply_to(changed);
  assert(applied);
  names_ = std::make_shared<const Names>(std::move(changed));
  static_cast<void>(own(change.inode));
  unsynced_names_.push_back(std::move(change));
}

InodeIndex DiskState::create(const std::string& name, bool is_folder, std::uint64_t number) {
  const InodeIndex index = inodes_.size();
  inodes_.push_back(std::make_shared<Inode>(Inode{.number = number, .is_folder = is_folder}));
  change_names({.from = "", .to = name, .inode = index});
  return index;
}

void DiskState::rename(const std::string& from, const std::string& to) {
  if (from != to) change_names({.from = from, .to = to, .inode = names_->at(from)});
}

void DiskState::remove(const std::string& name) {
  change_names({.from = name, .to = "", .inode = names_->at(name)});
}

void DiskState::sync_folder(std::string_view folder) {
  // What is in this folder, and what that rests on: a file renamed into it must have
  // been created in the other one.
  std::vector<NameChange> wanted;  // both newest first
  std::vector<NameChange> left;
  for (NameChange& change : std::views::reverse(unsynced_names_)) {
    const auto rests_on_it = [&](const NameChange& later) { return later.depends_on(change); };
    const bool is_wanted = change.is_in(folder) || std::ranges::any_of(wanted, rests_on_it);
    (is_wanted ? wanted : left).push_back(std::move(change));
  }
  Names durable = *durable_names_;
  for (const NameChange& change : std::views::reverse(wanted)) change.apply_to(durable);
  durable_names_ = std::make_shared<const Names>(std::move(durable));
  std::ranges::reverse(left);
  unsynced_names_ = std::move(left);
  last_write_.reset();
}

void DiskState::write(InodeIndex index, std::uint64_t offset, std::string_view bytes) {
  Inode& inode = own(index);
  const std::string_view before = inode.cached.bytes();
  inode.unsynced.push_back({.kind = UnsyncedChange::Kind::write,
                            .offset = offset,
                            .bytes = Image(std::string(bytes)),
                            .size_before = before.size(),
                            .overwritten = offset < before.size() ? Image(std::string(before.substr(
                                                                        offset, bytes.size())))
                                                                  : Image()});
  inode.cached.write(offset, bytes);
  last_write_ = index;
}

void DiskState::truncate(InodeIndex index, std::uint64_t size_bytes) {
  Inode& inode = own(index);
  inode.unsynced.push_back({.kind = UnsyncedChange::Kind::truncate,
                            .offset = size_bytes,
                            .size_before = inode.cached.bytes().size()});
  inode.cached.resize(size_bytes);
}

void DiskState::sync(InodeIndex index) {
  Inode& inode = own(index);
  for (const UnsyncedChange& change : inode.unsynced) change.apply_to(inode.durable);
  inode.unsynced.clear();
  // One copy of the bytes is enough; after a failed sync they are not the same.
  if (inode.durable.bytes() == inode.cached.bytes()) inode.durable = inode.cached;
}

void DiskState::fail_sync(InodeIndex index) { own(index).unsynced.clear(); }

void DiskState::sync_everything() {
  for (InodeIndex index = 0; index < inodes_.size(); ++index) {
    if (inodes_[index]) settle(index, inodes_[index]->cached);
  }
  durable_names_ = names_;
  unsynced_names_.clear();
}

void DiskState::cut_last_write(std::size_t bytes) {
  if (!last_write_) return;
  Inode& inode = own(*last_write_);
  UnsyncedChange& write = inode.unsynced.back();
  const std::string_view overwritten = write.overwritten.bytes();
  if (bytes < overwritten.size()) {
    inode.cached.write(write.offset + bytes, overwritten.substr(bytes));
  }
  const std::uint64_t size =
      bytes == 0 ? write.size_before : std::max(write.size_before, write.offset + bytes);
  inode.cached.resize(size);
  write.bytes.resize(bytes);
  if (bytes == 0) inode.unsynced.pop_back();
}

DiskState DiskState::survivor(const Names& names) const {
  DiskState after;
  after.inodes_.resize(inodes_.size());
  Names reachable;
  for (const auto& [name, index] : names) {
    // In order of names a folder comes before what is in it.
    const std::string folder = split_name(name).folder;
    if (!folder.empty() && !reachable.contains(folder)) continue;
    reachable.emplace_hint(reachable.end(), name, index);
    after.inodes_[index] = inodes_[index];
    after.settle(index, inodes_[index]->durable);
  }
  after.names_ = std::make_shared<const Names>(std::move(reachable));
  after.durable_names_ = after.names_;
  return after;
}

void DiskState::settle(InodeIndex index, Image image) {
  Inode& inode = own(index);
  inode.unsynced.clear();
  inode.durable = image;
  inode.cached = std::move(image);
}

}  // namespace logwood::io
