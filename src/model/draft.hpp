// From what a caller gives to what is stored: a draft is checked, then stamped
// with what it lacks. The caller's text is never changed; stamps stand in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "logwood/result.hpp"

namespace logwood {

inline constexpr std::size_t entry_size_max = 16U << 20U;  ///< bytes of an entry's text
inline constexpr std::size_t batch_size_max = 64U << 20U;  ///< bytes of a batch, seals included
inline constexpr std::size_t batch_entries_max = 1024;

/// What stamps and a seal add to a draft at most: three members with ids of full
/// length, the seal, the LF.
inline constexpr std::size_t stamps_and_seal_size = 512;

/// A draft that passed every check that needs no session.
struct CheckedDraft {
  std::string text;           ///< the object, outer white space trimmed
  std::optional<EntryId> id;  ///< as given
  Parent parent;              ///< At::head when the draft names none
  bool has_parent = false;    ///< the draft has "parentId", null or not
  bool has_timestamp = false;
  EntryKind kind = EntryKind::tree;
  bool moves_head = false;
  std::optional<EntryId> target;  ///< of a head mark or label, where it names one
  std::vector<EntryId> redacted;  ///< what a redaction hides
};

/// Checks form, limits, reserved names and the members of one draft.
Result<CheckedDraft> check_draft(std::string_view text, Newlines newlines);

/// What is stored in front of the caller's members: `{"id":…,` and what else the
/// draft lacks.
[[nodiscard]] std::string stamps_of(const CheckedDraft& draft, const EntryId& id,
                                    const std::optional<EntryId>& parent_id,
                                    std::string_view timestamp);

/// The caller's members: what stands between the braces, white space included.
[[nodiscard]] std::string_view members_of(const CheckedDraft& draft);

/// The stored text without its closing brace: the stamps, then the members.
[[nodiscard]] std::string stamped_body(const CheckedDraft& draft, const EntryId& id,
                                       const std::optional<EntryId>& parent_id,
                                       std::string_view timestamp);

/// Whether `stored` (an entry's text) is what this draft became: equal in every
/// byte that the caller gave. Stamped members do not count.
[[nodiscard]] bool is_same(const CheckedDraft& draft, std::string_view stored);

}  // namespace logwood
