// Listing and searching on PostgreSQL, against the same statements by hand, on the same server in
// the same run (tests/servers/postgres.py run -- bench/postgres_catalog).
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bare_postgres.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "storage/postgres/catalog_statements.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

namespace sql = storage::postgres::sql;

// --- pages --------------------------------------------------------------------------------------

// Sessions as rows, copied from one that was read: making a million of them would take hours, and a
// list looks at nothing else.
void multiply(const Place& place, const SessionId& session, std::size_t count) {
  Bare bare(place.server, place.tenant);
  const std::string number =
      bare.text(fmt::format("select session from logwood.sessions where tenant = {} and id = '{}'",
                            place.tenant, session.text)
                    .c_str());
  const auto run = [&](const std::string& statement) { (void)bare.text(statement.c_str()); };
  run(fmt::format(
      "insert into logwood.sessions (tenant, id, key, cwd, created, header) "
      "select tenant, 'many-' || lpad(n::text, 8, '0'), key, cwd, created, header "
      "from logwood.sessions, generate_series(1, {}) n where tenant = {} and session = {}",
      count, place.tenant, number));
  run(fmt::format(
      "insert into logwood.tails (tenant, session, seq, link, size) "
      "select s.tenant, s.session, t.seq, t.link, t.size from logwood.sessions s, "
      "logwood.tails t where s.tenant = {0} and s.id like 'many-%' and t.tenant = {0} and "
      "t.session = {1}",
      place.tenant, number));
  run(fmt::format(
      "insert into logwood.summaries (tenant, session, id, seq, text_seq, size, last_active, "
      "expires_at, source, key, cwd, agent, channel, peer_kind, tags, so_far) "
      "select s.tenant, s.session, s.id, m.seq, m.seq, m.size, "
      "to_char(timestamp '2026-01-01' + (s.session % 20000000) * interval '1 second', "
      "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), m.expires_at, m.source, m.key, m.cwd, m.agent, "
      "m.channel, m.peer_kind, m.tags, m.so_far from logwood.sessions s, logwood.summaries m "
      "where s.tenant = {0} and s.id like 'many-%' and m.tenant = {0} and m.session = {1}",
      place.tenant, number));
  run("analyze logwood.sessions, logwood.tails, logwood.summaries");
}

SummaryPosition deep_in(const Place& place, std::size_t rows) {
  Bare bare(place.server, place.tenant);
  const auto column = [&](const char* name) {
    return bare.text(fmt::format("select {} from logwood.summaries where tenant = {} "
                                 "order by last_active desc, id desc offset {} limit 1",
                                 name, place.tenant, rows)
                         .c_str());
  };
  return {column("last_active"), {column("id")}};
}

void pages(const Place& place, Verdict& verdict) {
  const std::size_t sessions = budget_seconds() ? 20'000 : 1'000'000;
  Store store = must(Store::open(place.url));
  const SessionId first = must(store.create({.key = "main:cli:me"})).id;
  must(store.append(first, Draft::of({.type = "message",
                                      .payload = R"({"role":"user","content":"what is it"})"})));
  must(store.refresh_catalog(CatalogPart::text));
  multiply(place, first, sessions);
  must(store.refresh_catalog(CatalogPart::text));
  const SummaryPosition deep = deep_in(place, sessions - sessions / 50);
  const auto seconds_of = [&](const SummaryQuery& query) {
    return wall_seconds_of([&] {
      if (must(store.summaries(query)).sessions.size() != 100) give_up("sessions are missing");
    });
  };
  Contest contest;
  contest.add(fmt::format("the first 100 of {} sessions", sessions),
              [&] { return seconds_of({.limit = 100}); });
  contest.add("100 of them, far down", [&] { return seconds_of({.limit = 100, .after = deep}); });
  for (Rounds rounds(200, 20, 0.1); rounds.next();) contest.run_round();
  contest.print("us", 1e6);
  verdict.at_most("a page far down against the first", contest.ratio(1), 1.3);
}

// --- search -------------------------------------------------------------------------------------

void search(const Place& place, Verdict& verdict) {
  const int sessions = budget_seconds() ? 40 : 400;
  constexpr int messages = 50;
  Store store = must(Store::open(place.url));
  int number = 0;
  for (int i = 0; i < sessions; ++i) {
    const SessionId session = must(store.create()).id;
    std::vector<Draft> batch;
    for (int j = 0; j < messages; ++j, ++number) {
      std::string text = "everywhere";
      for (int word = 0; word < 60; ++word) {
        text += fmt::format(" word{}", (number * 31 + word * 977) % 5000);
      }
      if (number % 100 == 0) text += " sometimes";
      if (number % 500 == 0) text += " seldom";
      batch.push_back(
          Draft::of({.type = "message",
                     .payload = fmt::format(R"({{"role":"user","content":"{}"}})", text)}));
    }
    must(store.append(session, batch));
  }
  must(store.refresh_catalog(CatalogPart::text));
  Bare bare(place.server, place.tenant);
  (void)bare.text("analyze logwood.texts, logwood.summaries");
  bare.prepare(sql::find_texts);
  // Sessions that were active within the last minutes are looked at before a search: first all of
  // them, and then, as is usual, few.
  const auto compare = [&](const std::string& word, const std::string& when) {
    std::size_t hits = 0;
    Contest contest;
    contest.add(fmt::format("\"{}\" by hand", word), [&] {
      return wall_seconds_of([&] {
        bare.run(sql::find_texts,
                 {Bare::array(25, {"'" + word + "'"}), Bare::array(25, {}), std::nullopt,
                  std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
                  Bare::big_endian(std::uint64_t{0}), Bare::big_endian(std::uint64_t{20})});
      });
    });
    contest.add("search", [&] {
      return wall_seconds_of([&] { hits = must(store.search({.query = word})).count; });
    });
    for (Rounds rounds(100, 10, 0.1); rounds.next();) contest.run_round();
    contest.print("us", 1e6);
    verdict.at_most(fmt::format("search with {} hits, {}", hits, when), contest.ratio(1), 2);
  };
  const std::vector<std::string> words{"everywhere", "sometimes", "seldom", "nowhere"};
  for (const std::string& word : words) {
    compare(word, fmt::format("{} sessions active", sessions));
  }
  (void)bare.text(fmt::format("update logwood.recency set active = active - interval '1 hour' "
                              "where tenant = {}",
                              place.tenant)
                      .c_str());
  for (const std::string& word : words) compare(word, "none active");
}

}  // namespace

int main() {
  Verdict verdict("postgres-catalog");
  pages(new_place(), verdict);
  search(new_place(), verdict);
  return verdict.finish();
}
