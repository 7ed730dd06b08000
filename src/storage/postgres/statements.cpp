#include "storage/postgres/statements.hpp"

#include <array>

namespace logwood::storage::postgres {
namespace {

constexpr std::array all{
    sql::find_session,      sql::find_removed,
    sql::touch_tail,        sql::lock_tail,
    sql::move_end,          sql::append,
    sql::append_with_blobs, sql::lines_after,
    sql::lines_before,      sql::line_at,
    sql::lines_of_ids,      sql::redactions,
    sql::add_lines,         sql::replace_line,
    sql::is_named,          sql::blobs_of,
    sql::add_blobs,         sql::drop_blob,
    sql::add_session,       sql::add_tail,
    sql::newest_of_key,     sql::lock_key,
    sql::list_sessions,     sql::list_of_key,
    sql::list_of_cwd,       sql::list_of_parent,
    sql::list_of_source,    sql::set_archived,
    sql::remove_tail,       sql::remove_session,
    sql::removed_last,      sql::restore_session,
    sql::restore_tail,      sql::list_removed,
    sql::touch_recency,     sql::forget_derived,
    sql::begin_refresh,     sql::end_refresh,
    sql::stale_sessions,    sql::next_sessions,
    sql::stale_since,       sql::known_summaries,
    sql::stale_texts,       sql::name_of_call,
    sql::hold_sessions,     sql::redacted_since,
    sql::put_summary,       sql::drop_activity,
    sql::add_activity,      sql::move_text,
    sql::drop_text,         sql::add_texts,
    sql::add_calls,         sql::find_texts,
    sql::summaries,         sql::summaries_of_key,
    sql::summaries_of_cwd,  sql::summaries_of_both,
    sql::count_summaries,   sql::count_of_key,
    sql::count_of_cwd,      sql::count_of_both,
    sql::total_sessions,    sql::totals,
    sql::totals_by_day,     sql::totals_by_model,
    sql::totals_by_tool,    sql::room,
};

}  // namespace

std::span<const PgStatement> statements() { return all; }

}  // namespace logwood::storage::postgres
