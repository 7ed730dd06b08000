#include "format/accounts.hpp"

#include <algorithm>
#include <optional>

#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace logwood::format {
namespace {

constexpr std::size_t crc_and_end = 10;

}  // namespace

void ErasureAccounts::take(const PlacedLine& line, std::string_view text,
                           const EntryFields& fields) {
  if (line.is_tombstone) {
    const auto digest = json_string_value(fields.digest);
    const Sha256 self = sha256({text.substr(0, text.size() - crc_and_end)});
    tombstones_[line.seq] = {{digest.value_or(""), to_hex(self)}, line};
  } else if (!content_.empty() && content_.rbegin()->second + 1 == line.seq) {
    content_.rbegin()->second = line.seq;
  } else {
    content_[line.seq] = line.seq;
  }
  if (line.is_tombstone || json_string_value(fields.type) != "redaction") return;
  const std::string_view targets = json_member(fields.payload, "targets");
  for_each_json_element(targets, [&](std::string_view target) {
    const auto [seq_token, digest, line_hash] = json_members(target, {"seq", "digest", "line"});
    const auto seq = json_unsigned(seq_token);
    if (!seq) return;
    named_[*seq].push_back({json_text_or_empty(digest), json_text_or_empty(line_hash)});
  });
}

void ErasureAccounts::forget(const PlacedLine& line) {
  tombstones_.erase(line.seq);
  const auto after = content_.upper_bound(line.seq);
  if (after == content_.begin()) return;
  const auto run = std::prev(after);
  const auto [first, last] = *run;
  if (last < line.seq) return;
  content_.erase(run);
  if (first < line.seq) content_[first] = line.seq - 1;
  if (line.seq < last) content_[line.seq + 1] = last;
}

bool ErasureAccounts::has_content(std::uint64_t seq) const {
  const auto after = content_.upper_bound(seq);
  return after != content_.begin() && std::prev(after)->second >= seq;
}

std::vector<Problem> ErasureAccounts::problems() const {
  std::vector<Problem> found;
  for (const auto& [seq, tombstone] : tombstones_) {
    const auto named = named_.find(seq);
    const bool accounted =
        named != named_.end() && std::find(named->second.begin(), named->second.end(),
                                           tombstone.binding) != named->second.end();
    if (!accounted) {
      found.push_back({ProblemKind::unaccounted, tombstone.place.offset,
                       tombstone.place.line_number, seq, seq, GapCause::unknown});
    }
  }
  for (const auto& [seq, bindings] : named_) {
    if (has_content(seq))
      found.push_back({ProblemKind::not_erased, 0, 0, seq, seq, GapCause::unknown});
  }
  return found;
}

}  // namespace logwood::format
