// What it takes to go on with a long session when nothing of it is in memory: open the store and
// load the last 200 entries of the path, against reading the last megabyte of the file.
#include <fcntl.h>
#include <unistd.h>

#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "session_of_work.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr std::size_t entries = 100'000;
constexpr std::size_t wanted = 200;
constexpr std::size_t tail_bytes = 1U << 20U;

// Makes the system forget what it has of a file in memory.
void make_cold(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) give_up("there is no " + path);
  ::fsync(file);  // what is not yet on the disk cannot be forgotten
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

void read_tail(const std::string& path, std::string& into) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto size = static_cast<off_t>(file_size(path));
  const ssize_t got =
      ::pread(file, into.data(), into.size(), size - static_cast<off_t>(into.size()));
  ::close(file);
  if (got != static_cast<ssize_t>(into.size())) give_up("a plain read fell short");
}

}  // namespace

int main() {
  const TemporaryFolder folder(disk_folder());
  const std::string store_folder = folder / "store";
  Workshop workshop(store_folder, 1);
  const SessionId session = workshop.make_session(entries);
  workshop.close();

  const std::string path = session_path(store_folder, session);
  const auto make_all_cold = [&] {
    make_cold(path);
    make_cold(index_path(store_folder, session));
    make_cold(store_folder + "/logwood.json");
  };
  std::string tail(tail_bytes, ' ');
  const auto resume = [&] {
    Store store = must(Store::open(store_folder));
    const BackwardPage page = must(store.load_last(session, wanted, Along::path));
    if (page.entries.size() != wanted || !page.anchored) give_up("the last entries are not there");
  };

  take_precedence();
  Contest cold;
  cold.add("cold read of the last 1 MB", [&] {
    make_all_cold();
    return wall_seconds_of([&] { read_tail(path, tail); });
  });
  cold.add("cold open and last 200 of the path", [&] {
    make_all_cold();
    return wall_seconds_of(resume);
  });
  Contest warm;
  warm.add("warm read of the last 1 MB",
           [&] { return wall_seconds_of([&] { read_tail(path, tail); }); });
  warm.add("warm open and last 200 of the path", [&] { return wall_seconds_of(resume); });

  for (Rounds rounds(300, 20, 0.4); rounds.next();) cold.run_round();
  for (Rounds rounds(300, 20, 0.1); rounds.next();) warm.run_round();
  fmt::print("{} entries, {:.0f} MB, {}:\n", entries, static_cast<double>(file_size(path)) / 1e6,
             file_system_of(store_folder));
  cold.print("us", 1e6);
  warm.print("us", 1e6);

  Verdict verdict("resume");
  verdict.at_most("cold open and last 200 entries against a cold read of 1 MB", cold.ratio(1), 2);
  return verdict.finish();
}
