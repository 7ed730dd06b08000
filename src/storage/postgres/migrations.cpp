#include "storage/postgres/migrations.hpp"

#include <array>

#include "storage/postgres/catalog_schema.hpp"

namespace logwood::storage::postgres {
namespace {

// Every table but those of tenants begins with the tenant, in its key and in its policy, so that
// one statement cannot reach two of them and the tables can be spread by it.
//
// Keys and folders are bytes: any UTF-8 is allowed in them, NUL too, and 64 KiB of it, so an index
// holds how they begin. That is a column: under row-level security an index on an expression is
// used only where its functions are known to leak nothing, and substr is not.
constexpr const char* sessions_and_entries = R"sql(
create table logwood.tenants (
  tenant integer generated always as identity primary key,
  name text collate "C" not null unique,
  created timestamptz not null default now()
);

-- Who may work for which tenant. Row-level security asks this table, so a role that sets another
-- tenant than one of its own sees nothing.
create table logwood.admissions (
  role name not null,
  tenant integer not null references logwood.tenants on delete cascade,
  primary key (role, tenant)
);

create function logwood.tenant_in_force() returns integer
language plpgsql stable security definer parallel safe set search_path = pg_catalog, pg_temp as $$
begin
  return (select a.tenant from logwood.admissions a where a.role = session_user
    and a.tenant = nullif(current_setting('logwood.tenant', true), '')::integer);
end $$;

create function logwood.tenant_named(wanted text) returns integer
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select t.tenant from logwood.tenants t join logwood.admissions a using (tenant)
    where t.name = wanted and a.role = session_user);
end $$;

create table logwood.sessions (
  tenant integer not null references logwood.tenants,
  session bigint generated always as identity,
  id text collate "C" not null,
  key bytea not null,
  cwd bytea not null,
  key_begin bytea not null generated always as (substr(key, 1, 256)) stored,
  cwd_begin bytea not null generated always as (substr(cwd, 1, 256)) stored,
  parent text collate "C",
  fork_of text collate "C",
  created text collate "C" not null,
  header bytea not null,
  removed timestamptz,
  primary key (tenant, session)
);
create unique index sessions_by_id on logwood.sessions (tenant, id) where removed is null;
create index sessions_by_key on logwood.sessions (tenant, key_begin, created desc, id desc)
  where removed is null and key_begin <> '';
create index sessions_by_cwd on logwood.sessions (tenant, cwd_begin, id desc)
  where removed is null and cwd_begin <> '';
create index sessions_by_parent on logwood.sessions (tenant, parent, id desc) where parent is not null;
create index sessions_by_source on logwood.sessions (tenant, fork_of, id desc)
  where fork_of is not null;
create index sessions_removed on logwood.sessions (tenant, id, removed desc)
  where removed is not null;

-- Where each session ends: the one row that every append changes. No other index than the key and
-- room on every page, so that the change stays on its page.
create table logwood.tails (
  tenant integer not null,
  session bigint not null,
  seq bigint not null,
  link text collate "C" not null,
  size bigint not null,
  tail text collate "C",
  head text collate "C",
  archived boolean not null default false,
  removed boolean not null default false,
  primary key (tenant, session),
  foreign key (tenant, session) references logwood.sessions on delete cascade
) with (fillfactor = 70);

-- The sealed lines, without their line ends: what a session file holds, byte for byte.
create table logwood.entries (
  tenant integer not null,
  session bigint not null,
  seq bigint not null,
  id text collate "C" not null,
  is_redaction boolean not null,
  line bytea not null,
  primary key (tenant, session, seq)
);
create unique index entries_by_id on logwood.entries (tenant, session, id);
create index entries_redactions on logwood.entries (tenant, session, seq) where is_redaction;

create table logwood.blobs (
  tenant integer not null,
  session bigint not null,
  hash text collate "C" not null,
  content bytea not null,
  primary key (tenant, session, hash)
);

do $$
declare name text;
begin
  foreach name in array array['sessions', 'tails', 'entries', 'blobs'] loop
    execute format('alter table logwood.%I enable row level security', name);
    execute format('alter table logwood.%I force row level security', name);
    execute format('create policy tenant on logwood.%I
      using (tenant = (select logwood.tenant_in_force()))
      with check (tenant = (select logwood.tenant_in_force()))', name);
  end loop;
  -- lz4 reads faster than what PostgreSQL was made with; not every server has it.
  begin
    alter table logwood.entries alter column line set compression lz4;
    alter table logwood.blobs alter column content set compression lz4;
  exception when feature_not_supported then null;
  end;
end $$;

revoke all on function logwood.tenant_in_force(), logwood.tenant_named(text) from public;
)sql";

constexpr std::array steps{
    Migration{1, "sessions and entries", sessions_and_entries},
    Migration{2, "catalog", catalog_schema},
};

}  // namespace

std::span<const Migration> migrations() { return steps; }

std::int32_t schema_version() { return steps.back().number; }

}  // namespace logwood::storage::postgres
