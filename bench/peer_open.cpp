// Going on with a session of 100,000 entries, beside pi: pi's SessionManager opens a file of its
// own format and builds its context, we open ours and resume, both made from the same work with a
// compaction that keeps the last 200 entries of the path; and we the file of pi where it is. pi
// reads and parses all of it, we the end of it; that is the difference that is measured.
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
constexpr std::size_t kept_entries = 200;  // by the compaction
constexpr std::uint64_t seed = 1;

// The work as a session file of pi, version 3.
void write_pi_session(const std::string& path, const std::string& first_kept) {
  std::ofstream file(path, std::ios::binary);
  constexpr std::string_view time = R"("timestamp":"2026-05-28T20:26:40.000Z")";
  file << R"({"type":"session","version":3,"id":"0197a1c2-0000-7000-8000-000000000001",)" << time
       << R"(,"cwd":"/work"})" << '\n';
  SessionOfWork work(seed);
  std::string last;
  for (std::size_t i = 0; i < entries; ++i) {
    const Step step = work.next();
    last = step.id;
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
  file << R"({"type":"compaction","id":"compacted","parentId":")" << last << R"(",)" << time
       << R"(,"summary":"what was said before","firstKeptEntryId":")" << first_kept
       << R"(","tokensBefore":100000})" << '\n';
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
  std::string first_kept;
  {
    Store store = must(Store::open(folder / "store"));
    const BackwardPage kept = must(store.load_last(session, kept_entries, Along::path));
    first_kept = kept.entries.back().id.text;
    must(store.compact(session, "what was said before", EntryId{first_kept}));
    must(store.close());
  }
  write_pi_session(folder / "pi.jsonl", first_kept);

  Contest contest;
  contest.add("logwood, open and resume", [&] {
    return wall_seconds_of([&] {
      Store store = must(Store::open(folder / "store"));
      const Resumed resumed = must(store.resume(session));
      if (resumed.context.messages.size() != kept_entries + 1) give_up("the context is another");
    });
  });
  contest.add("logwood, the file of pi where it is, open and resume", [&] {
    return wall_seconds_of([&] {
      Store store = must(Store::of_agent_file(folder / "pi.jsonl"));
      const SessionPage page = must(store.list());
      const Resumed resumed = must(store.resume(page.sessions.at(0).id));
      if (resumed.context.messages.size() != kept_entries + 1) give_up("the context is another");
    });
  });
  contest.add("pi, open and buildSessionContext", [&] {
    return ask_pi("pi_open.mjs", {folder / "pi.jsonl", std::to_string(kept_entries + 1)});
  });
  for (Rounds rounds(5, 3, 0.8); rounds.next();) contest.run_round();
  contest.print("ms", 1e3);

  Verdict verdict(fmt::format("open and resume at {} entries beside pi", entries));
  verdict.at_least("pi takes", contest.ratio(2), 500, "x of ours");
  verdict.at_least("of ours on pi's own file", contest.ratio(2) / contest.ratio(1), 20, "x");
  return verdict.finish();
}
