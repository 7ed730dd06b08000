// ls, search and stats: what is in the store as a whole; and set, which changes what lists show.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/counted.hpp"
#include "base/shell_word.hpp"
#include "base/timestamp.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/session_row.hpp"
#include "cli/terminal_text.hpp"
#include "cli/time_ago.hpp"
#include "cli/usage_chart.hpp"
#include "cli/verbs/verbs.hpp"
#include "exchange/format.hpp"
#include "model/search_query.hpp"

namespace logwood::cli {
namespace {

constexpr std::string_view next_at_first =
    "next:  logwood new    logwood import FILE    logwood --help\n";
constexpr std::size_t folder_columns_min = 12;
constexpr std::size_t who_columns = 9;
constexpr std::size_t snippet_columns_min = 30;
constexpr std::size_t shown_at_first = 10;
constexpr std::size_t counted_by_agent_max = 200;
// Whoever lists again and again does not wait for a look at all sessions each time.
constexpr std::chrono::seconds look_age_max{10};
// Of ls: those that say what a session has to be like.
constexpr std::string_view choosing_options[] = {"--key",       "--agent", "--channel",
                                                 "--peer-kind", "--tag",   "--since"};

Result<std::string> time_of(const Command& command, std::string_view option) {
  const auto given = command.arguments().value(option);
  if (!given) return std::string();
  return time_named(*given, command.around().now());
}

void tell_unreadable(const Command& command, const std::vector<UnreadableSession>& unreadable) {
  for (const UnreadableSession& one : unreadable) {
    command.around().err(
        fmt::format("logwood: {}: {}\n", printable(one.id.text), printable(one.error.message)));
  }
}

// `: 4 claude, 1 codex`, where that is known of all of them.
std::string by_agent(const SummaryPage& page) {
  if (page.has_more) return "";
  std::map<std::string, std::size_t> counts;
  for (const SessionSummary& summary : page.sessions) {
    const auto& origin = summary.header.origin;
    if (origin && exchange::format_named(origin->agent) != nullptr) ++counts[origin->agent];
  }
  std::string text;
  for (const auto& [agent, count] : counts) {
    text += fmt::format("{} {} {}", text.empty() ? ":" : ",", count, agent);
  }
  return text;
}

std::size_t columns_of_names(const std::vector<SessionSummary>& sessions) {
  return name_columns(sessions, [](const SessionSummary& one) { return one.header.id.text; });
}

// What goes on with the session of a hit: in its own agent, where that has it.
std::string resume_command(const SearchHit& hit) {
  if (!hit.origin) return "";
  const exchange::Format* const agent = exchange::format_named(hit.origin->agent);
  if (agent == nullptr || agent->resume_words == nullptr) return "";
  const std::string command = shell_command(agent->resume_words(hit.origin->session_id));
  return hit.cwd.empty() ? command : fmt::format("cd {} && {}", shell_word(hit.cwd), command);
}

std::string hit_json(const SearchHit& hit) {
  JsonLine line;
  line.add("sessionId", hit.session_id.text)
      .add("entryId", hit.entry_id.text)
      .add("title", hit.title)
      .add("type", hit.type)
      .add("role", hit.role)
      .add("tool", hit.tool)
      .add("timestamp", hit.timestamp)
      .add("before", hit.before)
      .add("found", hit.found)
      .add("after", hit.after);
  if (const std::string command = resume_command(hit); !command.empty())
    line.add("resume", command);
  return line.text();
}

// The piece of text around a hit, the hit in brackets or bold, in so many columns.
std::string snippet_of(const SearchHit& hit, const Command& command, std::size_t columns) {
  const std::string found = printable(hit.found);
  const std::string marked =
      command.has_colour() ? found : (found.empty() ? "" : "[" + found + "]");
  const std::size_t for_found = std::min(width_of(marked), columns);
  const std::size_t rest = columns - for_found;
  std::string before = printable(hit.before);
  std::string after = printable(hit.after);
  // The hit is what was looked for, so it keeps its place, and both sides share what is left.
  const std::size_t for_before = std::max(rest / 2, rest - std::min(rest, width_of(after)));
  before = fitted_at_end(before, for_before);
  after = padded(after, rest - width_of(before));
  return before + command.bold(fitted(marked, columns)) + after;
}

// `ci, flaky test` → `ci`, `flaky test`
std::vector<std::string> tags_in(std::string_view list) {
  std::vector<std::string> tags;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view tag = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    tag.remove_prefix(std::min(tag.find_first_not_of(" \t"), tag.size()));
    tag = tag.substr(0, tag.find_last_not_of(" \t") + 1);
    if (!tag.empty()) tags.emplace_back(tag);
  }
  return tags;
}

// TIME/ID, as --after has it.
Result<std::optional<SummaryPosition>> position_of(const Command& command) {
  const auto given = command.arguments().value("--after");
  if (!given) return std::optional<SummaryPosition>();
  const std::size_t slash = given->find('/');
  if (slash == std::string::npos || !is_timestamp(given->substr(0, slash))) {
    return Error{ErrorCode::invalid_argument,
                 "--after takes TIME/ID: what --json has as lastActive and id of a session"};
  }
  return std::optional(SummaryPosition{given->substr(0, slash), {given->substr(slash + 1)}});
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// What is said instead of an empty list, and what to try.
std::string_view why_none(const Command& command, const SummaryQuery& query) {
  if (query.skip > 0) return "no more sessions; a smaller --skip shows those before\n";
  if (query.after) return "no more sessions; without --after the list begins at its top\n";
  const bool is_chosen =
      std::any_of(std::begin(choosing_options), std::end(choosing_options),
                  [&](std::string_view option) { return command.arguments().has(option); });
  if (query.cwd.empty()) {
    return is_chosen ? "no session is like that; logwood ls -a lists all\n"
                     : "no sessions yet; logwood new makes one\n";
  }
  return is_chosen ? "no session of this folder is like that; with -a those of every folder count\n"
                   : "no sessions of this folder; logwood ls -a lists all\n";
}

}  // namespace

namespace {

// Those whose folder is not there any more, from however many pages.
Result<SummaryPage> moved_sessions(api::AllSessions& sessions, SummaryQuery query,
                                   const Progress& progress) {
  const std::size_t wanted = query.limit;
  query.limit = std::max<std::size_t>(wanted, 200);
  SummaryPage moved;
  std::map<std::string, bool> is_there;
  while (true) {
    LOGWOOD_TRY(SummaryPage page, sessions.summaries(query, progress));
    moved.unreadable = std::move(page.unreadable);
    for (SessionSummary& summary : page.sessions) {
      query.after = SummaryPosition{summary.last_active, summary.header.id};
      if (summary.cwd.empty()) continue;
      const auto [known, is_new] = is_there.try_emplace(summary.cwd, false);
      std::error_code failed;
      if (is_new) known->second = std::filesystem::is_directory(summary.cwd, failed);
      if (known->second) continue;
      if (moved.sessions.size() == wanted) {
        moved.has_more = true;
        return moved;
      }
      moved.sessions.push_back(std::move(summary));
    }
    query.skip = 0;
    if (!page.has_more) return moved;
  }
}

}  // namespace

Result<> run_ls(Command& command) {
  LOGWOOD_TRY(api::AllSessions sessions, command.all_sessions());
  SummaryQuery query;
  LOGWOOD_TRY(query.limit, command.number("--limit", command.settings().limit.value_or(50)));
  const auto word = [&](std::string_view option) {
    return command.arguments().value(option).value_or("");
  };
  query.max_age = look_age_max;
  query.key = word("--key");
  query.agent = word("--agent");
  query.channel = word("--channel");
  query.peer_kind = word("--peer-kind");
  query.tag = word("--tag");
  LOGWOOD_TRY(query.since, time_of(command, "--since"));
  const bool moved = command.arguments().has("--moved");
  if (!command.arguments().has("--all") && query.key.empty() && !moved)
    query.cwd = command.around().folder;
  LOGWOOD_TRY(query.skip, command.number("--skip", 0, 0));
  LOGWOOD_TRY(query.after, position_of(command));
  LOGWOOD_TRY(const SummaryPage page, moved ? moved_sessions(sessions, query, command.reading())
                                            : sessions.summaries(query, command.reading()));
  const std::size_t columns = columns_of_names(page.sessions);
  for (const SessionSummary& summary : page.sessions) {
    command.print(command.as_json() ? summary_json(summary)
                                    : session_row(summary, command, columns));
    if (moved && !command.as_json())
      command.print(command.dim(fmt::format("    was in {}\n", printable(summary.cwd))));
  }
  tell_unreadable(command, page.unreadable);
  if (command.as_json()) return {};
  if (page.has_more) {
    const SessionSummary& last = page.sessions.back();
    command.print(command.dim(
        query.after
            ? fmt::format("more with --after {}/{}\n", last.last_active, last.header.id.text)
            : fmt::format("more with --skip {}\n", query.skip + page.sessions.size())));
  }
  if (!page.sessions.empty()) return {};
  if (!sessions.has_store()) LOGWOOD_CHECK(command.open_store());
  command.around().err(why_none(command, query));
  return {};
}

Result<> run_overview(Command& command) {
  LOGWOOD_TRY(api::AllSessions sessions, command.all_sessions());
  SummaryQuery query;
  query.limit = counted_by_agent_max;
  query.max_age = look_age_max;
  query.cwd = command.around().folder;
  query.counted = true;
  LOGWOOD_TRY(SummaryPage here, sessions.summaries(query, command.reading()));
  const std::string agents = by_agent(here);
  if (here.sessions.size() > shown_at_first) {
    here.sessions.resize(shown_at_first);
    here.has_more = true;
  }
  query.cwd.clear();
  query.limit = shown_at_first;
  LOGWOOD_TRY(const SummaryPage all, sessions.summaries(query, command.reading()));
  const bool is_here = !here.sessions.empty();
  const SummaryPage& shown = is_here ? here : all;
  if (command.as_json()) {
    for (const SessionSummary& summary : shown.sessions) command.print(summary_json(summary));
    tell_unreadable(command, all.unreadable);
    return {};
  }
  if (all.sessions.empty() && !sessions.has_store()) {
    command.print("there is no store yet\n\n");
    command.print(next_at_first);
    return {};
  }
  const std::string in_all = fmt::format("   (logwood ls -a: {} in all)", all.count);
  std::string count = counted(here.count, "session", "sessions") + agents + in_all;
  if (!is_here) count = fmt::format("no sessions; the newest of all {}:", all.count);
  if (shown.sessions.empty()) count = "no sessions yet";
  const std::string back = "   " + count;
  const std::size_t for_folder = command.columns() -
                                 std::min(command.columns(), width_of(back) + folder_columns_min) +
                                 folder_columns_min;
  command.print(command.bold(fitted_at_end(printable(command.around().folder), for_folder)) +
                command.dim(back) + "\n");
  const std::size_t columns = columns_of_names(shown.sessions);
  for (const SessionSummary& summary : shown.sessions) {
    command.print("  " + session_row(summary, command, columns, 2));
  }
  if (shown.has_more) command.print("  …\n");
  tell_unreadable(command, all.unreadable);
  if (shown.sessions.empty()) {
    command.print(next_at_first);
  } else {
    const SessionHeader& first = shown.sessions.front().header;
    const bool is_of_codex = first.origin && first.origin->agent == "codex";
    command.print(fmt::format(
        "next:  logwood show {0}    logwood search WORDS    logwood continue {0} --in {1}\n",
        session_name(first.id.text), is_of_codex ? "claude" : "codex"));
  }
  return {};
}

Result<> run_search(Command& command) {
  LOGWOOD_TRY(api::AllSessions sessions, command.all_sessions());
  SearchOptions options;
  const auto words = command.arguments().operands.find("WORDS");
  if (words != command.arguments().operands.end()) options.query = joined(words->second);
  LOGWOOD_TRY(options.limit, command.number("--limit", 20));
  LOGWOOD_TRY(options.skip, command.number("--skip", 0, 0));
  if (command.arguments().has("--here")) options.cwd = command.around().folder;
  options.now = command.around().now();
  LOGWOOD_CHECK(parse_search_query(options.query, *options.now));  // before anything is read
  LOGWOOD_TRY(const SearchPage page, sessions.search(options, command.reading()));
  if (page.count == 0 && !sessions.has_store()) LOGWOOD_CHECK(command.open_store());
  tell_unreadable(command, page.unreadable);
  const std::size_t for_name =
      name_columns(page.hits, [](const SearchHit& hit) { return hit.session_id.text; });
  for (const SearchHit& hit : page.hits) {
    if (command.as_json()) {
      command.print(hit_json(hit));
      continue;
    }
    const std::string who = hit.tool.empty() ? (hit.role.empty() ? hit.type : hit.role) : hit.tool;
    const std::string front =
        fmt::format("{}  {}  {}  ", session_cell(hit.session_id.text, for_name),
                    id_cell(hit.entry_id.text), padded(printable(who), who_columns));
    const std::string ago = time_ago(hit.timestamp, command.around().now());
    const std::size_t taken = width_of(front) + width_of(ago) + 2;
    const std::size_t columns = std::max(command.columns(), taken + snippet_columns_min) - taken;
    command.print(front + snippet_of(hit, command, columns) + "  " + command.dim(ago) + "\n");
    const std::string resume = resume_command(hit);
    if (!resume.empty()) command.print(command.dim("    " + printable(resume)) + "\n");
  }
  if (command.as_json()) return {};
  command.print(command.dim(fmt::format("{}, {}{}\n", counted(page.sessions, "session", "sessions"),
                                        counted(page.count, "hit", "hits"),
                                        page.has_more ? "; more with --limit or --skip" : "")));
  return {};
}

Result<> run_stats(Command& command) {
  LOGWOOD_TRY(api::AllSessions sessions, command.all_sessions());
  LOGWOOD_TRY(const StoreTotals totals, sessions.totals(command.reading()));
  if (totals.sessions == 0 && !sessions.has_store()) LOGWOOD_CHECK(command.open_store());
  command.print(command.as_json() ? totals_json(totals) : totals_view(totals, command));
  return {};
}

Result<> run_set(Command& command) {
  const Verb& verb = *command.arguments().verb;
  if (std::none_of(verb.options.begin(), verb.options.end(),
                   [&](const Option& o) { return command.arguments().has(o.name()); })) {
    return Error{ErrorCode::invalid_argument,
                 "say what to set: --title TEXT, --tags TAGS, --cwd FOLDER or --expires TIME"};
  }
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  SessionInfo info;
  info.title = command.arguments().value("--title");
  if (const auto folder = command.arguments().value("--cwd")) info.cwd = command.folder(*folder);
  if (const auto tags = command.arguments().value("--tags")) info.tags = tags_in(*tags);
  if (const auto expires = command.arguments().value("--expires")) {
    if (*expires == "never") {
      info.expires_at = "";
    } else {
      LOGWOOD_TRY(info.expires_at, time_named(*expires, command.around().now(), Direction::after));
    }
  }
  LOGWOOD_TRY(const AppendResult appended, store.set_info(session, info));
  command.print(command.as_json() ? JsonLine()
                                        .add("sessionId", session.text)
                                        .add("entryId", appended.last_appended_entry_id.text)
                                        .text()
                                  : "");
  return store.close();
}

}  // namespace logwood::cli
