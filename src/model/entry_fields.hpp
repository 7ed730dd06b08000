#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json_text.hpp"
#include "logwood/entry.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// The members of an entry that mean something to us, as JSON tokens in its text.
struct EntryFields {
  std::string_view id, parent_id, type, timestamp, run_id, payload, meta;
  std::string_view erased, digest;
  std::string_view reserved;  ///< the first name only the store may write, if there is one
  std::string_view repeated;  ///< the first name of ours that occurs twice, if one does
  JsonCheck json;
  bool is_object = false;
};

/// Checks the text as JSON and finds the members. Says nothing about whether
/// they make sense together.
[[nodiscard]] EntryFields find_fields(std::string_view text);

/// The same of a text that was checked when it was stored; the JSON is not checked again.
[[nodiscard]] EntryFields find_fields_of_stored(std::string_view text);

/// Whether they make an entry: an object with an id and a type, and a parent that
/// is an id where there is one.
Result<> check_entry(const EntryFields& fields);

/// The id that a JSON string token spells; nothing unless it is a plain id.
[[nodiscard]] std::optional<std::string_view> id_in(std::string_view token);

/// Of a text already known to be an entry (its seal was whole): who it is and
/// where it stands, found without checking the rest. The id is empty when the
/// text is no entry after all.
struct EntryPlace {
  std::string_view id;
  std::string_view parent_id;  ///< empty: none
  std::string_view type;       ///< as spelled between its quotes
  EntryKind kind = EntryKind::tree;
  bool moves_head = false;    ///< it is a `head` mark
  bool is_redaction = false;  ///< it is a `redaction` mark
};
[[nodiscard]] EntryPlace find_place(std::string_view text);

}  // namespace logwood
