#include "model/carried_entry.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "logwood/redaction.hpp"
#include "model/erasure.hpp"
#include "model/redaction.hpp"

namespace logwood {

std::string with_payload(const Entry& entry, std::string payload, std::string_view meta) {
  return Draft::of({.type = entry.type,
                    .payload = std::move(payload),
                    .id = entry.id,
                    .parent = entry.parent_id ? Parent::of(*entry.parent_id) : Parent::root(),
                    .timestamp = entry.timestamp,
                    .run_id = entry.run_id,
                    .meta = std::string(meta)})
      .text;
}

std::string carried_text(const Entry& entry) {
  if (entry.erased) return with_payload(entry, "{}", erased_meta);
  if (entry.type != "redaction") return entry.text;
  const std::vector<ErasedEntry> accounted = accounted_for(entry.text);
  if (std::all_of(accounted.begin(), accounted.end(),
                  [](const ErasedEntry& one) { return one.digest.empty() && one.line.empty(); })) {
    return entry.text;
  }
  std::vector<RedactionTarget> targets;
  for (const ErasedEntry& one : accounted) targets.push_back({.id = one.id});
  const std::string reason = json_text_or_empty(json_member(entry.payload(), "reason"));
  return with_payload(entry, redaction_payload(targets, reason), entry.meta());
}

bool is_empty(const Entry& entry) {
  return entry.payload() == "{}" && (entry.meta() == erased_meta || entry.meta() == redacted_meta);
}

}  // namespace logwood
