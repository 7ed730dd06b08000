// watch: the sessions of other agents, mirrored into the store.
#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <unordered_map>

#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/session_row.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t page_size = 200;
constexpr std::chrono::milliseconds nap{100};
constexpr std::chrono::seconds look_age_max{60};

// What a session looked like when it was taken.
struct Seen {
  std::uint64_t size_bytes = 0;
  std::string last_active;
  bool operator==(const Seen&) const = default;
};

class Mirror {
 public:
  Mirror(Command& command, Store agents, Store store)
      : command_(command), agents_(std::move(agents)), store_(std::move(store)) {}

  // One look at everything. What cannot be taken is told, and stops nobody.
  Result<> look() {
    SummaryQuery query;
    query.limit = page_size;
    while (true) {
      LOGWOOD_TRY(const SummaryPage page, agents_.summaries(query, command_.reading()));
      for (const SessionSummary& summary : page.sessions) {
        query.after = SummaryPosition{summary.last_active, summary.header.id};
        query.max_age = look_age_max;  // that of the first page
        if (!command_.goes_on()) return {};
        take(summary);
      }
      if (!page.has_more) return {};
    }
  }

  [[nodiscard]] std::uint64_t failures() const { return failures_; }
  Result<> close() { return store_.close(); }

 private:
  void take(const SessionSummary& summary) {
    const SessionId& id = summary.header.id;
    const Seen now{summary.size_bytes, summary.last_active};
    Seen& seen = seen_[id.text];
    if (seen == now) return;
    const auto imported = store_.import_from(agents_, id);
    if (!imported) {
      ++failures_;
      command_.around().err(fmt::format("logwood: {}: {}\n", printable(session_name(id.text)),
                                        printable(imported.error().message)));
      return;
    }
    seen = now;
    if (imported->added == 0) return;
    if (command_.as_json()) {
      command_.print(JsonLine()
                         .add("sessionId", id.text)
                         .add("entries", imported->entries)
                         .add("added", imported->added)
                         .text());
    } else {
      command_.print(fmt::format("{}  {}  {}\n", session_name(id.text),
                                 counted(imported->added, "new entry", "new entries"),
                                 fitted(printable(summary.title), 60)));
    }
    (void)command_.flush();
  }

  Command& command_;
  Store agents_;
  Store store_;
  std::unordered_map<std::string, Seen> seen_;
  std::uint64_t failures_ = 0;
};

}  // namespace

Result<> run_watch(Command& command) {
  LOGWOOD_TRY(const std::size_t every, command.number("--every", 2));
  LOGWOOD_TRY(Store agents, command.open_agents());
  LOGWOOD_TRY(Store store, command.open_store(Needs::store_or_new_one));
  ListOptions one;
  one.limit = 1;
  LOGWOOD_CHECK(store.list(one));  // before anything is read: whether it can be used at all
  Mirror mirror(command, std::move(agents), std::move(store));
  while (true) {
    LOGWOOD_CHECK(mirror.look());
    if (command.arguments().has("--once") || !command.goes_on()) break;
    for (auto left = std::chrono::milliseconds(std::chrono::seconds(every));
         left > std::chrono::milliseconds::zero() && command.goes_on(); left -= nap) {
      std::this_thread::sleep_for(nap);
    }
    if (!command.goes_on()) break;
  }
  LOGWOOD_CHECK(mirror.close());
  if (!command.goes_on()) return command.stopped("what was told is stored");
  if (mirror.failures() == 0) return {};
  return Error{
      ErrorCode::unavailable,
      fmt::format("{} could not be taken", counted(mirror.failures(), "session", "sessions"))};
}

}  // namespace logwood::cli
