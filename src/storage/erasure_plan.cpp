#include "storage/erasure_plan.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "model/draft.hpp"
#include "model/entry_fields.hpp"

namespace logwood::storage {

Result<std::unordered_set<std::string>> plan_erasure(const SessionId& session,
                                                     std::span<const EntryId> ids,
                                                     const FindEntry& find) {
  std::unordered_set<std::string> wanted;
  for (const EntryId& id : ids) {
    LOGWOOD_TRY(const std::optional<KnownEntry> known, find(id));
    if (!known) {
      return Error{ErrorCode::not_found,
                   fmt::format("there is no entry {} in session {}", id.text, session.text)};
    }
    const bool accounts = json_string_value(find_fields(known->text).type) == "redaction";
    if (known->kind == EntryKind::header || accounts) {
      return Error{
          ErrorCode::invalid_argument,
          fmt::format("entry {} is the header or a redaction, which cannot be erased", id.text)};
    }
    if (!known->erased) wanted.insert(id.text);
  }
  return wanted;
}

Result<> check_redaction_size(const SessionId& session, std::size_t size_bytes) {
  if (size_bytes <= entry_size_max) return {};
  return Error{ErrorCode::invalid_argument,
               fmt::format("session {}: the redaction would be longer than {} bytes; erase fewer "
                           "entries at a time, or give a shorter reason",
                           session.text, entry_size_max)};
}

}  // namespace logwood::storage
