// The backends that a suite can run on.
#pragma once

#include <string>
#include <vector>

#include "support/test_database.hpp"

namespace logwood {

enum class BackendKind { memory, folder, postgres, pooled };

[[nodiscard]] inline std::string name_of_backend(BackendKind kind) {
  switch (kind) {
    case BackendKind::memory:
      return "Memory";
    case BackendKind::folder:
      return "Jsonl";
    case BackendKind::postgres:
      return "Postgres";
    case BackendKind::pooled:
      return "Pooled";
  }
  return "";
}

/// Those that can be had: a database only where servers/postgres.py has started one, through a
/// pooler only where it has started that too.
[[nodiscard]] inline std::vector<BackendKind> backends() {
  std::vector<BackendKind> kinds{BackendKind::memory, BackendKind::folder};
  if (has_test_database()) kinds.push_back(BackendKind::postgres);
  if (has_test_database(Through::pooler)) kinds.push_back(BackendKind::pooled);
  return kinds;
}

/// Where a new store can be made, or in a database is; nothing for one in memory.
[[nodiscard]] inline std::string new_place(BackendKind kind, const std::string& folder) {
  if (kind == BackendKind::memory) return "";
  if (kind == BackendKind::folder) return folder + "/store";
  return new_tenant_url(kind == BackendKind::pooled ? Through::pooler : Through::server);
}

}  // namespace logwood
