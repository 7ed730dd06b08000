// What may be erased, decided in one place for every backend.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_set>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/append_plan.hpp"

namespace logwood::storage {

/// Of the entries that somebody wants to erase those that are not erased already. An error
/// when one of them is not there, or is the header or a redaction.
Result<std::unordered_set<std::string>> plan_erasure(const SessionId& session,
                                                     std::span<const EntryId> ids,
                                                     const FindEntry& find);

/// Whether the redaction of an erasure can be read by anybody: else nothing would account for
/// what is gone.
Result<> check_redaction_size(const SessionId& session, std::size_t size_bytes);

}  // namespace logwood::storage
