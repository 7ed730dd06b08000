#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/erasure.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// How many entries one erasure can remove: its redaction names them all in one line.
inline constexpr std::size_t erased_at_once_max = 50'000;

/// The meta of what a fork has in the place of an erased entry.
inline constexpr std::string_view erased_meta = R"({"erased":true})";

/// Whether it is such an entry: nothing is left in it that could be shown or erased.
[[nodiscard]] bool is_empty_copy(const Entry& entry);

/// Whether an entry, given as its text, was made for another model out of one of these.
[[nodiscard]] bool is_made_of(std::string_view entry, const std::set<EntryId>& sources);

/// The text of the redaction that accounts for an erasure, without its closing brace.
[[nodiscard]] std::string redaction_body(const Erasure& erasure, std::string_view reason);

/// What such a redaction, given as the text of its entry, accounts for.
[[nodiscard]] std::vector<ErasedEntry> accounted_for(std::string_view redaction);

/// Reads a receipt.
Result<Erasure> parse_erasure(std::string_view json);

}  // namespace logwood
