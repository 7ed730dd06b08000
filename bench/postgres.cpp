// What the store costs on PostgreSQL, against the same statements by hand: prepared, in binary
// form, on the same server in the same run (tests/servers/postgres.py run -- bench/postgres).
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bare_postgres.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "storage/postgres/statements.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

namespace sql = storage::postgres::sql;

constexpr std::size_t entry_bytes = 700;

Draft some_message(std::uint64_t number) {
  return Draft::of({.type = "message",
                    .payload = fmt::format(R"({{"role":"user","content":"{:0>{}}"}})", number,
                                           entry_bytes - 300)});
}

// The append statement by hand, on a session that nobody else appends to.
class BareAppender {
 public:
  BareAppender(Bare& bare, std::string session) : bare_(bare), session_(std::move(session)) {}

  void append() {
    const std::string before = seq_ == 1 ? first_link_ : link(seq_);
    const std::string id = fmt::format("bare-{:027}", seq_);
    const std::string line(entry_bytes, 'x');
    bare_.run(sql::append,
              {session_, Bare::big_endian(seq_), before, Bare::big_endian(seq_ + 1), link(seq_ + 1),
               Bare::big_endian(seq_ * entry_bytes), id, id, Bare::array(25, {id}),
               Bare::array(16, {std::string(1, '\0')}), Bare::array(17, {line})});
    ++seq_;
  }
  void begin_after(std::string first_link) { first_link_ = std::move(first_link); }

 private:
  static std::string link(std::uint64_t seq) { return fmt::format("{:032}", seq); }
  Bare& bare_;
  std::string session_;
  std::string first_link_;
  std::uint64_t seq_ = 1;
};

void single_append(const Place& place, Verdict& verdict) {
  Store store = must(Store::open(place.url));
  const SessionId ours = must(store.create()).id;
  const SessionId theirs = must(store.create()).id;
  Bare bare(place.server, place.tenant);
  bare.prepare(sql::append);
  BareAppender appender(bare, number_of(place, theirs));
  appender.begin_after(must(store.verify(theirs)).link);
  std::uint64_t number = 0;
  constexpr int at_once = 100;
  Contest contest;
  contest.add("the statement by hand", [&] {
    return wall_seconds_of([&] {
             for (int i = 0; i < at_once; ++i) appender.append();
           }) /
           at_once;
  });
  contest.add("append", [&] {
    return wall_seconds_of([&] {
             for (int i = 0; i < at_once; ++i) must(store.append(ours, some_message(++number)));
           }) /
           at_once;
  });
  for (Rounds rounds(60, 9, 0.2); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  verdict.at_most("one append against its statement by hand", contest.ratio(1), 1.15);
}

double appends_per_second(const Place& place, int clients, double for_seconds) {
  Store store = must(Store::open(place.url));
  std::vector<SessionId> sessions;
  for (int i = 0; i < clients; ++i) sessions.push_back(must(store.create()).id);
  std::atomic<bool> is_over = false;
  std::atomic<std::uint64_t> count = 0;
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      must(store.append(sessions[static_cast<std::size_t>(i)], some_message(0)));
      ++ready;
      while (ready < clients) std::this_thread::yield();
      std::uint64_t own = 0;
      while (!is_over)
        must(store.append(sessions[static_cast<std::size_t>(i)], some_message(++own)));
      count += own;
    });
  }
  while (ready < clients) std::this_thread::yield();
  const double begin = wall_seconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(for_seconds));
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(count) / (wall_seconds() - begin);
}

// The statement for pgbench: its own text, with values where parameters stand. The link of each
// session was made the same before, so that only the number of lines goes on.
std::string append_for_pgbench(std::int32_t tenant) {
  const std::string link(32, '0');
  std::string text = sql::append.sql;
  const std::pair<std::string_view, std::string> values[] = {
      {"$12::bytea[]",
       fmt::format("array[decode('{}', 'hex')]", std::string(entry_bytes * 2, '7'))},
      {"$11::boolean[]", "array[false]"},
      {"$10::text[]", "array['pgbench-' || lpad(:seq::text, 28, '0')]"},
      {"$9", "'pgbench-0000000000000000000000000000'"},
      {"$8", "'pgbench-0000000000000000000000000000'"},
      {"$7", fmt::format(":seq * {}", entry_bytes)},
      {"$6", fmt::format("'{}'", link)},
      {"$5", ":seq + 1"},
      {"$4", fmt::format("'{}'", link)},
      {"$3", ":seq"},
      {"$2", ":session"},
      {"$1", std::to_string(tenant)}};
  for (const auto& [parameter, value] : values) {
    for (std::size_t at = 0; (at = text.find(parameter, at)) != std::string::npos;) {
      text.replace(at, parameter.size(), value);
      at += value.size();
    }
  }
  return text;
}

// Appends to sessions of their own, as appends_per_second does.
double pgbench_per_second(const Place& place, int clients, double for_seconds) {
  Store store = must(Store::open(place.url));
  Bare bare(place.server, place.tenant);
  std::string numbers;
  for (int i = 0; i < clients; ++i) {
    const SessionId session = must(store.create()).id;
    const std::string number = bare.text(
        fmt::format("select session from logwood.sessions where tenant = {} and id = '{}'",
                    place.tenant, session.text)
            .c_str());
    (void)bare.text(fmt::format("update logwood.tails set link = repeat('0', 32) "
                                "where tenant = {} and session = {}",
                                place.tenant, number)
                        .c_str());
    numbers += fmt::format("\\if :client_id = {}\n\\set session {}\n\\endif\n", i, number);
  }
  char name[] = "/tmp/logwood-bench-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) give_up("no file for pgbench");
  std::FILE* const script = fdopen(file, "w");
  fmt::print(script, "{}{};\n\\set seq :seq + 1\n", numbers, append_for_pgbench(place.tenant));
  std::fclose(script);
  const std::string command = fmt::format(
      "PGOPTIONS='-c logwood.tenant={}' /usr/lib/postgresql/15/bin/pgbench -n -M prepared -D seq=1 "
      "-c {} -j 2 -T {} -f {} '{}' 2>/dev/null",
      place.tenant, clients, static_cast<int>(for_seconds), name, place.server);
  std::FILE* const said = popen(command.c_str(), "r");
  double per_second = 0;
  char line[512];
  while (said != nullptr && std::fgets(line, sizeof line, said) != nullptr) {
    (void)std::sscanf(line, "tps = %lf", &per_second);
  }
  if (said != nullptr) pclose(said);
  std::remove(name);
  if (per_second <= 0) give_up("pgbench said nothing");
  return per_second;
}

void many_clients(const Place& place, Verdict& verdict) {
  const double for_seconds = budget_seconds() ? 2 : 5;
  for (const int clients : {8, 32}) {
    Contest contest;
    // Costs, so that less is better.
    contest.add(fmt::format("pgbench, {} clients", clients),
                [&] { return 1 / pgbench_per_second(place, clients, for_seconds); });
    contest.add(fmt::format("append, {} clients", clients),
                [&] { return 1 / appends_per_second(place, clients, for_seconds); });
    for (Rounds rounds(7, 3, 0.1); rounds.next();) contest.run_round();
    contest.print("us", 1e6);
    verdict.at_least(fmt::format("{} clients against pgbench", clients), 1 / contest.ratio(1),
                     0.85);
  }
}

SessionId long_session(Store& store, std::size_t entries) {
  const SessionId session = must(store.create()).id;
  std::vector<Draft> batch;
  for (std::size_t i = 0; i < entries; ++i) {
    batch.push_back(some_message(i));
    if (batch.size() == 1000 || i + 1 == entries) {
      must(store.append(session, batch));
      batch.clear();
    }
  }
  return session;
}

void reading(const Place& place, Verdict& verdict) {
  Store store = must(Store::open(place.url));
  Bare bare(place.server, place.tenant);
  bare.prepare(sql::lines_after);
  bare.prepare(sql::lines_before);
  {
    const SessionId session = long_session(store, 10'000);
    const std::string number = number_of(place, session);
    Contest contest;
    contest.add("select of 10,000 rows", [&] {
      return wall_seconds_of([&] {
        if (bare.run(sql::lines_after, {number, Bare::big_endian(std::uint64_t{0}),
                                        Bare::big_endian(std::uint64_t{1'000'000})}) != 10'001)
          give_up("rows are missing");
      });
    });
    contest.add("load of 10,000 entries", [&] {
      return wall_seconds_of([&] {
        if (must(store.load(session)).entries.size() != 10'001) give_up("entries are missing");
      });
    });
    for (Rounds rounds(40, 5, 0.1); rounds.next();) contest.run_round();
    contest.print("ms", 1e3);
    verdict.at_most("load of 10,000 against the select", contest.ratio(1), 1.3);
  }
  const std::size_t entries = budget_seconds() ? 20'000 : 100'000;
  const SessionId session = long_session(store, entries);
  const std::string number = number_of(place, session);
  Contest contest;
  contest.add("select of the last 200", [&] {
    return wall_seconds_of([&] {
      if (bare.run(sql::lines_before, {number, Bare::big_endian(std::uint64_t{entries + 2}),
                                       Bare::big_endian(std::uint64_t{200})}) != 200)
        give_up("rows are missing");
    });
  });
  contest.add("load_last of 200", [&] {
    return wall_seconds_of([&] {
      if (must(store.load_last(session, 200)).entries.size() != 200) give_up("entries are missing");
    });
  });
  for (Rounds rounds(200, 20, 0.1); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  verdict.at_most(fmt::format("the last 200 of {} against the select", entries), contest.ratio(1),
                  1.5);
}

// Followers of sessions that are appended to, each with a reader of its own.
void followers(const Place& place, Verdict& verdict) {
  constexpr int count = 32;
  const double for_seconds = budget_seconds() ? 2 : 5;
  const auto with_followers = [&] {
    Store store = must(Store::open(place.url));
    std::vector<SessionId> sessions;
    for (int i = 0; i < count; ++i) sessions.push_back(must(store.create()).id);
    std::vector<std::thread> threads;
    std::atomic<bool> is_over = false;
    // Another store object, as another process has: nothing tells it of these appends.
    Store other = must(Store::open(place.url));
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        EntryReader reader = must(other.read(sessions[static_cast<std::size_t>(i)]));
        must(reader.skip_to_end());
        while (!is_over) {
          if (must(reader.wait(std::chrono::milliseconds(200)))) must(reader.next());
        }
      });
    }
    const double per_second = appends_per_second(place, 8, for_seconds);
    is_over = true;
    for (std::thread& thread : threads) thread.join();
    return 1 / per_second;
  };
  Contest contest;
  contest.add("8 clients", [&] { return 1 / appends_per_second(place, 8, for_seconds); });
  contest.add("8 clients, 32 followers", with_followers);
  for (Rounds rounds(7, 3, 0.1); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  verdict.at_least("appends with 32 followers against none", 1 / contest.ratio(1), 0.9);
}

}  // namespace

int main() {
  const Place place = new_place();
  Verdict verdict("postgres");
  single_append(place, verdict);
  reading(place, verdict);
  many_clients(place, verdict);
  followers(place, verdict);
  return verdict.finish();
}
