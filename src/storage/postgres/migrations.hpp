// The tables of a store in PostgreSQL, as a list of steps that only grows. Each step runs once, in
// a transaction of its own, by whoever owns the schema.
#pragma once

#include <cstdint>
#include <span>

namespace logwood::storage::postgres {

struct Migration {
  std::int32_t number;  ///< from 1, without gaps
  const char* name;
  const char* sql;
};

[[nodiscard]] std::span<const Migration> migrations();

/// The number of the last one: the version of the schema that this build works with.
[[nodiscard]] std::int32_t schema_version();

}  // namespace logwood::storage::postgres
