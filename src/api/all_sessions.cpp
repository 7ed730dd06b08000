#include "api/all_sessions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "api/names.hpp"
#include "base/json_text.hpp"

namespace logwood::api {
namespace {

std::size_t sum(std::size_t a, std::size_t b) {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max()
                                                         : a + b;
}

// The later one first; a session that is in both is shown as it is where it was last active.
bool comes_before(const SessionSummary& a, const SessionSummary& b) {
  return std::tie(a.last_active, a.header.id) > std::tie(b.last_active, b.header.id);
}

void append(std::vector<UnreadableSession>& to, std::vector<UnreadableSession>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Cuts a part out of a list that begins earlier.
template <class One>
void cut(std::vector<One>& list, std::size_t skip, std::size_t limit, bool& has_more) {
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(skip, list.size())));
  if (list.size() <= limit) return;
  list.resize(limit);
  has_more = true;
}

void add(std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& more) {
  if (more) to = to.value_or(0) + *more;
}

void add(Usage& to, const Usage& more) {
  add(to.input, more.input);
  add(to.output, more.output);
  add(to.cache_read, more.cache_read);
  add(to.cache_creation, more.cache_creation);
}

void add(std::vector<UsageOf>& to, const std::vector<UsageOf>& more) {
  for (const UsageOf& one : more) {
    const auto known = std::find_if(to.begin(), to.end(),
                                    [&](const UsageOf& other) { return other.name == one.name; });
    if (known == to.end()) {
      to.push_back(one);
      continue;
    }
    known->sessions += one.sessions;
    known->user_messages += one.user_messages;
    known->messages += one.messages;
    add(known->tokens, one.tokens);
  }
}

void most_used_first(std::vector<UsageOf>& list) {
  std::sort(list.begin(), list.end(), [](const UsageOf& a, const UsageOf& b) {
    return std::tie(b.messages, a.name) < std::tie(a.messages, b.name);
  });
}

}  // namespace

std::string agent_name_of(std::string_view id) {
  constexpr std::size_t shown = 8;
  const auto parts = agent_session_id(id);
  if (!parts) return "";
  std::string_view rest = parts->id;
  // Of a sub-agent that is what it is called; it belongs to another session.
  if (const std::size_t agent = rest.find("-agent-"); agent != std::string_view::npos)
    return fmt::format("{}:{}", parts->agent, rest.substr(agent + 1));
  return fmt::format("{}:{}", parts->agent,
                     rest.size() > shown ? rest.substr(rest.size() - shown) : rest);
}

std::string agent_name_of(const SessionHeader& header) { return agent_name_of(header.id.text); }

// What is in both is told by one of them, which each knows when it knows the catalog of the other:
// that of the own store is brought up to date first, that of the agents before the own one is
// asked.
Result<> AllSessions::for_each_store(CatalogPart part, const Progress& progress,
                                     const std::function<Result<>(Store&)>& ask) {
  if (own_ && of_agents_) {
    LOGWOOD_CHECK(own_->refresh_catalog(part, progress));
    LOGWOOD_CHECK(of_agents_->show_beside(*own_, true));
  }
  if (of_agents_) LOGWOOD_CHECK(ask(*of_agents_));
  if (own_ && of_agents_) LOGWOOD_CHECK(own_->show_beside(*of_agents_, false));
  return own_ ? ask(*own_) : Result<>();
}

Result<SummaryPage> AllSessions::summaries(const SummaryQuery& query, const Progress& progress) {
  SummaryQuery wider = query;
  wider.skip = 0;
  wider.limit = sum(query.limit, query.skip);
  SummaryPage all;
  LOGWOOD_CHECK(for_each_store(CatalogPart::summaries, progress, [&](Store& store) -> Result<> {
    LOGWOOD_TRY(SummaryPage page, store.summaries(wider, progress));
    all.sessions.insert(all.sessions.end(), std::make_move_iterator(page.sessions.begin()),
                        std::make_move_iterator(page.sessions.end()));
    append(all.unreadable, std::move(page.unreadable));
    all.count += page.count;
    all.has_more = all.has_more || page.has_more;
    return {};
  }));
  std::sort(all.sessions.begin(), all.sessions.end(), comes_before);
  std::vector<SessionId> seen;
  std::erase_if(all.sessions, [&](const SessionSummary& one) {
    if (std::find(seen.begin(), seen.end(), one.header.id) != seen.end()) {
      if (all.count > 0) --all.count;
      return true;
    }
    seen.push_back(one.header.id);
    return false;
  });
  cut(all.sessions, query.skip, query.limit, all.has_more);
  return all;
}

Result<SearchPage> AllSessions::search(const SearchOptions& options, const Progress& progress) {
  SearchOptions wider = options;
  wider.skip = 0;
  wider.limit = sum(options.limit, options.skip);
  SearchPage all;
  LOGWOOD_CHECK(for_each_store(CatalogPart::text, progress, [&](Store& store) -> Result<> {
    LOGWOOD_TRY(SearchPage page, store.search(wider, progress));
    all.hits.insert(all.hits.end(), std::make_move_iterator(page.hits.begin()),
                    std::make_move_iterator(page.hits.end()));
    append(all.unreadable, std::move(page.unreadable));
    all.count += page.count;
    all.sessions += page.sessions;
    all.has_more = all.has_more || page.has_more;
    return {};
  }));
  std::sort(all.hits.begin(), all.hits.end(), [](const SearchHit& a, const SearchHit& b) {
    return std::tie(b.timestamp, a.session_id, a.entry_id) <
           std::tie(a.timestamp, b.session_id, b.entry_id);
  });
  // Of a store whose catalog is no file.
  const auto is_same = [](const SearchHit& a, const SearchHit& b) {
    return a.session_id == b.session_id && a.entry_id == b.entry_id;
  };
  const auto repeated = std::unique(all.hits.begin(), all.hits.end(), is_same);
  all.count -= static_cast<std::uint64_t>(all.hits.end() - repeated);
  all.hits.erase(repeated, all.hits.end());
  cut(all.hits, options.skip, options.limit, all.has_more);
  return all;
}

Result<StoreTotals> AllSessions::totals(const Progress& progress) {
  StoreTotals all;
  LOGWOOD_CHECK(for_each_store(CatalogPart::summaries, progress, [&](Store& store) -> Result<> {
    LOGWOOD_TRY(const StoreTotals one, store.totals(progress));
    all.sessions += one.sessions;
    all.user_messages += one.user_messages;
    all.messages += one.messages;
    all.tool_calls += one.tool_calls;
    all.size_bytes += one.size_bytes;
    add(all.tokens, one.tokens);
    add(all.by_day, one.by_day);
    add(all.by_model, one.by_model);
    add(all.by_tool, one.by_tool);
    return {};
  }));
  std::sort(all.by_day.begin(), all.by_day.end(),
            [](const UsageOf& a, const UsageOf& b) { return a.name < b.name; });
  most_used_first(all.by_model);
  most_used_first(all.by_tool);
  return all;
}

Result<std::optional<SessionId>> AllSessions::newest(Store& store, std::string& last_active) {
  SummaryQuery query;
  query.limit = 1;
  LOGWOOD_TRY(const SummaryPage page, store.summaries(query));
  if (page.sessions.empty() || page.sessions.front().last_active <= last_active)
    return std::optional<SessionId>();
  last_active = page.sessions.front().last_active;
  return std::optional(page.sessions.front().header.id);
}

Result<FoundSession> AllSessions::take(std::string_view name) && {
  if (name == "@last") {
    std::string last_active;
    std::optional<SessionId> own;
    std::optional<SessionId> of_agent;
    if (own_) {
      LOGWOOD_TRY(own, newest(*own_, last_active));
    }
    if (of_agents_) {
      LOGWOOD_TRY(of_agent, newest(*of_agents_, last_active));
    }
    if (of_agent) return FoundSession{*std::move(of_agents_), *of_agent};
    if (own) return FoundSession{*std::move(own_), *own};
    return Error{ErrorCode::not_found, "there is no session yet; logwood new makes one"};
  }
  const auto of_agent = agent_session_id(name, ':');
  Error missing{ErrorCode::not_found,
                fmt::format("there is no session {}; logwood ls -a lists them", json_quoted(name))};
  for (std::optional<Store>* const store : {&own_, &of_agents_}) {
    if (!*store) continue;
    auto found = of_agent ? agent_session_named(**store, of_agent->agent, of_agent->id)
                          : session_named(**store, name);
    if (!found && found.error().code == ErrorCode::not_found && !of_agent && store == &of_agents_)
      found = agent_session_named(**store, "", name);
    if (found) return FoundSession{*std::move(*store), *std::move(found)};
    if (found.error().code != ErrorCode::not_found) return std::move(found).error();
  }
  return missing;
}

}  // namespace logwood::api
