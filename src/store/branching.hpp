// Heads, labels, forks and families of sessions: all of it said with entries and headers.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "logwood/store.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// Where the ids and times of entries come from that the store itself makes.
struct IdsAndTime {
  std::function<EntryId()> new_id;
  std::function<std::chrono::system_clock::time_point()> now;
};

/// Tells all sessions that `options` want, page by page, and those that cannot be read.
Result<> for_each_session(storage::StorageBackend& backend, ListOptions options,
                          const std::function<void(const SessionHeader&)>& visit,
                          const std::function<void(const UnreadableSession&)>& cannot = {});

Result<std::vector<Label>> load_labels(storage::StorageBackend& backend, const SessionId& session);

Result<SessionHeader> fork_session(storage::StorageBackend& backend, const SessionId& session,
                                   const EntryId& entry, const ForkOptions& options,
                                   const IdsAndTime& stamps);

/// The one made last of those that `options` want.
Result<std::optional<SessionHeader>> newest_session(storage::StorageBackend& backend,
                                                    const ListOptions& options);

Result<std::vector<SessionId>> remove_with_family(storage::StorageBackend& backend,
                                                  const SessionId& session);

}  // namespace logwood
