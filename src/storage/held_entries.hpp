#pragma once

#include <functional>
#include <span>
#include <vector>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood::storage {

/// Of these entries those that a session holds, and the ones that were made out of them for another
/// model. `has` says whether one is there with its content; `walk` tells all that is there.
Result<std::vector<EntryId>> held_entries(
    std::span<const EntryId> entries, const std::function<Result<bool>(const EntryId&)>& has,
    const std::function<Result<WalkedTo>(const WalkVisitor&)>& walk);

}  // namespace logwood::storage
