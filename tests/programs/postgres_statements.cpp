// Prints every statement that works on a tenant's rows, as a JSON object a line, for tests that
// hold them against a server (tests/servers/isolation.py).
#include <fmt/format.h>

#include "base/json_text.hpp"
#include "storage/postgres/statements.hpp"

int main() {
  for (const logwood::PgStatement& statement : logwood::storage::postgres::statements()) {
    fmt::print("{{\"name\":{},\"sql\":{}}}\n", logwood::json_quoted(statement.name),
               logwood::json_quoted(statement.sql));
  }
  return 0;
}
