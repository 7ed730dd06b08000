// What a store of 10,000 sessions takes to list and to search by key, which reads every header as
// long as there is no catalog. Nothing is promised yet; the figure is shown.
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

int main() {
  constexpr int sessions = 10'000;
  take_precedence();
  const TemporaryFolder folder(disk_folder());
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  Store store = must(Store::open(folder / "store", options));
  const double making = wall_seconds_of([&] {
    for (int i = 0; i < sessions; ++i) must(store.create({.key = fmt::format("agent:user:{}", i)}));
  });

  std::vector<double> list_times, key_times;
  for (Rounds rounds(30, 5, 0.5); rounds.next();) {
    list_times.push_back(wall_seconds_of([&] {
      if (must(store.list({.limit = 100})).sessions.size() != 100) give_up("the list is short");
    }));
    key_times.push_back(wall_seconds_of([&] {
      if (must(store.open_by_key({.key = "agent:user:77"})).created) give_up("the key was lost");
    }));
  }
  Verdict verdict(fmt::format("{} sessions", sessions));
  verdict.show(fmt::format("made in {:.0f} us each", making / sessions * 1e6));
  verdict.show(fmt::format("the newest 100 listed in {:.1f} ms", median(list_times) * 1e3));
  verdict.show(fmt::format("one found by its key in {:.1f} ms", median(key_times) * 1e3));
  return verdict.finish();
}
