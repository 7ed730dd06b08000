#include "storage/append_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/seeded_bugs.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"

namespace logwood::storage {
namespace {

constexpr std::size_t operation_id_size_max = 1024;

EntryId derived_id(const SessionId& session, std::string_view operation_id, std::size_t index) {
  const Sha256 hash = sha256(
      {"logwood-operation\n", session.text, "\n", std::to_string(index), "\n", operation_id});
  std::array<std::uint8_t, 16> bytes{};
  std::copy_n(hash.begin(), bytes.size(), bytes.begin());
  return {uuid_v8(bytes)};
}

Result<> check_distinct(const std::vector<std::optional<EntryId>>& ids) {
  std::vector<std::string_view> given;
  for (const auto& id : ids) {
    if (id) given.push_back(id->text);
  }
  std::sort(given.begin(), given.end());
  const auto twice = std::adjacent_find(given.begin(), given.end());
  if (twice == given.end()) return {};
  return Error{ErrorCode::id_conflict,
               fmt::format("entry id {} occurs twice in the batch", *twice)};
}

// Whether the whole batch is known. Part of it, or other text, is a conflict.
Result<bool> is_known(const CheckedBatch& batch, const SessionView& session) {
  std::size_t known = 0;
  for (std::size_t i = 0; i < batch.ids.size(); ++i) {
    if (!batch.ids[i]) continue;
    LOGWOOD_TRY(const std::optional<KnownEntry> entry, session.find(*batch.ids[i]));
    if (!entry) continue;
    // An erased entry is known by its id alone; it must never be written again.
    if (!entry->erased && !is_same(batch.drafts[i], entry->text)) {
      return Error{
          ErrorCode::id_conflict,
          fmt::format("entry {} is in the session with other content", batch.ids[i]->text)};
    }
    ++known;
  }
  if (known == 0) return false;
  if (known != batch.ids.size()) {
    return Error{ErrorCode::id_conflict,
                 fmt::format("{} of the {} entries of this batch are in the session already", known,
                             batch.ids.size())};
  }
  if (batch.id_beyond) {
    LOGWOOD_TRY(const std::optional<KnownEntry> more, session.find(*batch.id_beyond));
    if (more) {
      return Error{ErrorCode::id_conflict, "this operation id was used for a longer batch"};
    }
  }
  return true;
}

// Either of them is refused with the actual tail: with that the caller reads what is new.
Result<> check_expected(const AppendOptions& options, const SessionView& session) {
  const auto differs = [&](std::string_view what, const std::optional<EntryId>& actual,
                           const std::optional<EntryId>& expected, std::string_view none) {
    const auto spelled = [&](const std::optional<EntryId>& id) {
      return id ? "entry " + id->text : std::string(none);
    };
    Error error{ErrorCode::conflict, fmt::format("the {} is {}, you expected {}", what,
                                                 spelled(actual), spelled(expected))};
    error.actual_tail = session.tail ? session.tail->text : std::string();
    return error;
  };
  if (options.expected_tail && options.expected_tail->id != session.tail) {
    return differs("tail", session.tail, options.expected_tail->id, "an empty session");
  }
  if (options.expected_head && options.expected_head->id != session.head) {
    return differs("head", session.head, options.expected_head->id, "before the first entry");
  }
  return {};
}

class Planner {
 public:
  Planner(const SessionView& session, std::string_view timestamp)
      : session_(session), timestamp_(timestamp) {
    plan_.head = session.head;
  }

  Result<> add(const CheckedDraft& draft, EntryId id) {
    PlannedEntry entry;
    entry.kind = draft.kind;
    entry.moves_head = draft.moves_head;
    entry.is_redaction = !draft.redacted.empty();
    if (draft.kind == EntryKind::tree) {
      if (draft.parent.at == Parent::At::head) entry.parent_id = std::move(plan_.head);
      if (draft.parent.at == Parent::At::entry) {
        LOGWOOD_CHECK(check_in_tree(draft.parent.id, "parent"));
        entry.parent_id = draft.parent.id;
      }
      plan_.head = id;
    }
    if (draft.target) LOGWOOD_CHECK(check_in_tree(*draft.target, "target"));
    if (draft.moves_head) plan_.head = draft.target;
    for (const EntryId& hidden : draft.redacted) LOGWOOD_CHECK(check_can_hide(hidden));
    if (draft.kind == EntryKind::tree || draft.moves_head) {
      plan_.tail = id;
      moves_tail_ = true;
    }
    entry.stamps = stamps_of(draft, id, entry.parent_id, timestamp_);
    entry.members = members_of(draft);
    plan_.last_id = id;
    entry.id = std::move(id);
    plan_.entries.push_back(std::move(entry));
    return {};
  }

  AppendPlan take() {
    if (!moves_tail_) plan_.tail = session_.tail;
    return std::move(plan_);
  }

 private:
  Result<EntryKind> kind_of_known(const EntryId& id, std::string_view role) {
    // Few batches name other entries, so those before this one are looked up only then.
    for (; named_ < plan_.entries.size(); ++named_) {
      kinds_.emplace(plan_.entries[named_].id.text, plan_.entries[named_].kind);
    }
    if (const auto in_batch = kinds_.find(id.text); in_batch != kinds_.end()) {
      return in_batch->second;
    }
    if (id == session_.head || id == plan_.head) return EntryKind::tree;
    LOGWOOD_TRY(const std::optional<KnownEntry> known, session_.find(id));
    if (known) return known->kind;
    return Error{ErrorCode::not_found, fmt::format("{} {} is not in the session", role, id.text)};
  }

  Result<> check_can_hide(const EntryId& id) {
    LOGWOOD_TRY(const EntryKind kind, kind_of_known(id, "target"));
    if (kind != EntryKind::header) return {};
    return Error{ErrorCode::invalid_argument, "the header of a session cannot be hidden"};
  }

  Result<> check_in_tree(const EntryId& id, std::string_view role) {
    LOGWOOD_TRY(const EntryKind kind, kind_of_known(id, role));
    if (kind != EntryKind::tree) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} {} stands outside the tree", role, id.text)};
    }
    return {};
  }

  const SessionView& session_;
  std::string_view timestamp_;
  AppendPlan plan_;
  bool moves_tail_ = false;
  std::unordered_map<std::string, EntryKind> kinds_;  // of the first named_ entries of the plan
  std::size_t named_ = 0;
};

}  // namespace

Result<CheckedBatch> check_batch(const SessionId& session, std::span<const Draft> drafts,
                                 const AppendOptions& options) {
  if (drafts.empty() || drafts.size() > batch_entries_max) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("a batch has 1 to {} entries, this one has {}", batch_entries_max,
                             drafts.size())};
  }
  if (options.operation_id.size() > operation_id_size_max) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("an operation id has at most {} bytes", operation_id_size_max)};
  }
  CheckedBatch batch;
  batch.drafts.reserve(drafts.size());
  batch.ids.reserve(drafts.size());
  std::size_t size_bytes = 0;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    auto checked = check_draft(drafts[i].text, options.newlines);
    if (!checked) {
      return std::move(checked).error().within(fmt::format("draft {} of {}", i + 1, drafts.size()));
    }
    size_bytes += checked->text.size() + stamps_and_seal_size;
    batch.ids.push_back(checked->id);
    if (!checked->id && !options.operation_id.empty()) {
      batch.ids.back() = derived_id(session, options.operation_id, i);
    }
    batch.drafts.push_back(*std::move(checked));
  }
  if (size_bytes > batch_size_max) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("the batch has {} bytes with its seals; a batch has at most {}",
                             size_bytes, batch_size_max)};
  }
  if (!options.operation_id.empty()) {
    batch.id_beyond = derived_id(session, options.operation_id, drafts.size());
  }
  LOGWOOD_CHECK(check_distinct(batch.ids));
  return batch;
}

Result<AppendPlan> plan_append(const CheckedBatch& batch, const AppendOptions& options,
                               const SessionView& session, std::string_view timestamp,
                               const std::function<EntryId()>& new_id) {
  if (LOGWOOD_SEEDED(tail_before_idempotency)) LOGWOOD_CHECK(check_expected(options, session));
  LOGWOOD_TRY(const bool known, is_known(batch, session));
  if (known) {
    AppendPlan plan;
    plan.replayed = true;
    plan.last_id = *batch.ids.back();
    plan.tail = session.tail;
    plan.head = session.head;
    return plan;
  }
  if (!LOGWOOD_SEEDED(tail_ignored)) LOGWOOD_CHECK(check_expected(options, session));

  Planner planner(session, timestamp);
  for (std::size_t i = 0; i < batch.drafts.size(); ++i) {
    auto added = planner.add(batch.drafts[i], batch.ids[i] ? *batch.ids[i] : new_id());
    if (!added) {
      return std::move(added).error().within(
          fmt::format("draft {} of {}", i + 1, batch.drafts.size()));
    }
  }
  return planner.take();
}

}  // namespace logwood::storage
