#include "storage/postgres/database.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.hpp"
#include "storage/postgres/migrations.hpp"

namespace logwood::storage::postgres {
namespace {

// More would wait for each other in the server rather than here.
constexpr std::size_t connections_max = 32;

// Who holds a connection and needs a second, for a blob of a line that is being read, does not wait
// for it: all could be held by threads that wait for one more.
thread_local int held_by_this_thread = 0;

constexpr std::string_view tenant_option = "tenant=";
constexpr std::string_view pooler_option = "pooler=";

// Part of what a URL may percent-encode.
std::string decoded(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 &&
        digit(text[i + 2]) >= 0) {
      plain += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

bool is_place(std::string_view name) {
  return name.starts_with("postgres://") || name.starts_with("postgresql://");
}

Result<Place> parse_place(const std::string& url) {
  Place place;
  const std::size_t query = url.find('?');
  place.url = url.substr(0, query);
  if (query == std::string::npos) return place;
  std::string kept;
  std::string_view left = std::string_view(url).substr(query + 1);
  while (!left.empty()) {
    const std::string_view option = left.substr(0, left.find('&'));
    left.remove_prefix(std::min(option.size() + 1, left.size()));
    if (option.starts_with(tenant_option)) {
      place.tenant = decoded(option.substr(tenant_option.size()));
    } else if (option.starts_with(pooler_option)) {
      if (option.substr(pooler_option.size()) != "transaction") {
        return Error{ErrorCode::invalid_argument,
                     "pooler= in the URL of a store is `transaction`, or left out"};
      }
      place.through_pooler = true;
    } else {
      kept += (kept.empty() ? "?" : "&") + std::string(option);
    }
  }
  place.url += kept;
  if (place.tenant.empty()) {
    return Error{ErrorCode::invalid_argument, "tenant= in the URL of a store names no tenant"};
  }
  return place;
}

std::string printable_place(std::string_view url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string_view::npos) return std::string(url);
  const std::size_t path = std::min(url.find_first_of("/?", begin + 3), url.size());
  const std::size_t at = url.substr(0, path).rfind('@');
  std::string shown(url);
  if (at != std::string_view::npos) {
    const std::size_t colon = url.substr(0, at).find(':', begin + 3);
    if (colon != std::string_view::npos) shown.replace(colon, at - colon, ":***");
  }
  // libpq takes it as an option too.
  constexpr std::string_view option = "password=";
  for (std::size_t found = shown.find(option); found != std::string::npos;
       found = shown.find(option, found + option.size())) {
    const std::size_t value = found + option.size();
    shown.replace(value, std::min(shown.find('&', value), shown.size()) - value, "***");
  }
  return shown;
}

Lease::~Lease() {
  if (!connection_) return;
  connection_->roll_back();
  database_->take_back(std::move(connection_));
}

Database::Database(Place place, std::chrono::milliseconds patience)
    : place_(std::move(place)), patience_(patience) {}

// A server may be set to acknowledge less than it has on disk; for us it is not.
PgOptions Database::connection_options() const {
  const auto settings = [&](bool for_transaction) {
    return fmt::format(
        "select set_config('logwood.tenant', '{}', {}), set_config('lock_timeout', '{}', {}), "
        "set_config('synchronous_commit', case when current_setting('synchronous_commit') in "
        "('on', 'remote_apply') then current_setting('synchronous_commit') else 'on' end, {})",
        tenant_, for_transaction, std::max<std::int64_t>(patience_.count(), 1), for_transaction,
        for_transaction);
  };
  return {place_.url, place_.through_pooler, settings(false), settings(true)};
}

Result<> Database::open() {
  LOGWOOD_TRY(tenant_, find_tenant());
  const std::lock_guard guard(mutex_);
  idle_.clear();  // they work for nobody yet
  return {};
}

Result<std::int32_t> Database::find_tenant() {
  LOGWOOD_TRY(Lease connection, lease());
  constexpr PgStatement version{"", "select max(number) from logwood.migrations"};
  auto found = connection->run(version, {}, deadline());
  if (!found && (found.error().code == ErrorCode::not_found ||
                 found.error().code == ErrorCode::permission_denied)) {
    const bool is_there = found.error().code == ErrorCode::permission_denied;
    return Error{is_there ? ErrorCode::permission_denied : ErrorCode::not_found,
                 is_there ? "this role was given no part of the store in this database; its owner "
                            "does that: logwood tenant add NAME --role ROLE"
                          : "there is no store in this database; logwood new makes one, as a role "
                            "that may create a schema"};
  }
  if (!found) return std::move(found).error();
  const std::int64_t number = found->empty() || found->is_null(0, 0) ? 0 : found->integer(0, 0);
  if (number == 0) return Error{ErrorCode::not_found, "there is no store in this database"};
  if (number > schema_version()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("the store in this database is of schema {}, and this logwood knows "
                             "schema {}; use a newer logwood",
                             number, schema_version())};
  }
  if (number < schema_version()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("the store in this database is of schema {}, and this logwood needs "
                             "schema {}; its owner brings it up to date: logwood tenant add {}",
                             number, schema_version(), place_.tenant)};
  }
  constexpr PgStatement named{"", "select logwood.tenant_named($1)"};
  PgValues name;
  name.text(place_.tenant);
  LOGWOOD_TRY(const PgRows tenant, connection->run(named, name, deadline()));
  if (tenant.empty() || tenant.is_null(0, 0)) {
    return Error{ErrorCode::not_found,
                 fmt::format("the store has no tenant {} that this role works for; its owner adds "
                             "one: logwood tenant add {} --role ROLE",
                             place_.tenant, place_.tenant)};
  }
  return static_cast<std::int32_t>(tenant.integer(0, 0));
}

Result<Lease> Database::lease() { return lease(deadline()); }

Result<Lease> Database::lease(Deadline deadline) {
  {
    std::unique_lock guard(mutex_);
    if (!returned_.wait_until(guard, deadline, [&] {
          return is_closed_ || !idle_.empty() || in_use_ < connections_max ||
                 held_by_this_thread > 0;
        })) {
      return Error{ErrorCode::busy,
                   fmt::format("all {} connections of this process are in use", connections_max)};
    }
    if (is_closed_) return Error{ErrorCode::unavailable, "the store was closed; open it again"};
    ++in_use_;
    ++held_by_this_thread;
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(connection));
    }
  }
  auto opened = PgConnection::open(connection_options(), deadline);
  if (!opened) {
    take_back(nullptr);
    return std::move(opened).error();
  }
  return Lease(*this, std::make_unique<PgConnection>(*std::move(opened)));
}

void Database::take_back(std::unique_ptr<PgConnection> connection) {
  const std::lock_guard guard(mutex_);
  --in_use_;
  --held_by_this_thread;
  if (connection && connection->is_reusable() && !is_closed_) {
    if (idle_.size() + in_use_ < connections_max) idle_.push_back(std::move(connection));
  } else if (connection) {
    // The others were made to the same server: each is tried once more, or made anew.
    idle_.clear();
  }
  returned_.notify_one();
}

// A connection may have been lost since it was used last, with its server or without.
template <class T>
Result<T> Database::read_again(const std::function<Result<T>(PgConnection&, Deadline)>& read) {
  const Deadline end = deadline();
  for (int attempts_left = 1;; --attempts_left) {
    LOGWOOD_TRY(Lease connection, lease(end));
    auto answer = read(*connection, end);
    if (answer || answer.error().code != ErrorCode::unavailable || attempts_left == 0)
      return answer;
  }
}

Result<PgRows> Database::read(const PgStatement& statement, const PgValues& values) {
  return read_again<PgRows>([&](PgConnection& connection, Deadline end) {
    return connection.run(statement, values, end);
  });
}

Result<PgConnection::Two> Database::read_both(const PgStatement& first,
                                              const PgValues& first_values,
                                              const PgStatement& second,
                                              const PgValues& second_values) {
  return read_again<PgConnection::Two>([&](PgConnection& connection, Deadline end) {
    return connection.run_both(first, first_values, second, second_values, end);
  });
}

Result<Database::Setup> Database::setup() {
  constexpr PgStatement asked{
      "",
      "select current_setting('synchronous_standby_names'), current_setting('synchronous_commit'), "
      "current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on', "
      "current_setting('transaction_isolation'), current_setting('server_version'), "
      "r.rolsuper or r.rolbypassrls, (select count(*) from pg_stat_replication), "
      "(select coalesce(string_agg(application_name || ' ' || sync_state, ', '), '') "
      "from pg_stat_replication) from pg_roles r where r.rolname = session_user"};
  LOGWOOD_TRY(const PgRows rows, read(asked, {}));
  if (rows.empty()) return Error{ErrorCode::internal, "the server does not know its own role"};
  Setup setup;
  const std::string names = rows.text(0, 0);
  const std::string seen = rows.text(0, 7);
  setup.promises.push_back(
      names.empty()
          ? fmt::format(
                "on the disk of this server (PostgreSQL {}, synchronous_commit {}); no standby "
                "has it for certain, so a failover may lose the last moments",
                rows.view(0, 4), rows.view(0, 1))
          : fmt::format("on the disk of this server (PostgreSQL {}, synchronous_commit {}) and of "
                        "standbys: synchronous_standby_names is {}",
                        rows.view(0, 4), rows.view(0, 1), names));
  setup.promises.push_back(fmt::format("{} of this server now{}; transactions are {}",
                                       counted(rows.number(0, 6), "standby", "standbys"),
                                       seen.empty() ? "" : ": " + seen, rows.view(0, 3)));
  if (!rows.boolean(0, 2)) {
    setup.dangers.emplace_back(
        "fsync or full_page_writes is off: a power cut can lose or damage anything");
  }
  if (rows.boolean(0, 5)) {
    setup.dangers.emplace_back("this role passes row-level security by: it sees every tenant");
  }
  return setup;
}

void Database::close() {
  const std::lock_guard guard(mutex_);
  is_closed_ = true;
  idle_.clear();
  returned_.notify_all();
}

}  // namespace logwood::storage::postgres
