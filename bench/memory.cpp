// How much memory it takes to go on with a session of 1 GB: the most that a fresh process ever had
// in memory while it opened the store and loaded the last 200 entries of the path. A short run
// makes a session of 100 MB.
//
//   memory                         measures
//   memory resume STORE SESSION    what the fresh process does
#include "child.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "peak_memory.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "session_of_work.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

int resume(const std::string& folder, const SessionId& session) {
  Store store = must(Store::open(folder));
  const BackwardPage page = must(store.load_last(session, 200, Along::path));
  if (page.entries.size() != 200) give_up("the last entries are not there");
  fmt::print("{:.3f}\n", peak_memory_mb());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "resume") return resume(words[1], {words[2]});

  const TemporaryFolder folder(disk_folder());
  const std::string store_folder = folder / "store";
  Workshop workshop(store_folder, 1);
  const std::uint64_t size = budget_seconds() ? 100'000'000 : 1'000'000'000;
  const SessionId session = workshop.make_session_of_size(store_folder, size);
  workshop.close();

  const auto peak = [&] {
    return std::strtod(output_of({own_program(), "resume", store_folder, session.text}).c_str(),
                       nullptr);
  };
  const double with_index = peak();
  std::filesystem::remove(index_path(store_folder, session));
  const double without_index = peak();

  fmt::print("  {:.2f} GB, peak memory with an index {:.1f} MB, without one {:.1f} MB\n",
             static_cast<double>(file_size(session_path(store_folder, session))) / 1e9, with_index,
             without_index);
  Verdict verdict(fmt::format("memory to open a session of {} MB and load its last 200 entries",
                              size / 1'000'000));
  verdict.at_most("peak", std::max(with_index, without_index), 64, " MB");
  return verdict.finish();
}
