// Going on with a session of 100,000 entries, beside pi: pi's SessionManager opens a file of its
// own format, we open ours, both made from the same work. pi reads and parses all of it, we the end
// of it; that is the difference that is measured.
//
//   bench/with_pi build/release/bench/peer_open
#include <fstream>

#include "logwood/store.hpp"
#include "measure.hpp"
#include "pi.hpp"
#include "place.hpp"
#include "session_of_work.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr std::size_t entries = 100'000;
constexpr std::uint64_t seed = 1;

// The work as a session file of pi, version 3.
void write_pi_session(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  constexpr std::string_view time = R"("timestamp":"2026-05-28T20:26:40.000Z")";
  file << R"({"type":"session","version":3,"id":"0197a1c2-0000-7000-8000-000000000001",)" << time
       << R"(,"cwd":"/work"})" << '\n';
  SessionOfWork work(seed);
  for (std::size_t i = 0; i < entries; ++i) {
    const Step step = work.next();
    file << R"({"type":"message","id":")" << step.id << R"(","parentId":)";
    if (step.parent_id.empty()) {
      file << "null";
    } else {
      file << '"' << step.parent_id << '"';
    }
    file << ',' << time << R"(,"message":{"role":")" << step.role
         << R"(","content":[{"type":"text","text":")" << step.prose
         << R"("}],"timestamp":1780000000000}})" << '\n';
  }
}

}  // namespace

int main() {
  if (!pi_folder()) {
    fmt::print("open beside pi: left out, as pi is not here; bench/with_pi installs it\n");
    return 0;
  }
  const TemporaryFolder folder(disk_folder());
  Workshop workshop(folder / "store", seed);
  const SessionId session = workshop.make_session(entries);
  workshop.close();
  write_pi_session(folder / "pi.jsonl");

  Contest contest;
  contest.add("logwood, open and last 200 of the path", [&] {
    return wall_seconds_of([&] {
      Store store = must(Store::open(folder / "store"));
      const BackwardPage page = must(store.load_last(session, 200, Along::path));
      if (page.entries.size() != 200) give_up("the last entries are not there");
    });
  });
  contest.add("pi, SessionManager.open", [&] {
    return ask_pi("pi_open.mjs", {folder / "pi.jsonl", std::to_string(entries)});
  });
  for (Rounds rounds(5, 3, 0.8); rounds.next();) contest.run_round();
  contest.print("ms", 1e3);

  Verdict verdict(fmt::format("open at {} entries beside pi", entries));
  verdict.at_least("pi takes", contest.ratio(1), 500, "x of ours");
  return verdict.finish();
}
