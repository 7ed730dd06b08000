#include "model/head_mark.hpp"

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"

namespace logwood {

std::optional<std::optional<EntryId>> head_target(std::string_view entry_text) {
  const EntryFields fields = find_fields(entry_text);
  if (!fields.json || json_string_value(fields.type) != "head") return std::nullopt;
  const std::string_view token = json_member(fields.payload, "target");
  if (token == "null") return std::optional<EntryId>();
  const auto id = id_in(token);
  if (!id) return std::nullopt;
  return std::optional(EntryId{std::string(*id)});
}

}  // namespace logwood
