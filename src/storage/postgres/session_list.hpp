#pragma once

#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

Result<SessionPage> list_sessions(Database& database, const ListOptions& options);

}  // namespace logwood::storage::postgres
