// The tables of the catalog: what lists, searches and totals are answered from. All of it is
// derived from the sessions; whoever changes what stands in it adds a migration that empties it.
#pragma once

namespace logwood::storage::postgres {

inline constexpr const char* catalog_schema = R"sql(
-- When each session was last active, to within a minute: an append changes its row when that is
-- older. So it changes rarely, and whoever refreshes the catalog need not look at all sessions.
create table logwood.recency (
  tenant integer not null,
  session bigint not null,
  active timestamptz not null,
  primary key (tenant, session),
  foreign key (tenant, session) references logwood.sessions on delete cascade
);
create index recency_by_time on logwood.recency (tenant, active);

-- How far the catalog of a tenant was brought up to date: whatever was not in it then is of a
-- transaction that began after `since`. `next_since` is the moment that follows, once all
-- transactions before `next_xid` have ended.
create table logwood.refreshes (
  tenant integer primary key references logwood.tenants on delete cascade,
  since timestamptz not null,
  next_since timestamptz not null,
  next_xid xid8 not null,
  timeline text collate "C" not null
);

-- seq, text_seq: read up to there for the summary, and for the text; text_seq 0: no text of it
-- counts. How a key or a folder begins is a column, since row-level security lets an index be used
-- for a column and not for what a function makes of one.
create table logwood.summaries (
  tenant integer not null,
  session bigint not null,
  id text collate "C" not null,
  seq bigint not null,
  text_seq bigint not null default 0,
  size bigint not null,
  last_active text collate "C" not null,
  expires_at text collate "C" not null,
  source text collate "C" not null,
  key bytea not null,
  key_begin bytea not null generated always as (substr(key, 1, 256)) stored,
  cwd bytea not null,
  cwd_begin bytea not null generated always as (substr(cwd, 1, 256)) stored,
  agent bytea not null,
  channel bytea not null,
  peer_kind bytea not null,
  tags bytea[] not null,
  so_far bytea not null,
  primary key (tenant, session),
  foreign key (tenant, session) references logwood.sessions on delete cascade
);
create index summaries_by_time on logwood.summaries (tenant, last_active desc, id desc);
create index summaries_by_key on logwood.summaries (tenant, key_begin, last_active desc, id desc)
  where key_begin <> '';
create index summaries_by_cwd on logwood.summaries (tenant, cwd_begin, last_active desc, id desc)
  where cwd_begin <> '';
create index summaries_without_text on logwood.summaries (tenant, session) where text_seq < seq;

-- What was used on one day with one model, or by one tool: `place` is a digest of entry, day, model
-- and tool, since names may be of any length. entry: of a message that a fork copied; else empty,
-- and the row a sum.
create table logwood.activity (
  tenant integer not null,
  session bigint not null,
  place bytea not null,
  entry text collate "C" not null,
  day text collate "C" not null,
  model bytea not null,
  tool bytea not null,
  user_messages bigint not null,
  messages bigint not null,
  input bigint,
  output bigint,
  cache_read bigint,
  cache_creation bigint,
  primary key (tenant, session, place),
  foreign key (tenant, session) references logwood.sessions on delete cascade
);

-- What is searched, a row for each part of it (word_vectors.hpp). Words are added as they come:
-- whoever looks for something has just added what was new, and would have to go through the list
-- that PostgreSQL keeps of such words otherwise.
create table logwood.texts (
  tenant integer not null,
  session bigint not null,
  seq bigint not null,
  part integer not null,
  entry text collate "C" not null,
  type text collate "C" not null,
  role bytea not null,
  tool bytea not null,
  time bytea not null,
  words tsvector not null,
  body bytea not null,
  primary key (tenant, session, seq, part),
  foreign key (tenant, session) references logwood.sessions on delete cascade
);
create index texts_by_words on logwood.texts using gin (words) with (fastupdate = off);

-- All calls of the text so far, by a digest of their ids, so that a result that is read later has
-- the name of its tool.
create table logwood.calls (
  tenant integer not null,
  session bigint not null,
  call bytea not null,
  name bytea not null,
  primary key (tenant, session, call),
  foreign key (tenant, session) references logwood.sessions on delete cascade
);

do $$
declare name text;
begin
  foreach name in array array['recency', 'refreshes', 'summaries', 'activity', 'texts', 'calls'] loop
    execute format('alter table logwood.%I enable row level security', name);
    -- The owner's function below is the one way to the index of words.
    if name <> 'texts' then
      execute format('alter table logwood.%I force row level security', name);
    end if;
    execute format('create policy tenant on logwood.%I
      using (tenant = (select logwood.tenant_in_force()))
      with check (tenant = (select logwood.tenant_in_force()))', name);
  end loop;
  begin
    alter table logwood.texts alter column body set compression lz4;
    alter table logwood.texts alter column words set compression lz4;
  exception when feature_not_supported then null;
  end;
end $$;

-- The texts that hold all of some words and none of others, the newest first: a page of them, with
-- how many there are in all on each row, and on a row of its own where the page is empty. What is
-- not asked for is NULL.
--
-- Row-level security would not let the index of words be used, since what compares words could tell
-- whoever asks about rows that are not theirs. So this runs as the owner of the table, for whom it
-- is not forced, and holds every row to the tenant in force itself.
create function logwood.find_texts(asked_tenant integer, wanted text[], unwanted text[],
  of_type text, of_role bytea, of_tool bytea, of_key bytea, of_cwd bytea, since bytea,
  page_begin bigint, page_size bigint)
returns table (hits bigint, sessions bigint, session_id text, so_far bytea, entry_id text,
  entry_type text, entry_role bytea, entry_tool bytea, entry_time bytea, part_body bytea)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  mine constant integer := logwood.tenant_in_force();
  own constant text := '=' || mine;
  term text;
  all_of tsquery;
  none_of tsquery;
  conditions text := '';
  found text;
begin
  if mine is distinct from asked_tenant then return; end if;
  foreach term in array wanted loop
    all_of := coalesce(all_of && term::tsquery, term::tsquery);
  end loop;
  foreach term in array unwanted loop
    none_of := coalesce(none_of || term::tsquery, term::tsquery);
  end loop;
  -- A plan is made for what is asked, and no more of it than that.
  conditions := concat(
    case when of_type is not null then ' and x.type = $5' end,
    case when of_role is not null then ' and x.role = $6' end,
    case when of_tool is not null then ' and x.tool = $7' end,
    case when of_key is not null then ' and x.session in (select session from logwood.summaries
      where tenant = $1 and key_begin = substr($8, 1, 256) and key = $8)' end,
    case when of_cwd is not null then ' and x.session in (select session from logwood.summaries
      where tenant = $1 and cwd_begin = substr($9, 1, 256) and cwd = $9)' end,
    case when since is not null then ' and x.time >= $10' end);
  if all_of is null then
    found := 'select x.session, x.seq, x.part, x.time from logwood.texts x
      where x.tenant = $1 and x.part = 0' || conditions;
  else
    -- In one part, as of nearly every text; and in several parts together.
    found := concat('select x.session, x.seq, x.part, x.time from logwood.texts x
      where x.tenant = $1 and x.words @@ $2', conditions, ' union all
      select y.session, y.seq, y.part, y.time from (
        select x.session, x.seq, min(x.part) as part, x.time from unnest($3) as w (query)
        join logwood.texts x on x.tenant = $1 and x.words @@ w.query', conditions, '
        group by x.session, x.seq, x.time
        having count(distinct w.query) = (select count(distinct q) from unnest($3) as q)) y',
      case when none_of is not null then ' where not exists (select from logwood.texts z
        where z.tenant = $1 and z.session = y.session and z.seq = y.seq and z.words @@ $4)' end);
  end if;
  return query execute 'with hit as materialized (' || found || '),
    page as (select * from hit order by time desc, session desc, seq desc limit $12 offset $11)
    select n.hits, n.sessions, m.id, m.so_far, x.entry, x.type, x.role, x.tool, x.time, x.body
    from (select count(*) as hits, count(distinct session) as sessions from hit) n
    left join page p on true
    left join logwood.texts x on x.tenant = $1 and x.session = p.session and x.seq = p.seq
      and x.part = p.part
    left join logwood.summaries m on m.tenant = $1 and m.session = p.session
    order by p.time desc, p.session desc, p.seq desc'
  using mine, quote_literal(own)::tsquery && all_of && coalesce(!!none_of, quote_literal(own)::tsquery),
    array(select quote_literal(own || '+')::tsquery && t::tsquery from unnest(wanted) as t),
    none_of, of_type, of_role, of_tool, of_key, of_cwd, since, page_begin, page_size;
end $$;

revoke all on function logwood.find_texts(integer, text[], text[], text, bytea, bytea, bytea, bytea,
  bytea, bigint, bigint) from public;
)sql";

}  // namespace logwood::storage::postgres
