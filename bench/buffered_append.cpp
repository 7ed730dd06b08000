// What a buffered append costs in processor time, beside the parts that cannot be left out: one
// write, two hashes, a checksum, a salt, a lock and its release. Syncs are not part of it: rounds
// are shorter than the number of entries after which the store syncs by itself, and what a round
// left is synced between rounds. The first appends after that sync are not counted either: while it
// waited, others had the processor and its caches.
#include "bare_file.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "pi.hpp"
#include "plain_entry.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr int entries_until_sync = 64;
constexpr int warm_up_entries = 10;
constexpr int counted_entries = 50;
static_assert(warm_up_entries + counted_entries < entries_until_sync);

// Processor time of one `append`.
double cost_of(const std::function<void()>& append) {
  for (int i = 0; i < warm_up_entries; ++i) append();
  return cpu_seconds_of([&] {
           for (int i = 0; i < counted_entries; ++i) append();
         }) /
         counted_entries;
}

}  // namespace

int main() {
  const TemporaryFolder folder;
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  options.sync_interval = std::chrono::hours(1);
  Store store = must(Store::open(folder / "store", options));
  const SessionId session = must(store.create()).id;
  const Draft draft = plain_draft(1024);
  const AppendOptions buffered{.durability = Durability::buffered};
  const std::string line(stored_size(store, folder / "store", session, draft), 'x');

  BareFile parts(folder / "parts");
  BareFile plain(folder / "plain");
  BareHash hash;
  std::string link(32, 'A');
  unsigned sum = 0;  // of results, so that nothing is optimised away

  Contest contest;
  contest.add("bare parts", [&] {
    parts.sync();
    return cost_of([&] {
      parts.lock();
      sum += bare_salt()[0];
      hash.begin();
      hash.add(line);
      const BareHash::Digest digest = hash.end();
      hash.begin();
      hash.add("logwood-link\n");
      hash.add(link);
      hash.add({reinterpret_cast<const char*>(digest.data()), digest.size()});
      link[0] = static_cast<char>('A' + hash.end()[0] % 26);
      sum += bare_crc32c(line);
      parts.write(line);
      parts.unlock();
    });
  });
  contest.add("buffered append", [&] {
    must(store.flush(session));
    return cost_of([&] { must(store.append(session, draft, buffered)); });
  });
  contest.add("plain write", [&] {
    plain.sync();
    return cost_of([&] { plain.write(line); });
  });
  contest.add("buffered append, with the sync after 64", [&] {
    must(store.flush(session));
    return cpu_seconds_of([&] {
             for (int i = 0; i < entries_until_sync; ++i)
               must(store.append(session, draft, buffered));
           }) /
           entries_until_sync;
  });

  for (Rounds rounds(2000, 50, 0.8); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  std::string pi = "pi not here (bench/with_pi installs it)";
  if (pi_folder()) {
    pi = fmt::format("pi takes {:.1f}x of ours",
                     ask_pi("pi_append.mjs", {folder / "pi"}) / contest.cost(1));
  }
  fmt::print("  (sum {})\n", sum);

  Verdict verdict("buffered append");
  verdict.at_most("processor time against its bare parts", contest.ratio(1), 1.8);
  verdict.show(fmt::format("{:.1f}x of a plain write", contest.ratio(1, 2)));
  verdict.show(pi);
  return verdict.finish();
}
