#include "support/power_loss.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "support/surviving_images.hpp"

namespace logwood::io {
namespace {

// In a longer write the places of kills are a sample.
constexpr std::size_t kill_every_byte_up_to = 16U << 10U;

// The names after some of the unsynced changes; those that find nothing to change,
// because what they rest on is lost, are lost too.
Names names_after(const DiskState& state, const auto& survives) {
  Names names = state.durable_names();
  for (std::size_t index = 0; index < state.unsynced_names().size(); ++index) {
    if (survives(index)) state.unsynced_names()[index].apply_to(names);
  }
  return names;
}

std::set<Names> surviving_names(const DiskState& state) {
  std::set<Names> all;
  for (std::size_t bound = 0; bound <= state.unsynced_names().size(); ++bound) {
    all.insert(names_after(state, [&](std::size_t index) { return index < bound; }));
    all.insert(names_after(state, [&](std::size_t index) { return index != bound; }));
  }
  return all;
}

struct VaryingFile {
  InodeIndex inode = 0;
  const std::vector<Image>* images = nullptr;  // as synced, up to date, the rest
};

class Enumeration {
 public:
  Enumeration(DiskState state, const EnumerationOptions& options, const SurvivorCallback& callback)
      : state_(std::move(state)), options_(options), callback_(callback), random_(options.seed) {}

  std::uint64_t run() {
    std::set<Names> done;
    for (const Names& names : surviving_names(state_)) {
      const DiskState survivor = state_.survivor(names);
      if (done.insert(survivor.names()).second) vary_files_of(survivor);
    }
    return count_;
  }

 private:
  void vary_files_of(const DiskState& survivor) {
    std::vector<VaryingFile> files;
    for (const auto& [name, index] : survivor.names()) {
      const std::vector<Image>& images = images_of(index, name);
      if (images.size() > 1) files.push_back({index, &images});
    }
    seen_.clear();
    yield(survivor, files, std::vector<std::size_t>(files.size(), 0));
    for (std::size_t one = 0; one < files.size(); ++one) {
      for (const std::size_t others : {0U, 1U}) {
        std::vector<std::size_t> choice(files.size(), others);
        for (choice[one] = 0; choice[one] < files[one].images->size(); ++choice[one]) {
          yield(survivor, files, choice);
        }
      }
    }
    if (files.size() < 2) return;
    for (std::size_t repeat = 0; repeat < options_.most_file_mixtures; ++repeat) {
      std::vector<std::size_t> choice(files.size());
      for (std::size_t index = 0; index < files.size(); ++index) {
        choice[index] = random_() % files[index].images->size();
      }
      yield(survivor, files, choice);
    }
  }

  const std::vector<Image>& images_of(InodeIndex index, std::string_view name) {
    const auto known = images_.find(index);
    if (known != images_.end()) return known->second;
    const Inode& inode = state_.inode(index);
    const bool is_derived = options_.is_derived && options_.is_derived(name);
    return images_[index] = surviving_images(inode, is_derived, options_, random_);
  }

  void yield(const DiskState& survivor, const std::vector<VaryingFile>& files,
             const std::vector<std::size_t>& choice) {
    std::uint64_t key = 0;
    for (const std::size_t chosen : choice) key = (key + chosen + 1) * 0x9e3779b97f4a7c15U;
    if (!seen_.insert(key).second) return;
    DiskState state = survivor;
    for (std::size_t index = 0; index < files.size(); ++index) {
      if (choice[index] != 0)
        state.settle(files[index].inode, (*files[index].images)[choice[index]]);
    }
    SimulatedDisk disk(std::move(state));
    ++count_;
    callback_(disk);
  }

  DiskState state_;
  const EnumerationOptions& options_;
  const SurvivorCallback& callback_;
  std::mt19937_64 random_;
  std::map<InodeIndex, std::vector<Image>> images_;
  std::unordered_set<std::uint64_t> seen_;  // choices made with these names
  std::uint64_t count_ = 0;
};

}  // namespace

std::uint64_t for_each_power_loss(const SimulatedDisk& disk, const EnumerationOptions& options,
                                  const SurvivorCallback& callback) {
  return Enumeration(disk.state(), options, callback).run();
}

std::uint64_t for_each_kill(const SimulatedDisk& disk, const SurvivorCallback& callback) {
  const DiskState state = disk.state();
  const std::optional<InodeIndex> written = state.last_write();
  if (!written) return 0;
  const std::size_t size = state.inode(*written).unsynced.back().bytes.bytes().size();
  std::uint64_t count = 0;
  const std::size_t step = size > kill_every_byte_up_to ? size / 64 : 1;
  for (std::size_t bytes = 0; bytes <= size; bytes += step) {
    ++count;
    DiskState cut = state;
    cut.cut_last_write(bytes);
    SimulatedDisk killed(std::move(cut));
    callback(killed);
  }
  return count;
}

}  // namespace logwood::io
