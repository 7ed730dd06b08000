// Search in the catalog of a store in PostgreSQL.
#include <algorithm>

#include "catalog/snippet_window.hpp"
#include "catalog/snippets.hpp"
#include "catalog/so_far_text.hpp"
#include "catalog/words.hpp"
#include "model/search_query.hpp"
#include "storage/postgres/catalog_refresh.hpp"
#include "storage/postgres/catalog_statements.hpp"
#include "storage/postgres/catalog_tables.hpp"

namespace logwood::storage::postgres {
namespace {

// Far more than there can be, and far from where sums overflow.
constexpr std::uint64_t count_max = std::uint64_t{1} << 40U;

std::optional<std::string_view> if_asked(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional<std::string_view>(value);
}

// As PostgreSQL takes it: words that stand one after the other, of the last perhaps only how it
// begins. Words are letters, digits and _, so none of them needs an escape.
std::string tsquery_of(const SearchTerm& term) {
  std::string query;
  catalog::for_each_word(term.text, true, [&](const SqlToken& word) {
    if (!query.empty()) query += " <-> ";
    query.append("'").append(word.text).append("'");
    return true;
  });
  if (term.is_prefix || catalog::ends_with_lone_character(term.text)) query += ":*";
  return query;
}

std::vector<std::string> tsqueries_of(const std::vector<SearchTerm>& terms) {
  std::vector<std::string> queries;
  for (const SearchTerm& term : terms) queries.push_back(tsquery_of(term));
  return queries;
}

Result<SearchHit> hit_in(const PgRows& rows, int row) {
  SearchHit hit;
  hit.session_id.text = rows.text(row, 2);
  LOGWOOD_TRY(catalog::SoFar so_far, catalog::parse_so_far(rows.view(row, 3)));
  hit.title = std::move(so_far.summary.title);
  hit.cwd = std::move(so_far.summary.cwd);
  hit.origin = std::move(so_far.summary.header.origin);
  hit.entry_id.text = rows.text(row, 4);
  hit.type = rows.text(row, 5);
  hit.role = rows.text(row, 6);
  hit.tool = rows.text(row, 7);
  hit.timestamp = rows.text(row, 8);
  return hit;
}

}  // namespace

Result<SearchPage> CatalogTables::search(const SearchOptions& options, const Progress& progress) {
  LOGWOOD_TRY(
      const SearchQuery query,
      parse_search_query(options.query, options.now.value_or(std::chrono::system_clock::now())));
  LOGWOOD_TRY(const std::string match, catalog::match_of(query));
  const bool is_narrowed = !query.type.empty() || !query.role.empty() || !query.tool.empty() ||
                           !query.key.empty() || !query.since.empty() || !options.cwd.empty();
  if (match.empty() && !is_narrowed) {
    return Error{ErrorCode::invalid_argument, "say what to search for"};
  }
  SearchPage page;
  const std::vector<std::string> wanted = tsqueries_of(query.wanted);
  const std::vector<std::string> unwanted = tsqueries_of(query.unwanted);
  const std::uint64_t skip = std::min<std::uint64_t>(options.skip, count_max);
  const std::uint64_t limit = std::min<std::uint64_t>(options.limit, count_max);
  PgValues values = database_.values();
  values.texts(std::vector<std::string_view>(wanted.begin(), wanted.end()))
      .texts(std::vector<std::string_view>(unwanted.begin(), unwanted.end()))
      .text_or_null(if_asked(query.type))
      .text_or_null(if_asked(query.role))
      .text_or_null(if_asked(query.tool))
      .text_or_null(if_asked(query.key))
      .text_or_null(if_asked(options.cwd))
      .text_or_null(if_asked(query.since))
      .int8(skip)
      .int8(limit);
  // Asked in one round trip with whether the answer counts, as it mostly does.
  LOGWOOD_TRY(PgConnection::Two both,
              database_.read_both(sql::is_behind,
                                  CatalogRefresh::is_behind_values(database_, CatalogPart::text),
                                  sql::find_texts, values));
  PgRows& rows = both.second;
  if (both.first.boolean(0, 0)) {
    LOGWOOD_TRY(page.unreadable,
                CatalogRefresh(sessions_, database_, progress).run(CatalogPart::text));
    LOGWOOD_TRY(rows, database_.read(sql::find_texts, values));
  }
  if (rows.empty()) return page;
  page.count = rows.number(0, 0);
  page.sessions = rows.number(0, 1);
  page.has_more = page.count > skip + limit;
  if (rows.is_null(0, 2)) return page;  // the page is behind the last hit

  const catalog::SnippetTerms terms(query.wanted);
  for (int row = 0; row < rows.count(); ++row) {
    LOGWOOD_TRY(SearchHit hit, hit_in(rows, row));
    if (match.empty()) {
      catalog::show_beginning(rows.view(row, 9), hit);
    } else {
      terms.show(rows.view(row, 9), hit);
    }
    page.hits.push_back(std::move(hit));
  }
  return page;
}

}  // namespace logwood::storage::postgres
