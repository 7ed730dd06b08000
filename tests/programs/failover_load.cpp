// Clients that append to a store while its server is taken away from them, and the comparison of
// what they were told with what is stored (tests/servers/failover.py).
//
//   failover_load append URL --clients N --seconds S --log FILE
//   failover_load verify URL --log FILE
//
// Each client has a session. Half of them have the patience to sit a failover out inside of one
// append; the others are told `unavailable` or `durability_unknown` and append the same entries
// again, as a caller would.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "logwood/store.hpp"

namespace logwood {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::atomic<bool> is_over = false;

constexpr std::size_t entries_at_once = 3;
constexpr seconds end_limit{90};  // for what is in flight when it is over

struct Totals {
  std::atomic<std::uint64_t> acked = 0;
  std::atomic<std::uint64_t> unknown_resolved = 0;
  std::atomic<std::uint64_t> longest_wait_ms = 0;
  std::atomic<std::uint64_t> failed = 0;
};

// A line of acknowledged entries is one write, so that a kill takes none of them by half.
class Log {
 public:
  explicit Log(const char* path)
      : file_(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  ~Log() { ::close(file_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  bool put(const std::string& lines) const {
    return ::write(file_, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size());
  }

 private:
  int file_;
};

class Client {
 public:
  Client(std::string url, int number, const Log& log, Totals& totals)
      : url_(std::move(url)), number_(number), log_(log), totals_(totals) {}

  void run() {
    const bool is_patient = number_ % 2 == 0;
    auto store =
        Store::open(url_, {.patience = is_patient ? milliseconds(60'000) : milliseconds(3000)});
    if (!store) return fail(store.error());
    auto session = store->create({.key = fmt::format("failover:{}", number_)});
    if (!session) return fail(session.error());
    for (std::uint64_t turn = 1; !is_over; ++turn) {
      if (!append(*store, session->id, turn)) return;
    }
  }

 private:
  void fail(const Error& error) {
    ++totals_.failed;
    fmt::print(stderr, "client {}: {}: {}\n", number_, name_of(error.code), error.message);
  }

  // Until it is acknowledged, with the same ids.
  bool append(Store& store, const SessionId& session, std::uint64_t turn) {
    std::vector<Draft> drafts;
    std::string lines;
    for (std::size_t i = 0; i < entries_at_once; ++i) {
      const std::string id = fmt::format("c{}-{}-{}", number_, turn, i);
      drafts.push_back(Draft::of({.type = "message",
                                  .payload = fmt::format(R"({{"role":"user","content":"{}"}})", id),
                                  .id = EntryId{id}}));
      lines += session.text + " " + id + "\n";
    }
    const auto began = Clock::now();
    std::optional<Clock::time_point> over_since;
    bool was_unknown = false;
    while (true) {
      const auto appended = store.append(session, drafts);
      if (appended) break;
      const ErrorCode code = appended.error().code;
      was_unknown = was_unknown || code == ErrorCode::durability_unknown;
      const bool can_wait = code == ErrorCode::unavailable || code == ErrorCode::busy ||
                            code == ErrorCode::durability_unknown;
      if (!can_wait) {
        fail(appended.error());
        return false;
      }
      if (is_over && !over_since) over_since = Clock::now();
      if (over_since && Clock::now() - *over_since > end_limit) {
        fail(appended.error());
        return false;
      }
      std::this_thread::sleep_for(milliseconds(100));
    }
    const auto waited = static_cast<std::uint64_t>(
        std::chrono::duration_cast<milliseconds>(Clock::now() - began).count());
    for (std::uint64_t longest = totals_.longest_wait_ms; waited > longest;) {
      if (totals_.longest_wait_ms.compare_exchange_weak(longest, waited)) break;
    }
    if (was_unknown) ++totals_.unknown_resolved;
    totals_.acked += entries_at_once;
    if (log_.put(lines)) return true;
    fail({ErrorCode::no_space, "the log cannot be written"});
    return false;
  }

  std::string url_;
  int number_;
  const Log& log_;
  Totals& totals_;
};

int append(const std::string& url, int clients, int for_seconds, const char* log_path) {
  std::signal(SIGTERM, [](int) { is_over = true; });
  const Log log(log_path);
  if (!log.is_open()) {
    fmt::print(stderr, "{} cannot be opened\n", log_path);
    return 2;
  }
  Totals totals;
  std::vector<std::thread> threads;
  for (int number = 0; number < clients; ++number) {
    threads.emplace_back([&, number] { Client(url, number, log, totals).run(); });
  }
  const auto end = Clock::now() + seconds(for_seconds);
  while (!is_over && Clock::now() < end) std::this_thread::sleep_for(milliseconds(50));
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  fmt::print(R"({{"acked":{},"unknownResolved":{},"longestWaitMs":{},"failed":{}}})"
             "\n",
             totals.acked.load(), totals.unknown_resolved.load(), totals.longest_wait_ms.load(),
             totals.failed.load());
  return totals.failed == 0 ? 0 : 1;
}

int verify(const std::string& url, const char* log_path) {
  std::map<std::string, std::vector<std::string>> acked;
  std::ifstream log(log_path);
  std::uint64_t count = 0;
  for (std::string session, entry; log >> session >> entry; ++count) {
    acked[session].push_back(entry);
  }
  auto store = Store::open(url, {.patience = milliseconds(60'000)});
  if (!store) {
    fmt::print(stderr, "{}\n", store.error().message);
    return 2;
  }
  std::uint64_t lost = 0;
  std::uint64_t twice = 0;
  std::uint64_t chains_broken = 0;
  for (const auto& [session, entries] : acked) {
    const auto page = store->load({session});
    const auto report = store->verify({session});
    if (!page || !report) {
      fmt::print(stderr, "session {}: {}\n", session,
                 page ? report.error().message : page.error().message);
      lost += entries.size();
      continue;
    }
    if (!report->is_sound() || !page->problems.empty()) ++chains_broken;
    std::unordered_map<std::string, int> stored;
    for (const Entry& entry : page->entries) ++stored[entry.id.text];
    for (const std::string& entry : entries) {
      const auto found = stored.find(entry);
      if (found == stored.end()) {
        ++lost;
      } else if (found->second != 1) {
        ++twice;
      }
    }
  }
  fmt::print(R"({{"acked":{},"lost":{},"twice":{},"chainsBroken":{}}})"
             "\n",
             count, lost, twice, chains_broken);
  return lost + twice + chains_broken == 0 ? 0 : 1;
}

int run(const std::vector<std::string>& words) {
  std::string log;
  int clients = 8;
  int for_seconds = 20;
  for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
    if (words[i] == "--log") log = words[i + 1];
    if (words[i] == "--clients") clients = std::atoi(words[i + 1].c_str());
    if (words[i] == "--seconds") for_seconds = std::atoi(words[i + 1].c_str());
  }
  if (words.size() >= 2 && !log.empty() && words[0] == "append") {
    return append(words[1], clients, for_seconds, log.c_str());
  }
  if (words.size() >= 2 && !log.empty() && words[0] == "verify")
    return verify(words[1], log.c_str());
  fmt::print(stderr, "failover_load append|verify URL --log FILE [--clients N] [--seconds S]\n");
  return 2;
}

}  // namespace
}  // namespace logwood

int main(int count, char** words) {
  return logwood::run(std::vector<std::string>(words + 1, words + count));
}
