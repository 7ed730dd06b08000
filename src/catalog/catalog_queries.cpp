// What is asked of the catalog.
#include <algorithm>
#include <unordered_set>

#include "catalog/catalog.hpp"
#include "catalog/schema.hpp"
#include "catalog/snippets.hpp"
#include "model/header.hpp"

namespace logwood::catalog {
namespace {

// A condition for each thing that was asked for, and what is bound to it.
class Conditions {
 public:
  void add(std::string_view condition, std::string_view value) {
    if (value.empty()) return;
    begin(condition);
    values_.push_back(value);
  }
  void add(const SummaryPosition& after) {
    begin("(s.last_active, s.id) < (?, ?)");
    values_.push_back(after.last_active);
    values_.push_back(after.id.text);
  }
  void add(std::string_view condition) {
    if (!condition.empty()) begin(condition);
  }
  // Nothing is there of which all of the others hold.
  void add_none_of(std::string_view from, const Conditions& others) {
    begin("NOT EXISTS (SELECT 1 FROM ");
    text_.append(from).append(others.text_).append(")");
    values_.insert(values_.end(), others.values_.begin(), others.values_.end());
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  void bind(SqlStatement& statement) const {
    for (const std::string_view value : values_) statement.bind(value);
  }

 private:
  void begin(std::string_view condition) {
    text_ += text_.empty() ? " WHERE " : " AND ";
    text_ += condition;
  }

  std::string text_;
  std::vector<std::string_view> values_;
};

// Of a session `s`; of one that the other catalog has, both names differ.
void add_conditions(Conditions& conditions, const SummaryQuery& query, const std::string& s = "s.",
                    const std::string& database = "main.") {
  conditions.add(s + "cwd = ?", query.cwd);
  conditions.add(s + "key <> '' AND " + s + "key = ?", query.key);
  conditions.add(s + "agent = ?", query.agent);
  conditions.add(s + "channel = ?", query.channel);
  conditions.add(s + "peer_kind = ?", query.peer_kind);
  conditions.add(s + "row IN (SELECT session FROM " + database + "tags WHERE tag = ?)", query.tag);
  conditions.add(s + "last_active >= ?", query.since);
  conditions.add(s + "expires_at <> '' AND " + s + "expires_at <= ?", query.expired_at);
  conditions.add(s + "last_active < ?", query.inactive_since);
}

SessionSummary summary_in(const SqlStatement& row) {
  SessionSummary summary;
  int at = 1;
  summary.header.id.text = row.string(at++);
  if (auto header = parse_header(row.text(at++))) summary.header = *std::move(header);
  summary.cwd = row.string(at++);
  summary.title = row.string(at++);
  summary.expires_at = row.string(at++);
  summary.last_active = row.string(at++);
  summary.entries = row.number(at++);
  summary.user_messages = row.number(at++);
  summary.turns = row.number(at++);
  summary.usage.messages = row.number(at++);
  summary.usage.messages_uncounted = row.number(at++);
  summary.usage.tokens.input = row.optional_number(at++);
  summary.usage.tokens.output = row.optional_number(at++);
  summary.usage.tokens.cache_read = row.optional_number(at++);
  summary.usage.tokens.cache_creation = row.optional_number(at++);
  summary.usage.tool_calls = row.number(at++);
  summary.usage.runs = row.number(at++);
  if (const auto duration = row.optional_number(at++)) {
    summary.usage.duration = std::chrono::milliseconds(*duration);
  }
  summary.branches = row.number(at++);
  summary.size_bytes = row.number(at++);
  summary.state = static_cast<SessionState>(row.integer(at++));
  summary.is_brief = row.integer(at++) != 0;
  return summary;
}

// A hit before anything is read of it.
struct Place {
  std::string time;
  std::int64_t row = 0;
  bool operator<(const Place& other) const {
    return std::tie(other.time, other.row) < std::tie(time, row);  // the newest first
  }
};

// Far more than there can be, and far from where sums overflow.
constexpr std::size_t count_max = std::size_t{1} << 40U;

}  // namespace

// The other catalog, while something is asked. Without one, nothing is left out.
class Catalog::Beside {
 public:
  explicit Beside(Catalog& catalog) : database_(catalog.database_) {
    if (catalog.beside_.empty() || !database_.attach_beside(catalog.beside_)) return;
    is_attached_ = true;
    // Of another version, or emptied at the moment: then it says nothing.
    auto asked = database_.prepare("PRAGMA beside.user_version");
    if (!asked || !asked->step() || asked->integer(0) != schema_version) return;
    comes_first_ = catalog.beside_comes_first_;
    later_ = comes_first_ ? "o.last_active >= s.last_active" : "o.last_active > s.last_active";
  }
  ~Beside() {
    if (is_attached_) (void)database_.detach_beside();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // A session `s` is told by the other catalog, if it fits what was asked there, too.
  void leave_out(Conditions& conditions, const SummaryQuery& query) const {
    if (later_.empty()) return;
    Conditions other;
    other.add("o.id = s.id");
    other.add(later_);
    add_conditions(other, query, "o.", "beside.");
    conditions.add_none_of("beside.sessions o", other);
  }

  // Of `texts`, entries that the other catalog has, where that comes first.
  void leave_out_texts(Conditions& conditions) const {
    if (later_.empty() || !comes_first_) return;
    Conditions other;
    other.add("o.id = (SELECT id FROM main.sessions WHERE row = texts.session)");
    other.add("t.session = o.row");
    other.add("t.entry = texts.entry");
    conditions.add_none_of("beside.sessions o, beside.texts t", other);
  }

  // For the row of a session that is not left out.
  [[nodiscard]] std::string shown(std::string_view row) const {
    if (later_.empty()) return "";
    return " AND " + std::string(row) +
           " NOT IN (SELECT s.row FROM beside.sessions o JOIN main.sessions s ON s.id = o.id "
           "WHERE " +
           later_ + ")";
  }

 private:
  SqlDatabase& database_;
  bool is_attached_ = false;
  bool comes_first_ = false;
  std::string later_;  // empty: it says nothing
};

void Catalog::set_beside(std::string path, bool comes_first) {
  beside_ = std::move(path);
  beside_comes_first_ = comes_first;
}

// What is wrong with the other catalog is for its own keeper to see to.
template <class Ask>
auto Catalog::ask_beside(const Ask& ask) -> decltype(ask()) {
  auto given = ask();
  if (given || beside_.empty()) return given;
  beside_.clear();
  return ask();
}

Result<SummaryPage> Catalog::summaries(const SummaryQuery& query) {
  return ask_beside([&] { return ask_summaries(query); });
}

Result<SearchPage> Catalog::search(const SearchQuery& query, const SearchOptions& options) {
  return ask_beside([&] { return ask_search(query, options); });
}

Result<StoreTotals> Catalog::totals() {
  return ask_beside([&] { return ask_totals(); });
}

Result<SummaryPage> Catalog::ask_summaries(const SummaryQuery& query) {
  const Beside beside(*this);
  Conditions conditions;
  add_conditions(conditions, query);
  beside.leave_out(conditions, query);
  Conditions behind = conditions;
  if (query.after) behind.add(*query.after);
  SummaryPage page;
  std::vector<std::int64_t> rows;
  LOGWOOD_TRY(
      SqlStatement row,
      database_.prepare(
          "SELECT row, id, header, cwd, title, expires_at, last_active, entries, user_messages, "
          "turns, messages, messages_uncounted, input, output, cache_read, cache_creation, "
          "tool_calls, runs, duration_ms, branches, size, state, is_brief FROM main.sessions s" +
          behind.text() + " ORDER BY last_active DESC, id DESC LIMIT ? OFFSET ?"));
  behind.bind(row);
  const std::size_t limit = std::min(query.limit, count_max);
  row.bind(std::uint64_t{limit} + 1).bind(std::uint64_t{std::min(query.skip, count_max)});
  while (true) {
    LOGWOOD_TRY(const bool has_row, row.step());
    if (!has_row) break;
    if (page.sessions.size() == limit) {
      page.has_more = true;
      break;
    }
    page.sessions.push_back(summary_in(row));
    rows.push_back(row.integer(0));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LOGWOOD_CHECK(read_tags_and_tools(rows[i], page.sessions[i]));
  }
  if (!query.counted) return page;
  LOGWOOD_TRY(SqlStatement count,
              database_.prepare("SELECT count(*) FROM main.sessions s" + conditions.text()));
  conditions.bind(count);
  LOGWOOD_CHECK(count.step());
  page.count = count.number(0);
  return page;
}

Result<SearchPage> Catalog::ask_search(const SearchQuery& query, const SearchOptions& options) {
  LOGWOOD_TRY(const std::string match, match_of(query));
  const Beside beside(*this);
  Conditions conditions;
  conditions.add("words MATCH ?", match);
  conditions.add("texts.type = ?", query.type);
  conditions.add("texts.role = ?", query.role);
  conditions.add("texts.tool = ?", query.tool);
  conditions.add("texts.time >= ?", query.since);
  conditions.add("texts.session IN (SELECT row FROM sessions WHERE key <> '' AND key = ?)",
                 query.key);
  conditions.add("texts.session IN (SELECT row FROM sessions WHERE cwd = ?)", options.cwd);
  if (conditions.text().empty()) {
    return Error{ErrorCode::invalid_argument, "say what to search for"};
  }
  beside.leave_out_texts(conditions);
  // One pass that counts all hits and keeps the newest.
  const std::string from = match.empty()
                               ? " FROM main.texts"
                               : " FROM main.words JOIN main.texts ON texts.row = words.rowid";
  LOGWOOD_TRY(SqlStatement all, database_.prepare("SELECT texts.row, texts.session, texts.time" +
                                                  from + conditions.text()));
  conditions.bind(all);
  SearchPage page;
  std::unordered_set<std::int64_t> sessions;
  std::vector<Place> newest;
  const std::size_t skip = std::min(options.skip, count_max);
  const std::size_t wanted = skip + std::min(options.limit, count_max);
  while (true) {
    LOGWOOD_TRY(const bool has_row, all.step());
    if (!has_row) break;
    ++page.count;
    sessions.insert(all.integer(1));
    Place place{all.string(2), all.integer(0)};
    if (newest.size() == wanted && (wanted == 0 || !(place < newest.front()))) continue;
    newest.push_back(std::move(place));
    std::push_heap(newest.begin(), newest.end());
    if (newest.size() > wanted) {
      std::pop_heap(newest.begin(), newest.end());
      newest.pop_back();
    }
  }
  page.sessions = sessions.size();
  page.has_more = page.count > wanted;
  std::sort_heap(newest.begin(), newest.end());

  LOGWOOD_TRY(
      SqlStatement * fact,
      statement("SELECT s.id, s.title, t.entry, t.type, t.role, t.tool, t.time, s.cwd, s.header "
                "FROM texts t "
                "JOIN sessions s ON s.row = t.session WHERE t.row = ?"));
  LOGWOOD_TRY(SqlStatement snippet,
              database_.prepare(match.empty() ? "SELECT body FROM bodies WHERE row = ?"
                                              : "SELECT " LOGWOOD_SNIPPET " FROM "
                                                "words WHERE rowid = ? AND words MATCH ?"));
  for (std::size_t i = skip; i < newest.size(); ++i) {
    LOGWOOD_TRY(const bool has_fact, fact->bind(newest[i].row).step());
    if (!has_fact) continue;
    SearchHit hit;
    hit.session_id.text = fact->string(0);
    hit.title = fact->string(1);
    hit.entry_id.text = fact->string(2);
    hit.type = fact->string(3);
    hit.role = fact->string(4);
    hit.tool = fact->string(5);
    hit.timestamp = fact->string(6);
    hit.cwd = fact->string(7);
    if (auto header = parse_header(fact->string(8))) hit.origin = std::move(header->origin);
    fact->reset();
    snippet.bind(newest[i].row);
    if (!match.empty()) snippet.bind(match);
    LOGWOOD_TRY(const bool has_snippet, snippet.step());
    if (has_snippet) {
      if (match.empty()) {
        show_beginning(snippet.text(0), hit);
      } else {
        cut_snippet(snippet.text(0), hit);
      }
    }
    snippet.reset();
    page.hits.push_back(std::move(hit));
  }
  return page;
}

Result<StoreTotals> Catalog::ask_totals() {
  StoreTotals totals;
  const Beside beside(*this);
  {
    LOGWOOD_TRY(SqlStatement sessions,
                database_.prepare("SELECT count(*), coalesce(sum(size), 0) FROM main.sessions r "
                                  "WHERE true" +
                                  beside.shown("r.row")));
    LOGWOOD_CHECK(sessions.step());
    totals.sessions = sessions.number(0);
    totals.size_bytes = sessions.number(1);
  }

  // What a fork copied counts where it comes from. Where that session is gone, it counts in one of
  // those that copied it.
  const std::string counted =
      "WITH counted AS (SELECT session, day, model, tool, user_messages, messages, input, output, "
      "cache_read, cache_creation FROM activity WHERE entry = ''" +
      beside.shown("session") +
      " UNION ALL "
      "SELECT min(a.session), a.day, a.model, a.tool, max(a.user_messages), max(a.messages), "
      "max(a.input), max(a.output), max(a.cache_read), max(a.cache_creation) FROM activity a "
      "JOIN sessions s ON s.row = a.session WHERE a.entry <> '' AND NOT EXISTS "
      "(SELECT 1 FROM sessions o WHERE o.id = s.source)" +
      beside.shown("a.session") + " GROUP BY a.entry, a.day, a.model, a.tool) ";
  const std::string sums =
      "count(DISTINCT session), coalesce(sum(user_messages), 0), coalesce(sum(messages), 0), "
      "sum(input), sum(output), sum(cache_read), sum(cache_creation) FROM counted ";
  const auto read = [&](const std::string& rest, std::vector<UsageOf>& into) -> Result<> {
    LOGWOOD_TRY(SqlStatement row, database_.prepare(counted + "SELECT " + rest));
    while (true) {
      LOGWOOD_TRY(const bool has_row, row.step());
      if (!has_row) return {};
      into.push_back({row.string(0),
                      row.number(1),
                      row.number(2),
                      row.number(3),
                      {row.optional_number(4), row.optional_number(5), row.optional_number(6),
                       row.optional_number(7)}});
    }
  };
  std::vector<UsageOf> all;
  LOGWOOD_CHECK(read("'', " + sums + "WHERE tool = ''", all));
  totals.user_messages = all.front().user_messages;
  totals.messages = all.front().messages;
  totals.tokens = all.front().tokens;
  LOGWOOD_CHECK(read("day, " + sums + "WHERE tool = '' GROUP BY day ORDER BY day", totals.by_day));
  LOGWOOD_CHECK(read("model, " + sums +
                         "WHERE tool = '' AND messages > 0 GROUP BY model ORDER BY sum(messages) "
                         "DESC, model",
                     totals.by_model));
  LOGWOOD_CHECK(
      read("tool, " + sums + "WHERE tool <> '' GROUP BY tool ORDER BY sum(messages) DESC, tool",
           totals.by_tool));
  for (const UsageOf& tool : totals.by_tool) totals.tool_calls += tool.messages;
  return totals;
}

}  // namespace logwood::catalog
