// What the owner of a store in PostgreSQL does: its tables, its tenants, and who works for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logwood/result.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// Makes the tables, or brings them up to date. Of several who do it at once one does, and the
/// others wait. Nothing happens where all is there.
Result<> migrate_schema(Database& database);

/// Makes a tenant unless there is one of that name, and lets a role (empty: none but this one) work
/// for it. True when it was made.
Result<bool> add_tenant(Database& database, const std::string& name, const std::string& role);

struct TenantRow {
  std::int32_t tenant = 0;
  std::string name;
  std::string created;  ///< timestamp
  std::vector<std::string> roles;
};
Result<std::vector<TenantRow>> list_tenants(Database& database);

/// One that has no rows any more.
Result<> drop_tenant(Database& database, const std::string& name);

}  // namespace logwood::storage::postgres
