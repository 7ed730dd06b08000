// Every statement that works on a tenant's rows, in one place, so that a test can read them all:
// the tenant is the first parameter of each, and each table it names is held to it. Row-level
// security says the same once more.
#pragma once

#include <span>

#include "base/postgres.hpp"

namespace logwood::storage::postgres {

/// Columns of a session as find_session returns them.
#define LOGWOOD_TAIL_COLUMNS \
  "t.session, t.seq, t.link, t.size, t.tail, t.head, t.archived, s.header "

namespace sql {

// --- one session

inline constexpr PgStatement find_session{
    "find_session",
    "select " LOGWOOD_TAIL_COLUMNS
    "from logwood.sessions s join logwood.tails t on t.tenant = $1 and t.session = s.session "
    "where s.tenant = $1 and s.id = $2 and s.removed is null"};

/// Where some sessions end.
inline constexpr PgStatement ends_of{
    "ends_of",
    "select s.id, t.seq from logwood.sessions s "
    "join logwood.tails t on t.tenant = $1 and t.session = s.session "
    "where s.tenant = $1 and s.id = any($2::text[]) and s.removed is null"};

/// The same as find_session of a removed one, by its number.
inline constexpr PgStatement find_removed{
    "find_removed",
    "select " LOGWOOD_TAIL_COLUMNS
    "from logwood.sessions s join logwood.tails t on t.tenant = $1 and t.session = s.session "
    "where s.tenant = $1 and s.id = $2 and s.session = $3 and s.removed is not null"};

/// Waits for whoever is changing the session, and changes nothing itself. What is committed with it
/// is as durable as everything it saw.
inline constexpr PgStatement touch_tail{
    "touch_tail",
    "update logwood.tails set seq = seq where tenant = $1 and session = $2 returning seq"};

inline constexpr PgStatement lock_tail{
    "lock_tail",
    "select seq, link, size, tail, head, archived, removed from logwood.tails "
    "where tenant = $1 and session = $2 for update"};

/// After an erasure, which moves neither tail nor head.
inline constexpr PgStatement move_end{
    "move_end",
    "update logwood.tails set seq = $3, link = $4, size = $5 where tenant = $1 and session = $2"};

// The catalog is told that the session is active, unless it was within the last minute: in the same
// transaction, since nothing may be stored that it never hears of.
#define LOGWOOD_MOVED                                                                             \
  "with moved as (update logwood.tails set seq = $5, link = $6, size = $7, tail = $8, head = $9 " \
  "where tenant = $1 and session = $2 and seq = $3 and link = $4 and not archived and not "       \
  "removed "                                                                                      \
  "returning seq), "                                                                              \
  "touched as (insert into logwood.recency (tenant, session, active) "                            \
  "select $1, $2, clock_timestamp() from moved where not exists (select from logwood.recency "    \
  "where tenant = $1 and session = $2 and active > clock_timestamp() - interval '1 minute') "     \
  "on conflict (tenant, session) do update set active = excluded.active) "
#define LOGWOOD_ADDED                                                           \
  "insert into logwood.entries (tenant, session, seq, id, is_redaction, line) " \
  "select $1, $2, $3 + u.place, u.id, u.is_redaction, u.line from moved, "      \
  "unnest($10::text[], $11::boolean[], $12::bytea[]) with ordinality "          \
  "as u (id, is_redaction, line, place)"

/// Nothing happens unless the session ends where the caller thinks it does.
inline constexpr PgStatement append{"append", LOGWOOD_MOVED LOGWOOD_ADDED};

inline constexpr PgStatement append_with_blobs{
    "append_with_blobs", LOGWOOD_MOVED
    ", kept as (insert into logwood.blobs (tenant, session, hash, content) "
    "select $1, $2, b.hash, b.content from moved, unnest($13::text[], $14::bytea[]) "
    "as b (hash, content) on conflict do nothing) " LOGWOOD_ADDED};

// --- entries

inline constexpr PgStatement lines_after{
    "lines_after",
    "select seq, line from logwood.entries where tenant = $1 and session = $2 and seq > $3 "
    "order by seq limit $4"};

inline constexpr PgStatement lines_before{
    "lines_before",
    "select seq, line from logwood.entries where tenant = $1 and session = $2 and seq < $3 "
    "order by seq desc limit $4"};

/// The newest lines of a session of which only the id is known.
inline constexpr PgStatement newest_lines{
    "newest_lines",
    "select seq, line from logwood.entries where tenant = $1 and session = "
    "(select session from logwood.sessions where tenant = $1 and id = $2 and removed is null) "
    "order by seq desc limit $3"};

inline constexpr PgStatement line_at{
    "line_at", "select line from logwood.entries where tenant = $1 and session = $2 and seq = $3"};

inline constexpr PgStatement lines_of_ids{
    "lines_of_ids",
    "select id, seq, line from logwood.entries where tenant = $1 and session = $2 "
    "and id = any($3::text[])"};

inline constexpr PgStatement redactions{
    "redactions",
    "select line from logwood.entries where tenant = $1 and session = $2 and is_redaction "
    "order by seq"};

inline constexpr PgStatement add_lines{
    "add_lines",
    "insert into logwood.entries (tenant, session, seq, id, is_redaction, line) "
    "select $1, $2, $3 + u.place, u.id, u.is_redaction, u.line from "
    "unnest($4::text[], $5::boolean[], $6::bytea[]) with ordinality "
    "as u (id, is_redaction, line, place)"};

inline constexpr PgStatement replace_line{
    "replace_line",
    "update logwood.entries set line = $4 where tenant = $1 and session = $2 and seq = $3"};

inline constexpr PgStatement is_named{
    "is_named",
    "select exists (select from logwood.entries where tenant = $1 and session = $2 "
    "and position($3 in line) > 0)"};

// --- blobs

inline constexpr PgStatement blobs_of{
    "blobs_of",
    "select hash, content from logwood.blobs where tenant = $1 and session = $2 "
    "and hash = any($3::text[])"};

inline constexpr PgStatement add_blobs{
    "add_blobs",
    "insert into logwood.blobs (tenant, session, hash, content) "
    "select $1, $2, b.hash, b.content from unnest($3::text[], $4::bytea[]) as b (hash, content) "
    "on conflict do nothing"};

/// All of a session, for good.
inline constexpr PgStatement drop_entries{
    "drop_entries", "delete from logwood.entries where tenant = $1 and session = $2"};

inline constexpr PgStatement drop_blobs{
    "drop_blobs", "delete from logwood.blobs where tenant = $1 and session = $2"};

/// And its tail, which refers to it.
inline constexpr PgStatement drop_session{
    "drop_session", "delete from logwood.sessions where tenant = $1 and session = $2"};

inline constexpr PgStatement sessions_of_id{
    "sessions_of_id",
    "select session from logwood.sessions where tenant = $1 and id = $2 order by session"};

inline constexpr PgStatement drop_blob{
    "drop_blob", "delete from logwood.blobs where tenant = $1 and session = $2 and hash = $3"};

// --- sessions

inline constexpr PgStatement add_session{
    "add_session",
    "insert into logwood.sessions (tenant, id, key, cwd, parent, fork_of, created, header) "
    "values ($1, $2, $3, $4, $5, $6, $7, $8) returning session"};

inline constexpr PgStatement add_tail{
    "add_tail",
    "insert into logwood.tails (tenant, session, seq, link, size, tail, head) "
    "values ($1, $2, $3, $4, $5, $6, $7)"};

inline constexpr PgStatement set_tail{
    "set_tail",
    "update logwood.tails set seq = $3, link = $4, size = $5, tail = $6, head = $7 "
    "where tenant = $1 and session = $2"};

inline constexpr PgStatement newest_of_key{
    "newest_of_key",
    "select header from logwood.sessions where tenant = $1 and removed is null and key_begin <> '' "
    "and key_begin = substr($2::bytea, 1, 256) and key = $2 "
    "order by created desc, id desc limit 1"};

/// Until the end of the transaction nobody else opens a session by this key.
inline constexpr PgStatement lock_key{
    "lock_key", "select pg_advisory_xact_lock($1::integer, hashtext(encode($2::bytea, 'hex')))"};

inline constexpr PgStatement list_sessions{
    "list_sessions",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "order by id desc limit $3"};

inline constexpr PgStatement list_of_key{
    "list_of_key",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "and key_begin <> '' and key_begin = substr($4::bytea, 1, 256) and key = $4 "
    "order by id desc limit $3"};

/// Keys that begin with $4, which end before $5.
inline constexpr PgStatement list_of_prefix{
    "list_of_prefix",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "and key_begin <> '' and key_begin >= substr($4::bytea, 1, 256) and key_begin <= $5 "
    "order by id desc limit $3"};

inline constexpr PgStatement list_of_cwd{
    "list_of_cwd",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "and cwd_begin <> '' and cwd_begin = substr($4::bytea, 1, 256) and cwd = $4 "
    "order by id desc limit $3"};

inline constexpr PgStatement list_of_parent{
    "list_of_parent",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "and parent = $4 order by id desc limit $3"};

inline constexpr PgStatement list_of_source{
    "list_of_source",
    "select header from logwood.sessions where tenant = $1 and removed is null and id < $2 "
    "and fork_of = $4 order by id desc limit $3"};

inline constexpr PgStatement set_archived{
    "set_archived",
    "update logwood.tails set archived = $3 where tenant = $1 and session = $2 "
    "and archived <> $3 and not removed"};

inline constexpr PgStatement remove_tail{
    "remove_tail",
    "update logwood.tails set removed = true where tenant = $1 and session = $2 and not removed"};

inline constexpr PgStatement remove_session{
    "remove_session",
    "update logwood.sessions set removed = clock_timestamp() where tenant = $1 and session = $2"};

inline constexpr PgStatement removed_last{
    "removed_last",
    "select session from logwood.sessions where tenant = $1 and id = $2 and removed is not null "
    "order by removed desc limit 1"};

inline constexpr PgStatement restore_session{
    "restore_session",
    "update logwood.sessions set removed = null where tenant = $1 and session = $2"};

inline constexpr PgStatement restore_tail{
    "restore_tail", "update logwood.tails set removed = false where tenant = $1 and session = $2"};

inline constexpr PgStatement list_removed{
    "list_removed",
    "select session, id, header from logwood.sessions where tenant = $1 and removed is not null "
    "order by id, removed"};

// --- the whole store

inline constexpr PgStatement room{
    "room",
    "select (select count(*) from logwood.tails where tenant = $1 and not removed), "
    "(select coalesce(sum(size), 0)::bigint from logwood.tails where tenant = $1 and not removed), "
    "(select count(*) from logwood.tails where tenant = $1 and removed), "
    "(select coalesce(sum(size), 0)::bigint from logwood.tails where tenant = $1 and removed), "
    "(select count(*) from logwood.blobs where tenant = $1), "
    "(select coalesce(sum(length(content)), 0)::bigint from logwood.blobs where tenant = $1)"};

}  // namespace sql

/// All of them.
[[nodiscard]] std::span<const PgStatement> statements();

}  // namespace logwood::storage::postgres
