#include "storage/jsonl/store_check.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/leftovers.hpp"
#include "storage/jsonl/names_in.hpp"
#include "storage/jsonl/shared_lock.hpp"
#include "storage/jsonl/store_folder.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::string_view new_ending = ".new";
constexpr int depth_max = 3;  // blobs/<id>/<hash>; further down nothing is ours

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + '/' + name;
}

class Look {
 public:
  explicit Look(io::FileSystem& files) : files_(files) {}

  Result<Inventory> take() {
    LOGWOOD_CHECK(see_mode("", "."));
    LOGWOOD_TRY(const std::vector<std::string> names, names_in(files_, ""));
    for (const std::string& name : names) {
      Inventory::Part part;
      // The catalog is a database of several files.
      part.name = name.starts_with("catalog.db") ? "catalog.db" : name;
      LOGWOOD_CHECK(see(name, 1, part));
      add(part);
    }
    return std::move(found_);
  }

 private:
  Result<> see_mode(const std::string& name, const std::string& shown) {
    LOGWOOD_TRY(const bool is_open, files_.is_open_to_others(name));
    if (is_open) found_.open_to_others.push_back(shown);
    return {};
  }

  Result<> see(const std::string& name, int depth, Inventory::Part& part) {
    const auto status = files_.status(name);
    if (!status) {
      // Somebody else was quicker; what cannot be looked at is said by whoever needs it.
      return status.error().code == ErrorCode::not_found ? Result<>() : Result<>(status.error());
    }
    if (status->is_file) {
      ++part.files;
      part.size_bytes += status->size_bytes;
      if (name.ends_with(new_ending)) LOGWOOD_CHECK(see_unfinished(name));
      return see_mode(name, name);
    }
    auto names = files_.list(name);
    if (!names) {
      if (names.error().code == ErrorCode::not_found) return {};
      found_.odd.push_back(name);
      return {};
    }
    LOGWOOD_CHECK(see_mode(name, name));
    if (depth == depth_max) return {};
    std::sort(names->begin(), names->end());
    for (const std::string& inner : *names) LOGWOOD_CHECK(see(below(name, inner), depth + 1, part));
    return {};
  }

  // One that is being made right now is locked.
  Result<> see_unfinished(const std::string& name) {
    const auto file = files_.open(name, io::Access::write);
    if (file && (*file)->lock(io::LockKind::exclusive, std::chrono::milliseconds(0)))
      found_.unfinished.push_back(name);
    return {};
  }

  void add(const Inventory::Part& part) {
    if (part.files == 0 && part.size_bytes == 0) return;
    if (found_.parts.empty() || found_.parts.back().name != part.name) {
      found_.parts.push_back(part);
      return;
    }
    found_.parts.back().files += part.files;
    found_.parts.back().size_bytes += part.size_bytes;
  }

  io::FileSystem& files_;
  Inventory found_;
};

// Blobs in the folder of a session that nothing in its file names. Nobody writes meanwhile: a blob
// is there before the line that names it. `is_left_over`: neither a session that is being made nor
// one in the trash waits for them.
Result<> find_unnamed(io::FileSystem& files, const SessionNames& names, bool is_left_over,
                      std::chrono::milliseconds patience, Inventory& inventory) {
  const auto file = files.open(names.file, io::Access::read);
  std::unordered_set<std::string> named;
  std::vector<std::string> found;
  if (file) {
    // One that is written all the time is looked at another time.
    if (!(*file)->lock(io::LockKind::shared, patience)) return {};
    const SharedLock held(**file);
    LOGWOOD_TRY(named, blobs_named_in(**file));
    LOGWOOD_TRY(found, Blobs(files, names.blobs).names());
  } else if (is_left_over) {
    LOGWOOD_TRY(found, Blobs(files, names.blobs).names());
  }
  std::erase_if(found, [&](const std::string& name) { return named.contains(name); });
  if (!found.empty())
    inventory.orphans.push_back({names.blobs, found.size(), static_cast<bool>(file)});
  return {};
}

}  // namespace

Result<Inventory> take_inventory(io::FileSystem& files, std::chrono::milliseconds patience) {
  LOGWOOD_TRY(Inventory inventory, Look(files).take());
  inventory.version = store_version;
  inventory.catalog_todo = "delete catalog.db: it is made again";
  LOGWOOD_TRY(const std::vector<std::string> folders, names_in(files, blobs_folder));
  LOGWOOD_TRY(const std::vector<Leftover> leftovers, find_leftovers(files));
  for (const std::string& folder : folders) {
    const auto names = names_of({folder});
    if (!names) continue;
    const bool is_left_over =
        std::any_of(leftovers.begin(), leftovers.end(),
                    [&](const Leftover& one) { return one.name == names->blobs; });
    LOGWOOD_CHECK(find_unnamed(files, *names, is_left_over, patience, inventory));
  }
  return inventory;
}

}  // namespace logwood::storage::jsonl
