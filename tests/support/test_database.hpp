// The database that servers/postgres.py has started for whatever it runs.
#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "logwood/ids.hpp"
#include "logwood/tenants.hpp"

namespace logwood {

enum class Through { server, pooler };

/// Whether there is one, and a pooler before it.
[[nodiscard]] inline bool has_test_database(Through through = Through::server) {
  return std::getenv(through == Through::pooler ? "LOGWOOD_TEST_PGBOUNCER"
                                                : "LOGWOOD_TEST_POSTGRES") != nullptr;
}

/// The URL of a store of its own in it: a new tenant, for a role that owns nothing. Throws when it
/// cannot be made.
[[nodiscard]] inline std::string new_tenant_url(Through through = Through::server) {
  const std::string tenant = new_entry_id().text;
  const auto added =
      add_tenant(std::getenv("LOGWOOD_TEST_POSTGRES_OWNER"), tenant, "logwood_program");
  if (!added) throw std::runtime_error(added.error().message);
  const bool is_pooled = through == Through::pooler;
  std::string url = std::getenv(is_pooled ? "LOGWOOD_TEST_PGBOUNCER" : "LOGWOOD_TEST_POSTGRES");
  url += url.find('?') == std::string::npos ? '?' : '&';
  return url + (is_pooled ? "pooler=transaction&tenant=" : "tenant=") + tenant;
}

/// Whether a store is in a database, by the name of its place.
[[nodiscard]] inline bool is_in_database(std::string_view place) {
  return place.starts_with("postgres");
}

}  // namespace logwood
