// Hiding and erasing entries, wherever in the store their bytes lie.
#include <utility>

#include "logwood/store.hpp"
#include "model/erasure.hpp"
#include "storage/erasure_plan.hpp"
#include "store/copies.hpp"
#include "store/drafting.hpp"
#include "store/inside.hpp"
#include "store/receipts.hpp"
#include "store/request_checks.hpp"

namespace logwood {

using storage::StorageBackend;

namespace {

storage::FindEntry finder(StorageBackend& backend, const SessionId& session) {
  return [&](const EntryId& id) -> Result<std::optional<storage::KnownEntry>> {
    auto entry = backend.find(session, id);
    if (entry) {
      return std::optional(
          storage::KnownEntry{std::move(entry->text), kind_of(entry->type), entry->erased});
    }
    if (entry.error().code != ErrorCode::not_found) return std::move(entry).error();
    LOGWOOD_CHECK(backend.status(session));  // or it is the session that is not there
    return std::optional<storage::KnownEntry>();
  };
}

}  // namespace

Result<AppendResult> Store::redact(const SessionId& session,
                                   const std::vector<RedactionTarget>& targets,
                                   const std::string& reason, const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the reason", reason));
  for (const RedactionTarget& target : targets) {
    LOGWOOD_CHECK(check_id(target.id.text));
    LOGWOOD_CHECK(check_utf8("the pointer", target.pointer));
  }
  auto redacted = append(session, redaction_draft(targets, reason), options);
  inside_->contexts.drop(session);
  return redacted;
}

Result<Erasure> Store::erase(const SessionId& session, const std::vector<EntryId>& entries,
                             const EraseOptions& options) {
  LOGWOOD_CHECK(check_utf8("the reason", options.reason));
  if (entries.empty() || entries.size() > erased_at_once_max) {
    return Error{ErrorCode::invalid_argument,
                 "one erasure is of 1 to " + std::to_string(erased_at_once_max) + " entries"};
  }
  for (const EntryId& id : entries) LOGWOOD_CHECK(check_id(id.text));
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  // Before anything is touched: all of them can be erased.
  LOGWOOD_CHECK(storage::plan_erasure(session, entries, finder(*backend, session)));
  LOGWOOD_TRY(std::vector<FoundCopy> copies, find_copies(*backend, session, entries));
  // Copies first: when the session itself is erased, nothing is left to do elsewhere.
  std::vector<Erasure> elsewhere;
  for (FoundCopy& found : copies) {
    if (!options.everywhere || found.entries.empty()) continue;
    auto erased = erase_copy(*backend, found, options.reason);
    if (!found.leftover) inside_->forget({found.copy.name});
    if (!erased) return std::move(erased).error().within("copy " + found.copy.name);
    if (*erased) elsewhere.push_back(**std::move(erased));
  }
  auto erased = backend->erase(session, entries, options.reason);
  inside_->forget(session);
  if (!erased) return erased;
  for (FoundCopy& found : copies) erased->copies.push_back(std::move(found.copy));
  erased->elsewhere = std::move(elsewhere);
  return erased;
}

Result<Erasure> Store::check_receipt(const std::string& receipt) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return check_erasure(*backend, receipt);
}

}  // namespace logwood
