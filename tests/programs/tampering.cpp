// A session from which entries were erased, changed behind its back: every single byte, every pair
// of lines swapped, every line deleted or repeated, erasures that nobody accounts for, erased lines
// put back, lines altered with their checksum made right again, blobs altered. Whoever keeps the
// link of the last line notices all of it.
//
//   tampering [--seed N]
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "format/seal.hpp"
#include "format/tombstone.hpp"
#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/fast_folder.hpp"
#include "support/sealed_lines.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

constexpr std::uint64_t byte_changes_of_campaign = 36'000;

template <class T>
T must(Result<T> result) {
  if (!result) {
    fmt::print("NOT HELD: {}\n", result.error().message);
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

class Tampering {
 public:
  Tampering(std::string folder, std::uint64_t seed)
      : folder_(std::move(folder)),
        random_(seed),
        store_(must(Store::open(folder_, {.create = StoreOptions::Create::if_missing}))) {
    make_session();
  }

  int run(const Budget& budget) {
    if (is_noticed(bytes_, "")) {
      fmt::print("NOT HELD: something is reported although nothing was changed\n");
      return 1;
    }
    change_lines();
    change_blobs();
    const std::uint64_t most =
        budget.is_limited() ? byte_changes_of_campaign / 10 : byte_changes_of_campaign;
    for (std::uint64_t i = 0; i < most; ++i) change_byte(i);
    fmt::print(
        "tampering: {} single bytes, {} line swaps, {} deletions, {} repetitions, {} unaccounted "
        "erasures, {} erased lines put back, {} lines with a right checksum, {} changes of blobs, "
        "{} not noticed\n",
        thousands(counts_.bytes), thousands(counts_.swaps), counts_.deletions, counts_.repetitions,
        counts_.erasures, counts_.put_back, counts_.forged, counts_.blobs, missed_);
    return missed_ == 0 ? 0 : 1;
  }

 private:
  void make_session() {
    const SessionId session{"s"};
    must(store_.create({.id = session}));
    for (int i = 0; i < 60; ++i) {
      std::vector<Draft> batch;
      for (int j = 0; j <= i % 3; ++j) {
        const std::string text = i == 30 ? std::string(70'000, 'b') : fmt::format("said {}", i);
        batch.push_back(
            Draft::of({.type = "message",
                       .payload = fmt::format(R"({{"role":"user","content":"{}"}})", text),
                       .id = EntryId{fmt::format("e{}-{}", i, j)}}));
      }
      must(store_.append(session, batch));
    }
    before_ = content_of(file());
    must(store_.erase(session, {{"e3-0"}, {"e10-1"}, {"e59-0"}}));
    must(store_.append(session, Draft::of({.type = "custom"})));
    must(store_.erase(session, {{"e20-0"}}));
    must(store_.append(session, Draft::of({.type = "custom"})));
    must(store_.close());
    bytes_ = content_of(file());
    store_ = must(Store::open(folder_));
    link_ = must(store_.verify({"s"})).link;
    lines_ = split(bytes_);
  }

  [[nodiscard]] std::string file() const { return folder_ + "/sessions/s.jsonl"; }

  static std::string content_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static std::vector<std::string> split(const std::string& bytes) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes.find('\n', at);
      lines.push_back(bytes.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  static std::string joined(const std::vector<std::string>& lines) {
    std::string bytes;
    for (const std::string& line : lines) bytes += line + '\n';
    return bytes;
  }

  // Whether verify, and the link that was kept, tell that the file is another one.
  bool is_noticed(const std::string& bytes, const std::string& what) {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes;
    const auto report = store_.verify({"s"});
    const bool noticed = !report || !report->problems.empty() || report->link != link_;
    if (!noticed && !what.empty()) {
      ++missed_;
      fmt::print("not noticed: {}\n", what);
    }
    return noticed;
  }

  // At each place in turn; which other value it gets is chance.
  void change_byte(std::uint64_t number) {
    const std::size_t at = number % bytes_.size();
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1 + random_() % 255));
    (void)is_noticed(
        changed, fmt::format("byte {} is {:#04x}", at, static_cast<unsigned char>(changed[at])));
    ++counts_.bytes;
  }

  void change_lines() {
    for (std::size_t a = 0; a < lines_.size(); ++a) {
      for (std::size_t b = a + 1; b < lines_.size(); ++b) {
        std::vector<std::string> changed = lines_;
        std::swap(changed[a], changed[b]);
        (void)is_noticed(joined(changed), fmt::format("lines {} and {} are swapped", a + 1, b + 1));
        ++counts_.swaps;
      }
      std::vector<std::string> changed = lines_;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(a));
      (void)is_noticed(joined(changed), fmt::format("line {} is gone", a + 1));
      ++counts_.deletions;
      changed = lines_;
      changed.push_back(lines_[a]);
      (void)is_noticed(joined(changed), fmt::format("line {} is repeated at the end", a + 1));
      ++counts_.repetitions;
      forge(a);
    }
  }

  void forge(std::size_t at) {
    std::vector<std::string> changed = lines_;
    const auto line = format::parse_sealed("s", lines_[at]);
    if (!line->is_tombstone) {
      changed[at] = format::make_tombstone("s", *line, {"nobody"}).text;
      (void)is_noticed(joined(changed), fmt::format("line {} is erased by nobody", at + 1));
      ++counts_.erasures;
    } else {
      for (const std::string& old : split(before_)) {
        if (format::parse_sealed("s", old)->seq != line->seq) continue;
        changed[at] = old;
        (void)is_noticed(joined(changed), fmt::format("line {} is put back", at + 1));
        ++counts_.put_back;
      }
    }
    // Any digit or letter but those of the checksum, which is then made right.
    constexpr std::size_t crc_and_end = 10;
    const std::string_view body =
        std::string_view(lines_[at]).substr(0, lines_[at].size() - crc_and_end);
    for (int i = 0; i < 5; ++i) {
      std::string altered(body);
      std::size_t place = 0;
      do {
        place = random_() % altered.size();
      } while (std::isalnum(static_cast<unsigned char>(altered[place])) == 0);
      altered[place] = altered[place] == '3' ? '4' : '3';
      changed = lines_;
      changed[at] = with_crc("s", altered);
      (void)is_noticed(
          joined(changed),
          fmt::format("byte {} of line {} is altered, and its checksum", place, at + 1));
      ++counts_.forged;
    }
  }

  void change_blobs() {
    for (const auto& blob : std::filesystem::directory_iterator(folder_ + "/blobs/s")) {
      const std::string whole = content_of(blob.path());
      const auto put = [&](const std::string& bytes) {
        std::ofstream(blob.path(), std::ios::binary | std::ios::trunc) << bytes;
      };
      for (int i = 0; i < 200; ++i) {
        std::string changed = whole;
        changed[random_() % changed.size()] ^= static_cast<char>(1 + random_() % 255);
        put(changed);
        (void)is_noticed(bytes_, "a byte of a blob");
        put(whole.substr(0, random_() % whole.size()));
        (void)is_noticed(bytes_, "the end of a blob is gone");
        counts_.blobs += 2;
      }
      std::filesystem::remove(blob.path());
      (void)is_noticed(bytes_, "a blob is gone");
      ++counts_.blobs;
      put(whole);
    }
  }

  struct Counts {
    std::uint64_t bytes = 0;
    std::uint64_t swaps = 0;
    std::uint64_t deletions = 0;
    std::uint64_t repetitions = 0;
    std::uint64_t erasures = 0;
    std::uint64_t put_back = 0;
    std::uint64_t forged = 0;
    std::uint64_t blobs = 0;
  };

  std::string folder_;
  std::mt19937_64 random_;
  Store store_;
  std::string before_;  // the erasures
  std::string bytes_;
  std::vector<std::string> lines_;
  std::string link_;  // of the last line, kept elsewhere
  Counts counts_;
  std::uint64_t missed_ = 0;
};

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  const logwood::Budget budget;
  const logwood::TemporaryFolder place(logwood::fast_folder());
  logwood::Tampering tampering(place / "store", logwood::seed_argument(count, values, 1));
  return tampering.run(budget);
}
