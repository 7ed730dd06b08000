#include "model/label_mark.hpp"

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"

namespace logwood {

std::optional<LabelMark> read_label(std::string_view entry_text) {
  const EntryFields fields = find_fields(entry_text);
  if (!fields.json || json_string_value(fields.type) != "label") return std::nullopt;
  const auto [name, target] = json_members(fields.payload, {"name", "target"});
  LabelMark mark;
  mark.name = json_text_or_empty(name);
  if (mark.name.empty() || mark.name.size() > label_name_size_max) return std::nullopt;
  if (target == "null") return mark;
  const auto id = id_in(target);
  if (!id) return std::nullopt;
  mark.target = EntryId{std::string(*id)};
  return mark;
}

}  // namespace logwood
