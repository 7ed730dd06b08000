// What trees and contexts cost at 100,000 entries: building the tree against scanning ids, a path
// against walking a bare table of parents, and resuming against doing so at 1,000 entries.
#include "io/real_files.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "session_of_work.hpp"
#include "storage/jsonl/backend.hpp"
#include "store/session_tree.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr std::size_t few = 1'000;
constexpr std::size_t many = 100'000;

std::unique_ptr<storage::StorageBackend> open_backend(const std::string& folder) {
  storage::jsonl::Options options;
  options.writer.now = [] { return std::chrono::system_clock::now(); };
  return must(storage::jsonl::open(must(io::open_folder(folder, {})), options));
}

void measure_tree(const std::string& folder, const SessionId& session, Verdict& verdict) {
  const auto backend = open_backend(folder);
  Contest building;
  building.add("scan of the ids", [&] {
    return cpu_seconds_of([&] {
      std::size_t bytes = 0;
      must(backend->walk(session, {}, [&](const storage::WalkedEntry& entry) {
        bytes += entry.place.id.size() + entry.place.parent_id.size();
      }));
      if (bytes == 0) give_up("no ids");
    });
  });
  building.add("tree", [&] {
    return cpu_seconds_of([&] {
      if (must(load_tree(*backend, session)).session.tree.size() < many)
        give_up("entries are missing");
    });
  });
  for (Rounds rounds(60, 5, 0.4); rounds.next();) building.run_round();
  building.print("ms", 1e3);
  verdict.at_most("tree against a scan of the ids", building.ratio(1), 1.5);

  const SessionTree loaded = must(load_tree(*backend, session)).session;
  const Tree& tree = loaded.tree;
  const Tree::Place tip = *tree.find(loaded.head->text);
  std::vector<std::int64_t> parents(tree.size());
  for (Tree::Place place = 0; place < tree.size(); ++place) {
    parents[place] = tree.parent(place) ? std::int64_t{*tree.parent(place)} : -1;
  }
  std::size_t sum = 0;
  Contest path;
  path.add("bare table of parents", [&] {
    return cpu_seconds_of([&] {
      std::vector<std::int64_t> found;
      for (std::int64_t at = tip; at >= 0; at = parents[static_cast<std::size_t>(at)]) {
        found.push_back(at);
      }
      std::reverse(found.begin(), found.end());
      sum += found.size();
    });
  });
  path.add("path to the root",
           [&] { return cpu_seconds_of([&] { sum += tree.path_to(tip).size(); }); });
  for (Rounds rounds(2000, 50, 0.1); rounds.next();) path.run_round();
  path.print("us", 1e6);
  fmt::print("  (path of {} entries, {} branch points, sum {})\n", tree.depth(tip),
             tree.branch_points().size(), sum);
  verdict.at_most("path against a bare table", path.ratio(1), 2);
}

void measure_resume(const std::string& folder, const SessionId& short_session,
                    const SessionId& long_session, Verdict& verdict) {
  const auto resume = [&](const SessionId& session) {
    return cpu_seconds_of([&] {
      Store store = must(Store::open(folder));
      if (must(store.resume(session)).context.messages.size() < 10) give_up("messages are missing");
    });
  };
  Contest contest;
  contest.add(fmt::format("resume at {} entries", few), [&] { return resume(short_session); });
  contest.add(fmt::format("resume at {} entries", many), [&] { return resume(long_session); });
  for (Rounds rounds(1000, 50, 0.3); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  verdict.at_most("resume against a session of 1,000", contest.ratio(1), 1.2);
}

}  // namespace

int main() {
  const TemporaryFolder folder(disk_folder());
  const std::string store_folder = folder / "store";
  Workshop workshop(store_folder, 1);
  const SessionId short_session = workshop.make_session(few);
  const SessionId long_session = workshop.make_session(many);
  workshop.close();
  {
    // The same end for both: a compaction, and twenty messages after it.
    Store store = must(Store::open(store_folder));
    for (const SessionId& session : {short_session, long_session}) {
      must(store.compact(session, "what happened before", std::nullopt));
      for (int i = 0; i < 20; ++i) {
        must(store.append(
            session,
            Draft{R"({"type":"message","payload":{"role":"user","content":"and then?"}})"}));
      }
    }
    must(store.close());
  }
  Verdict verdict("trees and contexts at 100000 entries");
  measure_tree(store_folder, long_session, verdict);
  measure_resume(store_folder, short_session, long_session, verdict);
  return verdict.finish();
}
