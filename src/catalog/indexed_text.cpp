#include "catalog/indexed_text.hpp"

#include "base/json_text.hpp"
#include "model/message.hpp"
#include "model/summary_text.hpp"

namespace logwood::catalog {

IndexedText indexed_text(std::string_view entry_text, const EntryPlace& place) {
  IndexedText indexed;
  const bool is_message = place.type == "message";
  if (!is_message && !is_summary(place.type)) return indexed;
  const EntryFields fields = find_fields_of_stored(entry_text);
  if (fields.payload.empty()) return indexed;  // erased
  indexed.type = place.type;
  indexed.timestamp = json_text_or_empty(fields.timestamp);
  if (!is_message) {
    indexed.text = summary_text(place.type, fields.payload);
    return indexed;
  }
  const Message message = read_message(fields.payload);
  const std::string_view content = json_member(fields.payload, "content");
  indexed.role = message.role;
  indexed.text = message.text;
  for (const ToolCall& call : message.tool_calls) {
    indexed.calls.push_back({call.id, call.name});
    indexed.text.append("\n").append(call.name).append("\n").append(text_of(call));
  }
  for (const ToolResult& result : message.tool_results) {
    indexed.answered.push_back(result.call_id);
    // A message that is itself the result has it for its text.
    if (result.content.data() == content.data()) continue;
    indexed.text.append("\n").append(text_of(result));
  }
  // What was too long for the result itself.
  for_each_json_element(json_member(fields.meta, "files"), [&](std::string_view file) {
    indexed.text.append("\n").append(json_text_or_empty(json_member(file, "text")));
  });
  return indexed;
}

}  // namespace logwood::catalog
