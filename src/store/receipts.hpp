#pragma once

#include <string>

#include "logwood/erasure.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// Holds a receipt against its session; what it says, or why it does not hold.
Result<Erasure> check_erasure(storage::StorageBackend& backend, const std::string& receipt);

}  // namespace logwood
