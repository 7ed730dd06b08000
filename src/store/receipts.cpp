#include "store/receipts.hpp"

#include <fmt/format.h>

#include <map>

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"
#include "model/erasure.hpp"

namespace logwood {

Result<Erasure> check_erasure(storage::StorageBackend& backend, const std::string& receipt) {
  LOGWOOD_TRY(Erasure said, parse_erasure(receipt));
  LOGWOOD_CHECK(check_id(said.session_id.text));
  const auto wrong = [&](std::string why) {
    return Error{ErrorCode::damaged,
                 fmt::format("session {}: {}", said.session_id.text, std::move(why))};
  };
  LOGWOOD_TRY(const VerifyReport report, backend.verify(said.session_id));
  if (!report.is_sound()) {
    return wrong(
        fmt::format("its chain does not hold, {} problems; run verify", report.problem_count));
  }
  // The chain is sound, so a tombstone that verify accounts for is what its redaction says;
  // what is left to compare is whether that is what the receipt says.
  std::map<std::string, std::string> digests;  // of tombstones, by id
  bool redaction_is_there = false;
  LOGWOOD_CHECK(backend.walk(said.session_id, {}, [&](const storage::WalkedEntry& entry) {
    if (entry.flagged) return;
    const bool is_redaction = entry.place.id == said.redaction_id.text;
    if (is_redaction && entry.seq == said.last_seq) {
      redaction_is_there =
          said.link.empty() || entry.text.find("." + said.link + ".") != std::string_view::npos;
    }
    const EntryFields fields = find_fields(entry.text);
    if (!fields.erased.empty()) {
      digests[std::string(entry.place.id)] = json_string_value(fields.digest).value_or("");
    }
  }));
  for (const ErasedEntry& entry : said.entries) {
    const auto found = digests.find(entry.id.text);
    if (found == digests.end()) return wrong(fmt::format("entry {} is not erased", entry.id.text));
    if (found->second != entry.digest) {
      return wrong(fmt::format("entry {} was another one than the receipt says", entry.id.text));
    }
  }
  if (!redaction_is_there) {
    return wrong(
        fmt::format("the redaction {} is not where the receipt says", said.redaction_id.text));
  }
  return said;
}

}  // namespace logwood
