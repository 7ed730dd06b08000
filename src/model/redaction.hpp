// Redactions: marks that hide entries, or parts of one of their strings, in every view.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/ids.hpp"
#include "logwood/redaction.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// What is put in the place of redacted text.
inline constexpr std::string_view redacted_text = "[redacted]";

/// The meta of what may be shown of an entry that is hidden as a whole.
inline constexpr std::string_view redacted_meta = R"({"redacted":true})";

/// The targets of a redaction mark; those of another form, and other texts, say nothing.
[[nodiscard]] std::vector<RedactionTarget> read_redaction(std::string_view entry_text);

/// Checks the payload of a redaction that somebody wants to append, one that hides and
/// accounts for nothing erased, and returns the entries it names.
Result<std::vector<EntryId>> check_redaction(std::string_view payload);

/// The payload of a mark that hides these.
[[nodiscard]] std::string redaction_payload(const std::vector<RedactionTarget>& targets,
                                            std::string_view reason);

/// The string token that a JSON pointer leads to; nothing where there is none.
[[nodiscard]] std::optional<std::string_view> string_at(std::string_view text,
                                                        std::string_view pointer);

/// An entry's text with the parts that `targets` (all of this entry) name replaced.
/// Nothing when the whole entry is hidden. A pointer that leads nowhere hides all of it:
/// what was meant cannot be told.
[[nodiscard]] std::optional<std::string> without_redacted(
    std::string text, const std::vector<RedactionTarget>& targets);

/// All redactions of a session, or of its end, by the entry they hide.
class Redactions {
 public:
  /// Takes an entry's text; anything but a redaction says nothing.
  void take(std::string_view entry_text);
  void take(const Entry& entry) {
    if (entry.type == "redaction") take(entry.text);
  }

  /// The text of an entry as it may be shown; nothing when all of it is hidden.
  [[nodiscard]] std::optional<std::string> shown(const EntryId& id, std::string text) const;

  /// Makes of an entry what may be shown of it; false when that is nothing of its content.
  bool apply(Entry& entry) const;

  /// What hides this entry, if anything does.
  [[nodiscard]] const std::vector<RedactionTarget>* of(std::string_view id) const;

 private:
  std::unordered_map<std::string, std::vector<RedactionTarget>> by_entry_;
};

}  // namespace logwood
