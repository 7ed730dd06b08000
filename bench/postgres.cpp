// What the store costs on PostgreSQL, against the same statements by hand: prepared, in binary
// form, on the same server in the same run (tests/servers/postgres.py run -- bench/postgres).
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/libpq.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "storage/postgres/statements.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

namespace sql = storage::postgres::sql;

constexpr std::size_t entry_bytes = 700;

std::string url_of_test() {
  const char* const url = std::getenv("LOGWOOD_TEST_POSTGRES_OWNER");
  if (url == nullptr) give_up("there is no server: tests/servers/postgres.py run -- starts one");
  return url;
}

Draft some_message(std::uint64_t number) {
  return Draft::of({.type = "message",
                    .payload = fmt::format(R"({{"role":"user","content":"{:0>{}}"}})", number,
                                           entry_bytes - 300)});
}

// A connection as somebody would use it who knows libpq: blocking, prepared, binary.
class Bare {
 public:
  Bare(const std::string& url, std::int32_t tenant) : pq_(*must(libpq())) {
    const char* const names[] = {"dbname", nullptr};
    const char* const values[] = {url.c_str(), nullptr};
    connection_ = pq_.connect(names, values, 1);
    if (pq_.status(connection_) != CONNECTION_OK) give_up(pq_.error_message(connection_));
    tenant_ = big_endian(static_cast<std::uint32_t>(tenant));
    clear(ask(fmt::format("set logwood.tenant = '{}'", tenant).c_str()));
  }
  ~Bare() { pq_.finish(connection_); }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  template <class Number>
  static std::string big_endian(Number number) {
    std::string bytes;
    for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
      bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
    }
    return bytes;
  }

  // Text in, text out.
  std::string text(const char* statement) {
    PGresult* const result = ask(statement);
    std::string value = pq_.row_count(result) > 0 ? pq_.value(result, 0, 0) : "";
    clear(result);
    return value;
  }

  void prepare(const PgStatement& statement) {
    if (pq_.send_prepare(connection_, statement.name, statement.sql, 0, nullptr) == 0) fail();
    clear(results());
  }

  // Returns how many rows came.
  int run(const PgStatement& statement, const std::vector<std::string>& values) {
    std::vector<const char*> pointers{tenant_.data()};
    std::vector<int> lengths{static_cast<int>(tenant_.size())};
    for (const std::string& value : values) {
      pointers.push_back(value.data());
      lengths.push_back(static_cast<int>(value.size()));
    }
    const std::vector<int> formats(pointers.size(), 1);
    if (pq_.send_query_prepared(connection_, statement.name, static_cast<int>(pointers.size()),
                                pointers.data(), lengths.data(), formats.data(), 1) == 0)
      fail();
    PGresult* const result = results();
    const int rows = pq_.row_count(result);
    clear(result);
    return rows;
  }

 private:
  [[noreturn]] void fail() { give_up(pq_.error_message(connection_)); }
  void clear(PGresult* result) { pq_.clear(result); }
  PGresult* ask(const char* statement) {
    if (pq_.send_query(connection_, statement) == 0) fail();
    return results();
  }
  PGresult* results() {
    PGresult* last = nullptr;
    while (PGresult* const next = pq_.get_result(connection_)) {
      if (last != nullptr) clear(last);
      last = next;
    }
    if (last == nullptr ||
        (pq_.result_status(last) != PGRES_TUPLES_OK && pq_.result_status(last) != PGRES_COMMAND_OK))
      fail();
    return last;
  }

  const Libpq& pq_;
  PGconn* connection_;
  std::string tenant_;
};

// The append statement by hand, on a session that nobody else appends to.
class BareAppender {
 public:
  BareAppender(Bare& bare, std::string session) : bare_(bare), session_(std::move(session)) {}

  void append() {
    const std::string before = seq_ == 1 ? first_link_ : link(seq_);
    const std::string id = fmt::format("bare-{:027}", seq_);
    const std::string line(entry_bytes, 'x');
    bare_.run(sql::append, {session_, Bare::big_endian(seq_), before, Bare::big_endian(seq_ + 1),
                            link(seq_ + 1), Bare::big_endian(seq_ * entry_bytes), id, id,
                            array(25, id), array(16, std::string(1, '\0')), array(17, line)});
    ++seq_;
  }
  void begin_after(std::string first_link) { first_link_ = std::move(first_link); }

 private:
  static std::string link(std::uint64_t seq) { return fmt::format("{:032}", seq); }
  static std::string array(std::uint32_t type, const std::string& value) {
    const auto number = [](std::uint32_t n) { return Bare::big_endian(n); };
    return number(1) + number(0) + number(type) + number(1) + number(1) +
           number(static_cast<std::uint32_t>(value.size())) + value;
  }

  Bare& bare_;
  std::string session_;
  std::string first_link_;
  std::uint64_t seq_ = 1;
};

struct Place {
  std::string url;
  std::string server;  ///< the same for libpq, which knows no tenants
  std::int32_t tenant = 0;
};

std::string number_of(const Place& place, const SessionId& session) {
  Bare bare(place.server, place.tenant);
  const std::string number =
      bare.text(fmt::format("select session from logwood.sessions where tenant = {} and id = '{}'",
                            place.tenant, session.text)
                    .c_str());
  return Bare::big_endian(std::stoull(number));
}

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

// The same work by pgbench: each client moves the end of its own session and stores a line.
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
    numbers += fmt::format("\\if :client_id = {}\n\\set session {}\n\\endif\n", i, number);
  }
  char name[] = "/tmp/logwood-bench-XXXXXX";
  const int file = mkstemp(name);
  if (file < 0) give_up("no file for pgbench");
  std::FILE* const script = fdopen(file, "w");
  fmt::print(
      script,
      "{0}with moved as (update logwood.tails set seq = seq + 1, link = link, size = size + {1}, "
      "tail = tail, head = head where tenant = {2} and session = :session and seq = seq and "
      "link = link and not archived and not removed returning seq) "
      "insert into logwood.entries (tenant, session, seq, id, is_redaction, line) "
      "select {2}, :session, moved.seq, 'pgbench-' || moved.seq || '-00000000000000000', u.r, "
      "u.line "
      "from moved, unnest(array[false]::boolean[], array[decode('{3}', 'hex')]::bytea[]) as u (r, "
      "line);\n",
      numbers, entry_bytes, place.tenant, std::string(entry_bytes * 2, '7'));
  std::fclose(script);
  const std::string command = fmt::format(
      "PGOPTIONS='-c logwood.tenant={}' /usr/lib/postgresql/15/bin/pgbench -n -M prepared -c {} -j "
      "2 "
      "-T {} -f {} '{}' 2>/dev/null",
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
  const std::string tenant = new_entry_id().text;
  Place place{url_of_test() + "?tenant=" + tenant, url_of_test()};
  must(Store::open(place.url, {.create = StoreOptions::Create::if_missing}));
  {
    Bare bare(url_of_test(), 0);
    place.tenant = std::stoi(bare.text(
        fmt::format("select tenant from logwood.tenants where name = '{}'", tenant).c_str()));
  }
  Verdict verdict("postgres");
  single_append(place, verdict);
  reading(place, verdict);
  many_clients(place, verdict);
  followers(place, verdict);
  return verdict.finish();
}
