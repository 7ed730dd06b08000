#include "support/surviving_images.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace logwood::io {
namespace {

using Random = std::mt19937_64;

std::size_t any_below(std::size_t bound, Random& random) { return random() % bound; }

// `count` different numbers below `bound`, or all of them.
std::vector<std::size_t> choose(std::size_t count, std::size_t bound, Random& random) {
  std::vector<std::size_t> chosen;
  if (bound <= count) {
    chosen.resize(bound);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  std::unordered_set<std::size_t> seen;
  while (chosen.size() < count) {
    const std::size_t next = any_below(bound, random);
    if (seen.insert(next).second) chosen.push_back(next);
  }
  return chosen;
}

// What a sector may hold. Letters of our own lines make the most dangerous garbage.
enum class Source : std::uint8_t { fresh, zero, old, garbage };
constexpr std::array<Source, 3> spoiled{Source::zero, Source::old, Source::garbage};

class ImageMaker {
 public:
  ImageMaker(const Inode& file, const EnumerationOptions& options, Random& random)
      : changes_(file.unsynced), options_(options), random_(random) {
    stages_.push_back(file.durable);
    first_changed_ = file.durable.bytes().size();
    for (const UnsyncedChange& change : changes_) {
      Image next = stages_.back();
      change.apply_to(next);
      stages_.push_back(std::move(next));
      first_changed_ = std::min(first_changed_, static_cast<std::size_t>(change.offset));
    }
    for (const Image& stage : stages_) {
      last_changed_ = std::max(last_changed_, stage.bytes().size());
    }
    first_sector_ = first_changed_ / options.sector_bytes;
    sectors_ = (last_changed_ + options.sector_bytes - 1) / options.sector_bytes - first_sector_;
  }

  void add_synced_and_current() {
    add(stages_.front());
    add(stages_.back());
  }

  void add_cuts(std::size_t most_per_change) {
    for (std::size_t index = 0; index < changes_.size(); ++index) {
      const UnsyncedChange& change = changes_[index];
      for (const std::size_t bytes :
           choose(most_per_change, change.bytes.bytes().size(), random_)) {
        Image cut = stages_[index];
        change.apply_to(cut, bytes);
        add(std::move(cut));
      }
      add(stages_[index + 1]);
    }
  }

  void add_lost_changes() {
    if (changes_.size() < 2) return;
    const bool all = changes_.size() <= options_.exhaustive_sectors;
    const std::uint64_t subsets = all ? (std::uint64_t{1} << changes_.size()) - 1 : 128;
    for (std::uint64_t subset = 1; subset < subsets; ++subset) {
      std::vector<bool> lost(changes_.size());
      for (std::size_t index = 0; index < changes_.size(); ++index) {
        lost[index] = all ? ((subset >> index) & 1U) != 0 : any_below(2, random_) == 0;
      }
      add_without(lost);
    }
  }

  void add_mixtures(std::size_t most) {
    if (sectors_ == 0) return;
    const std::vector<std::size_t> sizes = possible_sizes();
    const std::vector<std::vector<bool>> subsets = spoiled_subsets();
    constexpr std::size_t ways = spoiled.size() + 1;  // the last: each sector its own way
    for (const std::size_t number : choose(most, sizes.size() * subsets.size() * ways, random_)) {
      const std::size_t way = number % ways;
      const std::vector<bool>& subset = subsets[number / ways % subsets.size()];
      add(mixture(sizes[number / ways / subsets.size()], subset, way));
    }
  }

  std::vector<Image> take() { return std::move(images_); }

 private:
  void add(Image image) {
    if (seen_.insert(std::hash<std::string_view>{}(image.bytes())).second) {
      images_.push_back(std::move(image));
    }
  }

  // The lost ones never happened; or the size tells of them, and the disk has zeros.
  void add_without(const std::vector<bool>& lost) {
    Image never = stages_.front();
    Image zeroed = stages_.back();
    for (std::size_t index = 0; index < changes_.size(); ++index) {
      const UnsyncedChange& change = changes_[index];
      if (!lost[index]) {
        change.apply_to(never);
      } else if (change.offset < zeroed.bytes().size()) {
        const std::size_t most = zeroed.bytes().size() - change.offset;
        zeroed.write(change.offset, std::string(std::min(most, change.bytes.bytes().size()), '\0'));
      }
    }
    Image never_at_full_size = never;
    never_at_full_size.resize(stages_.back().bytes().size());
    add(std::move(never));
    add(std::move(never_at_full_size));
    add(std::move(zeroed));
  }

  [[nodiscard]] std::vector<std::size_t> possible_sizes() const {
    std::vector<std::size_t> sizes;
    sizes.reserve(stages_.size() + sectors_);
    for (const Image& stage : stages_) sizes.push_back(stage.bytes().size());
    for (std::size_t sector = 1; sector < sectors_; ++sector) {
      sizes.push_back((first_sector_ + sector) * options_.sector_bytes);
    }
    std::ranges::sort(sizes);
    const auto repeated = std::ranges::unique(sizes);
    sizes.erase(repeated.begin(), repeated.end());
    return sizes;
  }

  // Every subset of the sectors but the empty one; of many sectors each alone, every
  // run at either end, and some by chance.
  std::vector<std::vector<bool>> spoiled_subsets() {
    std::vector<std::vector<bool>> subsets;
    const auto add_subset = [&](auto is_spoiled) {
      std::vector<bool> subset(sectors_);
      for (std::size_t sector = 0; sector < sectors_; ++sector) subset[sector] = is_spoiled(sector);
      subsets.push_back(std::move(subset));
    };
    if (sectors_ <= options_.exhaustive_sectors) {
      for (std::uint64_t bits = 1; bits < (std::uint64_t{1} << sectors_); ++bits) {
        add_subset([&](std::size_t sector) { return ((bits >> sector) & 1U) != 0; });
      }
      return subsets;
    }
    for (const std::size_t one : choose(64, sectors_, random_)) {
      add_subset([&](std::size_t sector) { return sector == one; });
      add_subset([&](std::size_t sector) { return sector <= one; });
      add_subset([&](std::size_t sector) { return sector >= one; });
    }
    for (const std::size_t tenths : {1U, 3U, 5U, 7U, 9U}) {
      for (int repeat = 0; repeat < 12; ++repeat) {
        add_subset([&](std::size_t) { return any_below(10, random_) < tenths; });
      }
    }
    return subsets;
  }

  Image mixture(std::size_t size, const std::vector<bool>& subset, std::size_t way) {
    std::string bytes(stages_.back().bytes().substr(0, std::min(size, first_changed_)));
    bytes.resize(size);
    for (std::size_t sector = 0; sector < sectors_; ++sector) {
      const std::size_t at = (first_sector_ + sector) * options_.sector_bytes;
      const std::size_t begin = std::max(at, first_changed_);
      const std::size_t end = std::min(at + options_.sector_bytes, size);
      if (begin >= end) continue;
      Source source = Source::fresh;
      if (subset[sector]) {
        source = spoiled[way < spoiled.size() ? way : any_below(spoiled.size(), random_)];
      }
      fill(std::span(bytes).subspan(begin, end - begin), source, begin);
    }
    return Image(std::move(bytes));
  }

  // `into` is zero; bytes that the source does not have stay so.
  void fill(std::span<char> into, Source source, std::size_t offset) {
    constexpr std::string_view letters = "{}\"\n,:ax0+.";
    switch (source) {
      case Source::zero:
        return;
      case Source::garbage:
        for (char& byte : into) byte = letters[any_below(letters.size(), random_)];
        return;
      case Source::fresh:
      case Source::old: {
        const std::size_t stage =
            source == Source::fresh ? stages_.size() - 1 : any_below(stages_.size() - 1, random_);
        const std::string_view bytes = stages_[stage].bytes();
        if (offset < bytes.size()) bytes.substr(offset).copy(into.data(), into.size());
        return;
      }
    }
  }

  const std::vector<UnsyncedChange>& changes_;
  const EnumerationOptions& options_;
  Random& random_;
  std::vector<Image> stages_;  // as synced, then after each change
  std::size_t first_changed_ = 0;
  std::size_t last_changed_ = 0;
  std::size_t first_sector_ = 0;
  std::size_t sectors_ = 0;
  std::vector<Image> images_;
  std::unordered_set<std::size_t> seen_;  // hashes of images_
};

}  // namespace

std::vector<Image> surviving_images(const Inode& file, bool is_derived,
                                    const EnumerationOptions& options, Random& random) {
  ImageMaker maker(file, options, random);
  maker.add_synced_and_current();
  if (is_derived) {
    maker.add_mixtures(16);
  } else if (!file.unsynced.empty()) {
    maker.add_cuts(options.most_cuts);
    maker.add_lost_changes();
    maker.add_mixtures(options.most_mixtures);
  }
  return maker.take();
}

}  // namespace logwood::io
