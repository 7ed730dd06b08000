// Whether appending costs more the longer a session is: 100,000 entries against 10, through a
// handle that has appended before, and by a process that has just begun.
//
//   growth                              measures
//   growth append-once STORE SESSION    what the fresh processes do
#include "child.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "session_of_work.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr std::size_t few = 10;
constexpr std::size_t many = 100'000;

// Prints the seconds from nothing to an acknowledged append.
int append_once(const std::string& folder, const SessionId& session) {
  const Draft draft = plain_draft(1024);
  const double start = wall_seconds();
  Store store = must(Store::open(folder));
  must(store.append(session, draft));
  fmt::print("{:.9f}\n", wall_seconds() - start);
  must(store.close());
  return 0;
}

class Growth {
 public:
  explicit Growth(const std::string& folder)
      : folder_(folder), options_(make_options()), store_(must(Store::open(folder, options_))) {}

  void measure_warm(const SessionId& long_session, Durability durability, double share_of_budget,
                    Verdict& verdict) {
    const std::string name = durability == Durability::synced ? "synced" : "buffered";
    const Draft draft = plain_draft(1024);
    constexpr int appends_per_round = 30;
    std::vector<double> short_times, long_times;
    Contest contest;
    contest.add(fmt::format("{} append to a session of {}", name, few),
                [&] { return median(short_times); });
    contest.add(fmt::format("{} append to a session of {}", name, many),
                [&] { return median(long_times); });
    const auto timed_append = [&](const SessionId& session) {
      return wall_seconds_of(
          [&] { must(store_.append(session, draft, {.durability = durability})); });
    };
    for (Rounds rounds(400, 20, share_of_budget); rounds.next();) {
      // A new one each time: it would grow otherwise.
      const SessionId short_session = make_short_session();
      must(store_.append(short_session, draft));
      must(store_.append(long_session, draft));
      short_times.clear();
      long_times.clear();
      for (int i = 0; i < appends_per_round; ++i) {
        short_times.push_back(timed_append(short_session));
        long_times.push_back(timed_append(long_session));
      }
      contest.run_round();
      must(store_.flush(long_session));
      must(store_.remove(short_session));
    }
    contest.print("us", 1e6);
    verdict.at_most("warm " + name, contest.ratio(1), 1.05);
  }

  void measure_cold(const SessionId& long_session, double share_of_budget, Verdict& verdict) {
    const SessionId short_session = make_short_session();
    must(store_.close());
    std::vector<double> whole_times;
    const auto run = [&](const SessionId& session) {
      std::string seconds;
      whole_times.push_back(wall_seconds_of(
          [&] { seconds = output_of({own_program(), "append-once", folder_, session.text}); }));
      return std::strtod(seconds.c_str(), nullptr);
    };
    Contest contest;
    contest.add(fmt::format("fresh process, session of {}", few),
                [&] { return run(short_session); });
    contest.add(fmt::format("fresh process, session of {}", many),
                [&] { return run(long_session); });
    for (Rounds rounds(60, 7, share_of_budget); rounds.next();) contest.run_round();
    contest.print("us", 1e6);
    fmt::print("  (a whole process takes {:.0f} us)\n", median(whole_times) * 1e6);
    verdict.at_most("fresh process", contest.ratio(1), 3);
  }

 private:
  static StoreOptions make_options() {
    StoreOptions options;
    options.sync_interval = std::chrono::hours(1);
    return options;
  }

  SessionId make_short_session() {
    const SessionId session = must(store_.create()).id;
    const std::vector<Draft> drafts(few - 1, plain_draft(1024));
    must(store_.append(session, drafts));
    return session;
  }

  std::string folder_;
  StoreOptions options_;
  Store store_;
};

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "append-once") return append_once(words[1], {words[2]});

  const TemporaryFolder folder(disk_folder());
  Workshop workshop(folder / "store", 1);
  const SessionId long_session = workshop.make_session(many);
  workshop.close();

  take_precedence();
  Verdict verdict(fmt::format("growth, append at {} entries against {}", many, few));
  Growth growth(folder / "store");
  growth.measure_warm(long_session, Durability::synced, 0.25, verdict);
  growth.measure_warm(long_session, Durability::buffered, 0.2, verdict);
  growth.measure_cold(long_session, 0.2, verdict);
  return verdict.finish();
}
