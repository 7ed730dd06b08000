#include "storage/postgres/statements.hpp"

#include <array>

namespace logwood::storage::postgres {
namespace {

constexpr std::array all{
    sql::find_session,
    sql::find_removed,
    sql::touch_tail,
    sql::lock_tail,
    sql::move_end,
    sql::append,
    sql::append_with_blobs,
    sql::lines_after,
    sql::lines_before,
    sql::newest_lines,
    sql::line_at,
    sql::lines_of_ids,
    sql::redactions,
    sql::add_lines,
    sql::replace_line,
    sql::is_named,
    sql::blobs_of,
    sql::add_blobs,
    sql::drop_blob,
    sql::sessions_of_id,
    sql::drop_session,
    sql::drop_blobs,
    sql::drop_entries,
    sql::add_session,
    sql::add_tail,
    sql::set_tail,
    sql::newest_of_key,
    sql::lock_key,
    sql::list_sessions,
    sql::list_of_key,
    sql::list_of_prefix,
    sql::list_of_cwd,
    sql::list_of_parent,
    sql::list_of_source,
    sql::set_archived,
    sql::remove_tail,
    sql::remove_session,
    sql::removed_last,
    sql::restore_session,
    sql::restore_tail,
    sql::list_removed,
    sql::changed_tails,
    sql::room,
};

}  // namespace

std::span<const PgStatement> statements() { return all; }

}  // namespace logwood::storage::postgres
