// What an append means, decided in one place for every backend: which drafts are
// known already, whether the tail is the expected one, where each entry grows.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "logwood/result.hpp"
#include "model/draft.hpp"

namespace logwood::storage {

/// The drafts of one append after every check that needs no session.
struct CheckedBatch {
  std::vector<CheckedDraft> drafts;
  /// As given by each draft, or derived from the operation id; nothing: draw one.
  std::vector<std::optional<EntryId>> ids;
  /// With an operation id: what one entry more would be called. If it is known,
  /// the operation was another one.
  std::optional<EntryId> id_beyond;
};

Result<CheckedBatch> check_batch(const SessionId& session, std::span<const Draft> drafts,
                                 const AppendOptions& options);

/// An entry as the session knows it.
struct KnownEntry {
  std::string text;
  EntryKind kind = EntryKind::tree;
  bool erased = false;
};

/// Looks a committed entry up by its id.
using FindEntry = std::function<Result<std::optional<KnownEntry>>(const EntryId&)>;

/// What planning has to know of a session. Lent for the length of the call.
struct SessionView {
  const std::optional<EntryId>& tail;
  const std::optional<EntryId>& head;
  FindEntry find;
};

struct PlannedEntry {
  EntryId id;
  std::optional<EntryId> parent_id;
  EntryKind kind = EntryKind::tree;
  bool moves_head = false;
  bool is_redaction = false;

  // The entry's text without its closing brace, in two parts: so it is put together
  // only once, where it is written.
  std::string stamps;
  std::string_view members;  ///< of the checked draft, which outlives the plan
};

struct AppendPlan {
  bool replayed = false;              ///< all of it is there already; nothing to write
  std::vector<PlannedEntry> entries;  ///< empty when replayed
  EntryId last_id;
  std::optional<EntryId> tail;  ///< of the session after it
  std::optional<EntryId> head;
};

/// Idempotency comes first: a retry after a lost acknowledgement must succeed
/// although the tail has moved.
Result<AppendPlan> plan_append(const CheckedBatch& batch, const AppendOptions& options,
                               const SessionView& session, std::string_view timestamp,
                               const std::function<EntryId()>& new_id);

}  // namespace logwood::storage
