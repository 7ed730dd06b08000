#include "logwood/tenants.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "base/telling.hpp"
#include "logwood/ids.hpp"
#include "storage/postgres/backend.hpp"
#include "storage/postgres/database.hpp"
#include "storage/postgres/tenants.hpp"

namespace logwood {
namespace {

using storage::StorageBackend;
using storage::postgres::Database;
using storage::postgres::Place;

constexpr std::chrono::milliseconds patience{30'000};
constexpr std::size_t name_size_max = 100;

// The owner's connections, which work for no tenant.
Result<Place> owner_place(const std::string& url) {
  if (!storage::postgres::is_place(url)) {
    return Error{ErrorCode::invalid_argument,
                 "only a store in PostgreSQL has tenants; name it by its URL, postgres://…"};
  }
  return storage::postgres::parse_place(url);
}

Error within(Error error, const std::string& url) {
  return std::move(error).within("store " + storage::postgres::printable_place(url));
}

// It becomes part of URLs.
Result<> check_name(const std::string& name) {
  if (check_id(name) && name.size() <= name_size_max) return {};
  return Error{
      ErrorCode::invalid_argument,
      fmt::format("a tenant is called by 1 to {} letters, digits, - and _", name_size_max)};
}

Result<std::unique_ptr<StorageBackend>> open_tenant(Place place, const std::string& name) {
  place.tenant = name;
  storage::postgres::Options options;
  options.patience = patience;
  options.writer = {[] { return new_entry_id(); }, [] { return std::chrono::system_clock::now(); }};
  return storage::postgres::open(place, options);
}

// Every session and what is in the trash, some at a time, so that it can be cut short anywhere.
Result<> purge_all(StorageBackend& backend, const Progress& progress) {
  LOGWOOD_TRY(const storage::Inventory inventory, backend.inventory());
  std::uint64_t all = 0;
  for (const auto& part : inventory.parts) {
    if (part.name != "blobs") all += part.files;
  }
  std::uint64_t done = 0;
  const auto purge = [&](const SessionId& session) -> Result<> {
    LOGWOOD_CHECK(backend.purge(session));
    return tell(progress, ++done, all);
  };
  while (true) {
    LOGWOOD_TRY(const SessionPage page, backend.list({}));
    for (const SessionHeader& header : page.sessions) LOGWOOD_CHECK(purge(header.id));
    if (!page.has_more) break;
  }
  LOGWOOD_TRY(const std::vector<storage::Leftover> leftovers, backend.leftovers());
  for (const storage::Leftover& leftover : leftovers) LOGWOOD_CHECK(purge(leftover.session));
  return {};
}

}  // namespace

Result<bool> add_tenant(const std::string& url, const std::string& name, const std::string& role) {
  LOGWOOD_TRY(const Place place, owner_place(url));
  LOGWOOD_CHECK(check_name(name));
  Database database(place, patience);
  if (auto made = storage::postgres::migrate_schema(database); !made) {
    return within(std::move(made).error(), url);
  }
  auto added = storage::postgres::add_tenant(database, name, role);
  if (!added) return within(std::move(added).error(), url);
  return added;
}

Result<std::vector<Tenant>> tenants(const std::string& url) {
  LOGWOOD_TRY(const Place place, owner_place(url));
  Database database(place, patience);
  auto rows = storage::postgres::list_tenants(database);
  if (!rows) return within(std::move(rows).error(), url);
  std::vector<Tenant> found;
  for (storage::postgres::TenantRow& row : *rows) {
    Tenant tenant{std::move(row.name), std::move(row.created), std::move(row.roles)};
    // An owner who does not work for it can name it and no more.
    if (const auto backend = open_tenant(place, tenant.name)) {
      LOGWOOD_TRY(const storage::Inventory inventory, (*backend)->inventory());
      tenant.sessions = inventory.parts.front().files;
      tenant.size_bytes = inventory.parts.front().size_bytes;
    }
    found.push_back(std::move(tenant));
  }
  return found;
}

Result<> remove_tenant(const std::string& url, const std::string& name, const Progress& progress) {
  LOGWOOD_TRY(const Place place, owner_place(url));
  LOGWOOD_CHECK(check_name(name));
  auto backend = open_tenant(place, name);
  if (!backend) return within(std::move(backend).error(), url);
  LOGWOOD_CHECK(purge_all(**backend, progress));
  Database database(place, patience);
  auto dropped = storage::postgres::drop_tenant(database, name);
  if (!dropped) return within(std::move(dropped).error(), url);
  return {};
}

}  // namespace logwood
