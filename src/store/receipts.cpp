#include "store/receipts.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "base/counted.hpp"
#include "model/entry_fields.hpp"
#include "model/erasure.hpp"

namespace logwood {

namespace {

Result<> check_one(storage::StorageBackend& backend, const Erasure& said) {
  LOGWOOD_CHECK(check_id(said.session_id.text));
  const auto wrong = [&](std::string why) {
    return Error{ErrorCode::damaged,
                 fmt::format("session {}: {}", said.session_id.text, std::move(why))};
  };
  LOGWOOD_TRY(const VerifyReport report, backend.verify(said.session_id));
  if (!report.is_sound()) {
    return wrong(fmt::format("its chain does not hold, {}; run verify",
                             counted(report.problem_count, "problem", "problems")));
  }
  // The chain is sound, so what its redactions account for is erased as they say; what is
  // left to compare is whether the one that the receipt names says the same.
  std::unordered_set<std::string> erased;
  std::optional<std::vector<ErasedEntry>> accounted;
  LOGWOOD_CHECK(backend.walk(said.session_id, {}, [&](const storage::WalkedEntry& entry) {
    if (entry.flagged) return;
    if (entry.seq == said.last_seq && entry.place.id == said.redaction_id.text &&
        (said.link.empty() || entry.text.find("." + said.link + ".") != std::string_view::npos)) {
      accounted = accounted_for(entry.text);
    }
    if (!find_fields(entry.text).erased.empty()) erased.emplace(entry.place.id);
  }));
  if (!accounted) {
    return wrong(
        fmt::format("the redaction {} is not where the receipt says", said.redaction_id.text));
  }
  for (const ErasedEntry& entry : said.entries) {
    if (!erased.contains(entry.id.text))
      return wrong(fmt::format("entry {} is not erased", entry.id.text));
  }
  if (*accounted != said.entries) {
    return wrong(fmt::format("the redaction {} accounts for other entries than the receipt says",
                             said.redaction_id.text));
  }
  return {};
}

}  // namespace

Result<Erasure> check_erasure(storage::StorageBackend& backend, const std::string& receipt) {
  LOGWOOD_TRY(Erasure said, parse_erasure(receipt));
  LOGWOOD_CHECK(check_one(backend, said));
  for (const Erasure& other : said.elsewhere) {
    auto checked = check_one(backend, other);
    // One in the trash is no session: it can be checked when it is restored.
    if (!checked && checked.error().code != ErrorCode::not_found) return std::move(checked).error();
  }
  return said;
}

}  // namespace logwood
