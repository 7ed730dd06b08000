// What of an entry goes along when it is carried to another session: a fork, an import, a repair.
#pragma once

#include <string>
#include <string_view>

#include "logwood/entry.hpp"

namespace logwood {

/// The text it has there. Mostly its own; of an erased entry, one that says no more than that it
/// was one; of the redaction that accounts for an erasure, one that only hides: it accounts for
/// lines of its own session.
[[nodiscard]] std::string carried_text(const Entry& entry);

/// The text of an entry with another payload and meta, and everything else as it is.
[[nodiscard]] std::string with_payload(const Entry& entry, std::string payload,
                                       std::string_view meta);

/// Whether nothing is left of it but its place: it was erased, or all of it hidden, before it was
/// carried here. Such a mark says nothing.
[[nodiscard]] bool is_empty(const Entry& entry);

}  // namespace logwood
