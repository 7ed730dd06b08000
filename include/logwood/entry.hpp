#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// Where an entry stands: the first line of a session, outside the tree among
/// the marks, or in the tree. Types we do not know are tree entries.
enum class EntryKind : std::uint8_t { header, mark, tree };

[[nodiscard]] EntryKind kind_of(std::string_view type);

/// One immutable entry as it was stored.
struct Entry {
  EntryId id;
  std::optional<EntryId> parent_id;
  std::string type;
  std::string timestamp;
  std::optional<std::string> run_id;

  /// The whole JSON object, byte for byte as it was given (members that were
  /// stamped stand in front), without the seal.
  std::string text;

  /// Its number in the session file: 1, 2, 3 … A gap means lines that were lost.
  std::uint64_t seq = 0;

  /// A sound line of a batch that is not whole any more: true, but not all of it.
  bool flagged = false;

  /// Content was erased; what is left says where it stood.
  bool erased = false;

  /// A blob that holds one of its long strings is missing or altered, so those are empty.
  bool incomplete = false;

  /// A redaction hides all of it, or parts: `text` is what may be shown. Where all of it is
  /// hidden, the payload is `{}` and the meta `{"redacted":true}`.
  bool redacted = false;

  /// The JSON text of the member, or nothing when the entry has none.
  [[nodiscard]] std::string_view payload() const;
  [[nodiscard]] std::string_view meta() const;

  bool operator==(const Entry&) const = default;
};

/// Where a new entry grows.
struct Parent {
  enum class At : std::uint8_t { head, root, entry };
  At at = At::head;
  EntryId id = {};  ///< with At::entry

  static Parent head() { return {}; }
  static Parent root() { return {At::root, {}}; }
  static Parent of(EntryId id) { return {At::entry, std::move(id)}; }
};

/// The members of an entry as values, for callers who do not bring JSON text.
/// What is left out is stamped by the store: id, parentId, timestamp.
struct DraftFields {
  std::string type;
  std::string payload = "{}";  ///< JSON text of an object
  std::optional<EntryId> id = std::nullopt;
  Parent parent = Parent::head();
  std::optional<std::string> timestamp = std::nullopt;
  std::optional<std::string> run_id = std::nullopt;
  std::string meta = {};  ///< JSON text of an object; empty: none
};

/// An entry that is not stored yet: the text of one JSON object with at least
/// `type` and `payload`. It is kept exactly as written: number text, order and
/// duplicates of members, escapes.
struct Draft {
  std::string text;

  /// Writes the fields as text. Whether they are valid is checked by append.
  [[nodiscard]] static Draft of(const DraftFields& fields);
};

/// Reads an entry back from the text of its JSON object.
Result<Entry> parse_entry(std::string text);

}  // namespace logwood
