// What an acknowledged, synced append costs against the least that could be acknowledged: a write
// of as many bytes to an open file and an fdatasync. The two take turns append by append.
//
//   durable_append [FOLDER...]    measures in each folder; without one, where temporary files lie

#include "bare_file.hpp"
#include "each_place.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

void measure_in(const std::string& place, double share_of_budget, Verdict& verdict) {
  const TemporaryFolder folder(place);
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  Store store = must(Store::open(folder / "store", options));
  const SessionId session = must(store.create()).id;
  const Draft draft = plain_draft(1024);
  const std::string line(stored_size(store, folder / "store", session, draft), 'x');
  BareFile bare(folder / "bare");

  constexpr int appends_per_round = 40;
  Contest contest;
  std::vector<double> bare_times, our_times;
  contest.add("plain write and fdatasync", [&] { return median(bare_times); });
  contest.add("synced append", [&] { return median(our_times); });
  for (Rounds rounds(250, 20, share_of_budget); rounds.next();) {
    bare_times.clear();
    our_times.clear();
    for (int i = 0; i < appends_per_round; ++i) {
      bare_times.push_back(wall_seconds_of([&] {
        bare.write(line);
        bare.sync();
      }));
      our_times.push_back(wall_seconds_of([&] { must(store.append(session, draft)); }));
    }
    contest.run_round();
  }
  const std::string kind = file_system_of(folder.path());
  fmt::print("{} ({} bytes an append):\n", kind, line.size());
  contest.print("us", 1e6);
  verdict.at_most("p50 on " + kind, contest.ratio(1), 1.15);
}

}  // namespace

int main(int count, char** arguments) {
  return measure_each_place({arguments + 1, arguments + count},
                            "durable append against write and fdatasync", measure_in);
}
