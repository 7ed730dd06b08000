#include "storage/postgres/catalog_tables.hpp"

#include <algorithm>

#include "catalog/so_far_text.hpp"
#include "storage/postgres/catalog_refresh.hpp"
#include "storage/postgres/catalog_statements.hpp"

namespace logwood::storage::postgres {
namespace {

// Far more than there can be, and far from where sums overflow.
constexpr std::uint64_t count_max = std::uint64_t{1} << 40U;

// Behind every timestamp and every id.
constexpr std::string_view behind_all = "~";

std::optional<std::string_view> if_asked(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional<std::string_view>(value);
}

// Statements of a list, by what narrows it most.
struct Listing {
  const PgStatement* page;
  const PgStatement* count;
};

Listing listing_of(const SummaryQuery& query) {
  if (!query.key.empty() && !query.cwd.empty()) {
    return {&sql::summaries_of_both, &sql::count_of_both};
  }
  if (!query.key.empty()) return {&sql::summaries_of_key, &sql::count_of_key};
  if (!query.cwd.empty()) return {&sql::summaries_of_cwd, &sql::count_of_cwd};
  return {&sql::summaries, &sql::count_summaries};
}

enum class Begin : unsigned char { at_first, after };

void add_conditions(PgValues& values, const SummaryQuery& query, Begin begin) {
  const bool is_after = begin == Begin::after && query.after;
  values.text(is_after ? std::string_view(query.after->last_active) : behind_all)
      .text(is_after ? std::string_view(query.after->id.text) : behind_all)
      .text_or_null(if_asked(query.agent))
      .text_or_null(if_asked(query.channel))
      .text_or_null(if_asked(query.peer_kind))
      .text_or_null(if_asked(query.tag))
      .text(query.since)
      .text(if_asked(query.inactive_since).value_or(behind_all))
      .text(query.expired_at);
  if (!query.key.empty()) values.bytes(query.key);
  if (!query.cwd.empty()) values.bytes(query.cwd);
}

UsageOf usage_in(const PgRows& rows, int row) {
  return {rows.text(row, 0),
          rows.number(row, 1),
          rows.number(row, 2),
          rows.number(row, 3),
          {rows.optional_number(row, 4), rows.optional_number(row, 5), rows.optional_number(row, 6),
           rows.optional_number(row, 7)}};
}

}  // namespace

Result<> CatalogTables::refresh(CatalogPart part, const Progress& progress) {
  LOGWOOD_CHECK(CatalogRefresh(sessions_, database_, progress).run(part));
  return {};
}

Result<SummaryPage> CatalogTables::summaries(const SummaryQuery& query, const Progress& progress) {
  SummaryPage page;
  LOGWOOD_TRY(page.unreadable,
              CatalogRefresh(sessions_, database_, progress).run_if_behind(CatalogPart::summaries));
  const Listing listing = listing_of(query);
  const std::uint64_t limit = std::min<std::uint64_t>(query.limit, count_max);
  PgValues values = database_.values();
  add_conditions(values, query, Begin::after);
  values.int8(limit + 1).int8(std::min<std::uint64_t>(query.skip, count_max));
  LOGWOOD_TRY(Lease connection, database_.lease());
  LOGWOOD_CHECK(connection->stream(
      *listing.page, values, database_.patience(), [&](const PgRows& row) -> Result<bool> {
        page.has_more = page.sessions.size() == limit;
        if (page.has_more) return false;
        LOGWOOD_TRY(auto so_far, catalog::parse_so_far(row.view(0, 2)));
        SessionSummary& summary = so_far.summary;
        summary.header.id.text = row.text(0, 0);
        summary.size_bytes = row.number(0, 1);
        page.sessions.push_back(std::move(summary));
        return true;
      }));
  if (!query.counted) return page;
  PgValues counted = database_.values();
  add_conditions(counted, query, Begin::at_first);
  LOGWOOD_TRY(const PgRows count, connection->run(*listing.count, counted, database_.deadline()));
  page.count = count.number(0, 0);
  return page;
}

Result<StoreTotals> CatalogTables::totals(const Progress& progress) {
  LOGWOOD_CHECK(
      CatalogRefresh(sessions_, database_, progress).run_if_behind(CatalogPart::summaries));
  StoreTotals totals;
  LOGWOOD_TRY(const PgRows sessions, database_.read(sql::total_sessions, database_.values()));
  totals.sessions = sessions.number(0, 0);
  totals.size_bytes = sessions.number(0, 1);
  LOGWOOD_TRY(const PgRows all, database_.read(sql::totals, database_.values()));
  const UsageOf sum = usage_in(all, 0);
  totals.user_messages = sum.user_messages;
  totals.messages = sum.messages;
  totals.tokens = sum.tokens;
  const auto read = [&](const PgStatement& statement, std::vector<UsageOf>& into) -> Result<> {
    LOGWOOD_TRY(const PgRows rows, database_.read(statement, database_.values()));
    for (int row = 0; row < rows.count(); ++row) into.push_back(usage_in(rows, row));
    return {};
  };
  LOGWOOD_CHECK(read(sql::totals_by_day, totals.by_day));
  LOGWOOD_CHECK(read(sql::totals_by_model, totals.by_model));
  LOGWOOD_CHECK(read(sql::totals_by_tool, totals.by_tool));
  for (const UsageOf& tool : totals.by_tool) totals.tool_calls += tool.messages;
  return totals;
}

}  // namespace logwood::storage::postgres
