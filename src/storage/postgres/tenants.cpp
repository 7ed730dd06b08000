#include "storage/postgres/tenants.hpp"

#include <fmt/format.h>

#include "storage/postgres/migrations.hpp"

namespace logwood::storage::postgres {
namespace {

// Any number that nobody else takes: "logwood" in hexadecimal.
constexpr const char* lock_schema = "select pg_advisory_xact_lock(30518500216204132)";

Result<std::int32_t> version_of(PgConnection& connection, Deadline deadline) {
  constexpr PgStatement is_there{"", "select to_regclass('logwood.migrations') is not null"};
  LOGWOOD_TRY(const PgRows there, connection.run(is_there, {}, deadline));
  if (!there.boolean(0, 0)) return 0;
  constexpr PgStatement version{"", "select coalesce(max(number), 0) from logwood.migrations"};
  LOGWOOD_TRY(const PgRows number, connection.run(version, {}, deadline));
  return static_cast<std::int32_t>(number.integer(0, 0));
}

}  // namespace

Result<> migrate_schema(Database& database) {
  const Deadline deadline = database.deadline();
  LOGWOOD_TRY(Lease connection, database.lease(deadline));
  if (const auto version = version_of(*connection, deadline);
      version && *version >= schema_version()) {
    return {};
  }
  LOGWOOD_CHECK(connection->begin(deadline));
  LOGWOOD_CHECK(connection->script(lock_schema, deadline));
  LOGWOOD_TRY(const std::int32_t version, version_of(*connection, deadline));
  if (version == 0) {
    auto made = connection->script(
        "create schema logwood; create table logwood.migrations (number integer primary key, "
        "name text not null, applied timestamptz not null default now());",
        deadline);
    if (!made) {
      return std::move(made).error().within(
          "a store is made by a role that may create a schema in this database");
    }
  }
  for (const Migration& step : migrations()) {
    if (step.number <= version) continue;
    if (auto done = connection->script(step.sql, deadline); !done) {
      return std::move(done).error().within(fmt::format("schema {} ({})", step.number, step.name));
    }
    PgValues values;
    values.int4(step.number).text(step.name);
    LOGWOOD_CHECK(connection->run(
        {"", "insert into logwood.migrations (number, name) values ($1, $2)"}, values, deadline));
  }
  return connection->commit(deadline);
}

Result<bool> add_tenant(Database& database, const std::string& name, const std::string& role) {
  const Deadline deadline = database.deadline();
  LOGWOOD_TRY(Lease connection, database.lease(deadline));
  LOGWOOD_CHECK(connection->begin(deadline));
  PgValues named;
  named.text(name);
  auto made = connection->run(
      {"", "insert into logwood.tenants (name) values ($1) on conflict (name) do nothing"}, named,
      deadline);
  if (!made) {
    if (made.error().code != ErrorCode::permission_denied) return std::move(made).error();
    return Error{ErrorCode::permission_denied,
                 "only the role that owns the tables of the store adds tenants; use its URL"};
  }
  LOGWOOD_CHECK(
      connection->run({"",
                       "insert into logwood.admissions (role, tenant) select session_user, "
                       "tenant from logwood.tenants where name = $1 on conflict do nothing"},
                      named, deadline));
  if (!role.empty()) {
    PgValues both;
    both.text(name).text(role);
    LOGWOOD_TRY(
        const PgRows known,
        connection->run({"", "select quote_ident(rolname) from pg_roles where rolname = $1"},
                        PgValues().text(role), deadline));
    if (known.empty()) {
      return Error{ErrorCode::not_found,
                   fmt::format("the database has no role {}; create it first", role)};
    }
    LOGWOOD_CHECK(connection->run({"",
                                   "insert into logwood.admissions (role, tenant) select $2::name, "
                                   "tenant from logwood.tenants where name = $1 on conflict do "
                                   "nothing"},
                                  both, deadline));
    const std::string quoted = known.text(0, 0);
    LOGWOOD_CHECK(connection->script(
        fmt::format(
            "grant usage on schema logwood to {0}; grant select on logwood.migrations to {0}; "
            "grant select, insert, update, delete on logwood.sessions, logwood.tails, "
            "logwood.entries, logwood.blobs, logwood.recency, logwood.refreshes, "
            "logwood.summaries, logwood.activity, logwood.texts, logwood.calls to {0}; "
            "grant execute on function logwood.tenant_in_force(), logwood.tenant_named(text), "
            "logwood.find_texts to {0};",
            quoted),
        deadline));
  }
  LOGWOOD_CHECK(connection->commit(deadline));
  return made->changed() == 1;
}

Result<std::vector<TenantRow>> list_tenants(Database& database) {
  constexpr PgStatement all{
      "",
      "select t.tenant, t.name, to_char(t.created at time zone 'UTC', "
      "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), a.role::text from logwood.tenants t "
      "left join logwood.admissions a using (tenant) order by t.name, a.role"};
  LOGWOOD_TRY(const PgRows rows, database.read(all, {}));
  std::vector<TenantRow> found;
  for (int row = 0; row < rows.count(); ++row) {
    const auto tenant = static_cast<std::int32_t>(rows.integer(row, 0));
    if (found.empty() || found.back().tenant != tenant) {
      found.push_back({tenant, rows.text(row, 1), rows.text(row, 2), {}});
    }
    if (!rows.is_null(row, 3)) found.back().roles.push_back(rows.text(row, 3));
  }
  return found;
}

Result<> drop_tenant(Database& database, const std::string& name) {
  const Deadline deadline = database.deadline();
  LOGWOOD_TRY(Lease connection, database.lease(deadline));
  LOGWOOD_CHECK(connection->run({"", "delete from logwood.tenants where name = $1"},
                                PgValues().text(name), deadline));
  return {};
}

}  // namespace logwood::storage::postgres
