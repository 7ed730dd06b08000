// The statements of the catalog; statements.hpp says what holds for all.
#pragma once

#include "base/postgres.hpp"

namespace logwood::storage::postgres::sql {

// --- the catalog: what is to be read

/// Within every transaction that changes a session otherwise than by an append.
inline constexpr PgStatement touch_recency{
    "touch_recency",
    "insert into logwood.recency (tenant, session, active) values ($1, $2, clock_timestamp()) "
    "on conflict (tenant, session) do update set active = excluded.active"};

/// All that is derived from a session.
inline constexpr PgStatement forget_derived{
    "forget_derived",
    "with used as (delete from logwood.activity where tenant = $1 and session = $2), "
    "called as (delete from logwood.calls where tenant = $1 and session = $2), "
    "said as (delete from logwood.texts where tenant = $1 and session = $2) "
    "delete from logwood.summaries where tenant = $1 and session = $2"};

/// What a refresh begins with: when that is, the oldest transaction that is not over, the number of
/// this one (whoever began before it has a smaller one; a snapshot does not tell whether there is
/// any), the timeline, and from when on sessions are looked at. NULL: all of them, because it is
/// the first refresh, or the server is another one since, or its clock was set back. The last:
/// whether to say when it ended.
inline constexpr PgStatement begin_refresh{
    "begin_refresh",
    "select n.at::text, pg_snapshot_xmin(n.seen)::text, pg_current_xact_id()::text, "
    "n.timeline, "
    "case when r.timeline = n.timeline and r.since <= n.at then r.since::text end, "
    "r.since is null or r.timeline <> n.timeline or r.since < n.at - interval '1 minute' or "
    "r.since > n.at "
    "from (select clock_timestamp() as at, pg_current_snapshot() as seen, "
    "left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline) n "
    "left join logwood.refreshes r on r.tenant = $1"};

/// What begin_refresh said goes back, once all is read. The watermark moves to a moment of which
/// every transaction has ended: what one that was under way has stored may be older than it.
inline constexpr PgStatement end_refresh{
    "end_refresh",
    "insert into logwood.refreshes as r (tenant, since, next_since, next_xid, timeline) "
    "select $1, case when n.oldest = n.own then n.at else '-infinity' end, n.at, n.own, n.timeline "
    "from (select $2::text::timestamptz as at, $3::text::xid8 as oldest, $4::text::xid8 as own, "
    "$5::text as timeline) n "
    "on conflict (tenant) do update set "
    "since = case when r.timeline <> excluded.timeline or r.since > clock_timestamp() "
    "then excluded.since "
    "else greatest(r.since, excluded.since, "
    "case when r.next_xid <= $3::text::xid8 then r.next_since end) end, "
    "next_since = case when r.next_xid > $3::text::xid8 and r.next_xid <= $4::text::xid8 "
    "and r.timeline = excluded.timeline then r.next_since else excluded.next_since end, "
    "next_xid = case when r.next_xid > $3::text::xid8 and r.next_xid <= $4::text::xid8 "
    "and r.timeline = excluded.timeline then r.next_xid else excluded.next_xid end, "
    "timeline = excluded.timeline"};

/// Sessions that have grown since they were read: of all, some at a time so that no statement takes
/// long; and of those active since.
inline constexpr PgStatement stale_sessions{
    "stale_sessions",
    "select s.session, s.id, t.seq, t.size from logwood.sessions s "
    "join logwood.tails t on t.tenant = $1 and t.session = s.session "
    "left join logwood.summaries m on m.tenant = $1 and m.session = s.session "
    "where s.tenant = $1 and s.removed is null and m.seq is distinct from t.seq "
    "and s.session > $2 and s.session <= $3"};

inline constexpr PgStatement next_sessions{
    "next_sessions",
    "select max(session) from (select session from logwood.sessions where tenant = $1 "
    "and session > $2 order by session limit $3) n"};

// Few sessions are active, and each is looked up by its number (OFFSET 0 keeps it so): what the
// server takes for cheaper, for want of figures, goes through all sessions of the tenant.
//
// Two minutes: an append is within one minute after the activity it is noted by, and the clock may
// be set back by one.
#define LOGWOOD_STALE_SINCE(since)                                                             \
  "from logwood.recency r "                                                                    \
  "cross join lateral (select seq, size from logwood.tails "                                   \
  "where tenant = $1 and session = r.session and not removed offset 0) t "                     \
  "where r.tenant = $1 and r.active >= " since                                                 \
  " - interval '2 minutes' and t.seq is distinct from (select m.seq from logwood.summaries m " \
  "where m.tenant = $1 and m.session = r.session)"
inline constexpr PgStatement stale_since{
    "stale_since",
    "select r.session, (select s.id from logwood.sessions s where s.tenant = $1 and "
    "s.session = r.session), t.seq, t.size " LOGWOOD_STALE_SINCE("$2::text::timestamptz")};

inline constexpr PgStatement known_summaries{
    "known_summaries",
    "select session, seq, so_far from logwood.summaries where tenant = $1 "
    "and session = any($2::bigint[])"};

// The server takes a third of all sessions for ones whose text is behind, and would go through all
// of them; in order, and few at a time, it uses the index that has only those.
#define LOGWOOD_TEXT_BEHIND(limit)                                                                 \
  "from logwood.summaries where tenant = $1 and text_seq < seq and session > $2 order by session " \
  "limit " limit

/// Sessions whose text was not read as far as their summaries, after session $2.
inline constexpr PgStatement stale_texts{
    "stale_texts", "select session, id, seq, size, text_seq " LOGWOOD_TEXT_BEHIND("$3")};

/// Whether a refresh would find anything to do, also in the texts ($3); $2 is 0. Most find nothing,
/// and then this is all there is to ask.
inline constexpr PgStatement is_behind{
    "is_behind",
    "select f.since is null or f.timeline <> n.timeline or f.since < n.at - interval '1 minute' or "
    "f.since > n.at or exists (select " LOGWOOD_STALE_SINCE("f.since") ") or "
    "($3 and (select session " LOGWOOD_TEXT_BEHIND("1") ") is not null) "
    "from (select clock_timestamp() as at, "
    "left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline) n "
    "left join logwood.refreshes f on f.tenant = $1"};

inline constexpr PgStatement name_of_call{
    "name_of_call",
    "select name from logwood.calls where tenant = $1 and session = $2 and call = $3"};

// --- the catalog: what was read

/// Until the end of the transaction nobody erases anything in these sessions or removes them, and
/// appends go on.
inline constexpr PgStatement hold_sessions{
    "hold_sessions",
    "select session from logwood.tails where tenant = $1 and session = any($2::bigint[]) "
    "and not removed order by session for key share"};

/// Which of these sessions have a redaction, of which erasing makes one too, after that seq.
inline constexpr PgStatement redacted_since{
    "redacted_since",
    "select u.session from unnest($2::bigint[], $3::bigint[]) as u (session, seq) "
    "where exists (select from logwood.entries e where e.tenant = $1 and e.session = u.session "
    "and e.is_redaction and e.seq > u.seq)"};

/// Nothing happens unless the summary is still of seq $4 (-1: there is none), or where nothing
/// that was known counts ($5). $6: no text that was read counts either.
inline constexpr PgStatement put_summary{
    "put_summary",
    "insert into logwood.summaries as m (tenant, session, id, seq, size, last_active, expires_at, "
    "source, key, cwd, agent, channel, peer_kind, tags, so_far) "
    "select $1, $2, $3, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::bytea[], $18 "
    "where $5 or exists (select from logwood.summaries where tenant = $1 and session = $2) "
    "on conflict (tenant, session) do update set seq = excluded.seq, size = excluded.size, "
    "last_active = excluded.last_active, expires_at = excluded.expires_at, "
    "cwd = excluded.cwd, tags = excluded.tags, so_far = excluded.so_far, "
    "text_seq = case when $6 then 0 else m.text_seq end where m.seq = $4"};

inline constexpr PgStatement drop_activity{
    "drop_activity", "delete from logwood.activity where tenant = $1 and session = $2"};

/// -1: not known.
inline constexpr PgStatement add_activity{
    "add_activity",
    "insert into logwood.activity as a (tenant, session, place, entry, day, model, tool, "
    "user_messages, messages, input, output, cache_read, cache_creation) "
    "select $1, $2, u.place, u.entry, u.day, u.model, u.tool, u.user_messages, u.messages, "
    "nullif(u.input, -1), nullif(u.output, -1), nullif(u.cache_read, -1), "
    "nullif(u.cache_creation, -1) from unnest($3::bytea[], $4::text[], $5::text[], $6::bytea[], "
    "$7::bytea[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], "
    "$13::bigint[]) as u (place, entry, day, model, tool, user_messages, messages, input, output, "
    "cache_read, cache_creation) "
    "on conflict (tenant, session, place) do update set "
    "user_messages = a.user_messages + excluded.user_messages, "
    "messages = a.messages + excluded.messages, "
    "input = coalesce(a.input + excluded.input, a.input, excluded.input), "
    "output = coalesce(a.output + excluded.output, a.output, excluded.output), "
    "cache_read = coalesce(a.cache_read + excluded.cache_read, a.cache_read, excluded.cache_read), "
    "cache_creation = coalesce(a.cache_creation + excluded.cache_creation, a.cache_creation, "
    "excluded.cache_creation)"};

/// Nothing happens unless the text was still read up to seq $3.
inline constexpr PgStatement move_text{
    "move_text",
    "update logwood.summaries set text_seq = $4 where tenant = $1 and session = $2 "
    "and text_seq = $3"};

inline constexpr PgStatement drop_text{
    "drop_text",
    "with called as (delete from logwood.calls where tenant = $1 and session = $2) "
    "delete from logwood.texts where tenant = $1 and session = $2"};

inline constexpr PgStatement add_texts{
    "add_texts",
    "insert into logwood.texts (tenant, session, seq, part, entry, type, role, tool, time, words, "
    "body) select $1, $2, u.* from unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], "
    "$7::bytea[], $8::bytea[], $9::bytea[], $10::tsvector[], $11::bytea[]) as u "
    "on conflict do nothing"};

inline constexpr PgStatement add_calls{
    "add_calls",
    "insert into logwood.calls (tenant, session, call, name) select $1, $2, u.call, u.name "
    "from unnest($3::bytea[], $4::bytea[]) as u (call, name) "
    "on conflict (tenant, session, call) do update set name = excluded.name"};

// --- the catalog: what is asked

/// The function holds every row to the tenant, which has to be the one in force.
inline constexpr PgStatement find_texts{
    "find_texts",
    "select * from logwood.find_texts($1, $2::text[], $3::text[], $4, $5, $6, $7, $8, $9, $10, "
    "$11)"};

// $2, $3: behind this session. What is not asked for is NULL, or a time before or after all.
#define LOGWOOD_CHOSEN                                                             \
  "from logwood.summaries where tenant = $1 "                                      \
  "and ($4::bytea is null or agent = $4) and ($5::bytea is null or channel = $5) " \
  "and ($6::bytea is null or peer_kind = $6) "                                     \
  "and ($7::bytea is null or $7 = any(tags)) "                                     \
  "and last_active >= $8 and last_active < $9 "                                    \
  "and ($10 = '' or (expires_at <> '' and expires_at <= $10)) "                    \
  "and (last_active, id) < ($2, $3) "
#define LOGWOOD_BY_KEY \
  "and key_begin <> '' and key_begin = substr($11::bytea, 1, 256) and key = $11 "
#define LOGWOOD_BY_CWD \
  "and cwd_begin <> '' and cwd_begin = substr($11::bytea, 1, 256) and cwd = $11 "
#define LOGWOOD_BY_BOTH LOGWOOD_BY_KEY "and cwd = $12 "
#define LOGWOOD_SUMMARY "select id, size, so_far " LOGWOOD_CHOSEN
#define LOGWOOD_COUNT "select count(*) " LOGWOOD_CHOSEN
#define LOGWOOD_PAGE(limit, skip) "order by last_active desc, id desc limit " limit " offset " skip

inline constexpr PgStatement summaries{"summaries", LOGWOOD_SUMMARY LOGWOOD_PAGE("$11", "$12")};
inline constexpr PgStatement summaries_of_key{
    "summaries_of_key", LOGWOOD_SUMMARY LOGWOOD_BY_KEY LOGWOOD_PAGE("$12", "$13")};
inline constexpr PgStatement summaries_of_cwd{
    "summaries_of_cwd", LOGWOOD_SUMMARY LOGWOOD_BY_CWD LOGWOOD_PAGE("$12", "$13")};
inline constexpr PgStatement summaries_of_both{
    "summaries_of_both", LOGWOOD_SUMMARY LOGWOOD_BY_BOTH LOGWOOD_PAGE("$13", "$14")};
inline constexpr PgStatement count_summaries{"count_summaries", LOGWOOD_COUNT};
inline constexpr PgStatement count_of_key{"count_of_key", LOGWOOD_COUNT LOGWOOD_BY_KEY};
inline constexpr PgStatement count_of_cwd{"count_of_cwd", LOGWOOD_COUNT LOGWOOD_BY_CWD};
inline constexpr PgStatement count_of_both{"count_of_both", LOGWOOD_COUNT LOGWOOD_BY_BOTH};

inline constexpr PgStatement total_sessions{
    "total_sessions",
    "select count(*), coalesce(sum(size), 0)::bigint from logwood.summaries where tenant = $1"};

// What a fork copied counts where it comes from. Where that session is gone, it counts in one of
// those that copied it.
#define LOGWOOD_TOTAL(name)                                                                      \
  "with counted as (select session, day, model, tool, user_messages, messages, input, output, "  \
  "cache_read, cache_creation from logwood.activity where tenant = $1 and entry = '' union all " \
  "select min(a.session), a.day, a.model, a.tool, max(a.user_messages), max(a.messages), "       \
  "max(a.input), max(a.output), max(a.cache_read), max(a.cache_creation) "                       \
  "from logwood.activity a join logwood.summaries m on m.tenant = $1 and m.session = a.session " \
  "where a.tenant = $1 and a.entry <> '' and not exists (select from logwood.sessions o "        \
  "where o.tenant = $1 and o.id = m.source and o.removed is null) "                              \
  "group by a.entry, a.day, a.model, a.tool) "                                                   \
  "select " name                                                                                 \
  ", count(distinct session), coalesce(sum(user_messages), 0)::bigint, "                         \
  "coalesce(sum(messages), 0)::bigint, sum(input)::bigint, sum(output)::bigint, "                \
  "sum(cache_read)::bigint, sum(cache_creation)::bigint from counted "

inline constexpr PgStatement totals{"totals", LOGWOOD_TOTAL("''") "where tool = ''"};
inline constexpr PgStatement totals_by_day{
    "totals_by_day", LOGWOOD_TOTAL("day") "where tool = '' group by day order by day"};
inline constexpr PgStatement totals_by_model{
    "totals_by_model",
    LOGWOOD_TOTAL("model") "where tool = '' and messages > 0 group by model "
                           "order by sum(messages) desc, model"};
inline constexpr PgStatement totals_by_tool{
    "totals_by_tool",
    LOGWOOD_TOTAL("tool") "where tool <> '' group by tool order by sum(messages) desc, tool"};

}  // namespace logwood::storage::postgres::sql
