// clean: which sessions are old, expired or too many, and putting them away.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/counted.hpp"
#include "base/json_text.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/quantity.hpp"
#include "cli/session_row.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/search_query.hpp"

namespace logwood::cli {
namespace {

// `500MB`, `2GB`, `750kB`; a number alone is bytes.
Result<std::uint64_t> size_named(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const std::pair<std::string_view, std::uint64_t> units[] = {{"", 1},
                                                              {"B", 1},
                                                              {"kB", 1'000},
                                                              {"MB", 1'000'000},
                                                              {"GB", 1'000'000'000},
                                                              {"TB", 1'000'000'000'000}};
  for (const auto& [name, bytes] : units) {
    if (problem == std::errc() && unit == name && count <= 1'000'000'000'000'000'000 / bytes) {
      return count * bytes;
    }
  }
  return Error{ErrorCode::invalid_argument,
               fmt::format("{} is no size; say 750kB, 500MB or 2GB", json_quoted(text))};
}

struct Chosen {
  SessionSummary summary;
  std::string why;
};

class Choice {
 public:
  void add(const std::vector<SessionSummary>& sessions, const std::string& why) {
    for (const SessionSummary& summary : sessions) {
      if (ids_.insert(summary.header.id).second) chosen_.push_back({summary, why});
    }
  }
  [[nodiscard]] bool has(const SessionId& id) const { return ids_.contains(id); }
  [[nodiscard]] const std::vector<Chosen>& all() const { return chosen_; }

 private:
  std::vector<Chosen> chosen_;
  std::set<SessionId> ids_;
};

constexpr std::size_t page_size = 1000;

Result<std::vector<SessionSummary>> all_of(Store& store, SummaryQuery query) {
  std::vector<SessionSummary> all;
  query.limit = page_size;
  for (bool has_more = true; has_more;) {
    LOGWOOD_TRY(SummaryPage page, store.summaries(query));
    has_more = page.has_more;
    if (has_more) {
      query.after = {page.sessions.back().last_active, page.sessions.back().header.id};
    }
    std::move(page.sessions.begin(), page.sessions.end(), std::back_inserter(all));
  }
  return all;
}

// Those inactive longest, until the rest is small enough.
Result<> choose_by_size(Store& store, std::uint64_t size_max, Choice& choice) {
  LOGWOOD_TRY(const std::vector<SessionSummary> all, all_of(store, {}));
  std::uint64_t left = 0;
  for (const SessionSummary& summary : all) {
    if (!choice.has(summary.header.id)) left += summary.size_bytes;
  }
  for (auto oldest = all.rbegin(); oldest != all.rend() && left > size_max; ++oldest) {
    if (choice.has(oldest->header.id)) continue;
    left -= oldest->size_bytes;
    choice.add({*oldest}, "over the size");
  }
  return {};
}

Result<Choice> choose(const Command& command, Store& store) {
  const auto older = command.arguments().value("--older-than");
  const auto size = command.arguments().value("--max-size");
  const bool expired = command.arguments().has("--expired");
  if (!older && !size && !expired) {
    return Error{ErrorCode::invalid_argument,
                 "say what to clean: --older-than 90d, --expired or --max-size 2GB"};
  }
  Choice choice;
  const auto now = command.around().now();
  if (expired) {
    SummaryQuery query;
    LOGWOOD_TRY(query.expired_at, time_named("0h", now));
    LOGWOOD_TRY(const auto found, all_of(store, query));
    choice.add(found, "expired");
  }
  if (older) {
    SummaryQuery query;
    LOGWOOD_TRY(query.inactive_since, time_named(*older, now));
    LOGWOOD_TRY(const auto found, all_of(store, query));
    choice.add(found, "not used since " + query.inactive_since.substr(0, 10));
  }
  if (size) {
    LOGWOOD_TRY(const std::uint64_t size_max, size_named(*size));
    LOGWOOD_CHECK(choose_by_size(store, size_max, choice));
  }
  return choice;
}

}  // namespace

Result<> run_clean(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const Choice choice, choose(command, store));
  const bool does_it = command.arguments().has("--yes");
  std::uint64_t bytes = 0;
  for (const Chosen& one : choice.all()) {
    if (does_it) LOGWOOD_CHECK(store.remove(one.summary.header.id));
    bytes += one.summary.size_bytes;
    if (command.as_json()) {
      command.print(JsonLine()
                        .add("sessionId", one.summary.header.id.text)
                        .add("why", one.why)
                        .add("sizeBytes", one.summary.size_bytes)
                        .add("removed", does_it)
                        .text());
    } else {
      command.print(fmt::format("{}  {}  {:>8}  {}\n", id_cell(one.summary.header.id.text),
                                padded(one.why, 26), short_size(one.summary.size_bytes),
                                fitted(printable(one.summary.title), 30)));
    }
  }
  if (command.as_json()) return store.close();
  const std::string sessions = counted(choice.all().size(), "session", "sessions");
  if (choice.all().empty()) {
    command.print("nothing to clean\n");
  } else if (does_it) {
    command.print(fmt::format("{}, {}: to the trash; logwood rm --undo SESSION brings one back\n",
                              sessions, short_size(bytes)));
  } else {
    command.print(fmt::format("{}, {}: nothing was done; add --yes to move them to the trash\n",
                              sessions, short_size(bytes)));
  }
  return store.close();
}

}  // namespace logwood::cli
