// The tenants of a store in PostgreSQL: what its owner does, with the owner's URL. A store in a
// folder has none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logwood/progress.hpp"
#include "logwood/result.hpp"

namespace logwood {

struct Tenant {
  std::string name;
  std::string created;             ///< timestamp
  std::vector<std::string> roles;  ///< that work for it
  std::uint64_t sessions = 0;      ///< those in the trash not counted
  std::uint64_t size_bytes = 0;    ///< of their lines
};

/// Makes a tenant unless there is one of that name, and lets a role of the database (empty: only
/// the owner) work for it. Makes the store too, or brings its tables up to date. True when the
/// tenant was made.
Result<bool> add_tenant(const std::string& url, const std::string& name,
                        const std::string& role = {});

Result<std::vector<Tenant>> tenants(const std::string& url);

/// Removes a tenant and every byte it has, for good. What was cut short is finished by repeating
/// it. `progress` hears of sessions in place of bytes.
Result<> remove_tenant(const std::string& url, const std::string& name,
                       const Progress& progress = {});

}  // namespace logwood
