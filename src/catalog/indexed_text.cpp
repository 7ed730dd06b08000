#include "catalog/indexed_text.hpp"

#include "base/json_text.hpp"
#include "model/message.hpp"

namespace logwood::catalog {

namespace {

// Text blocks say what they say; of anything else every string counts.
std::string text_in_content(std::string_view content) {
  if (!content.starts_with('[')) return strings_in(content);
  std::string text;
  for_each_json_element(content, [&](std::string_view block) {
    const std::string_view said = json_member(block, "text");
    text.append(strings_in(said.empty() ? block : said));
  });
  return text;
}

}  // namespace

IndexedText indexed_text(std::string_view entry_text, const EntryPlace& place, ToolNames& tools) {
  IndexedText indexed;
  const bool is_message = place.type == "message";
  const bool is_summary = place.type == "compaction_summary" || place.type == "branch_summary";
  if (!is_message && !is_summary) return indexed;
  const EntryFields fields = find_fields_of_stored(entry_text);
  if (fields.payload.empty()) return indexed;  // erased
  indexed.type = place.type;
  indexed.timestamp = json_text_or_empty(fields.timestamp);
  if (is_summary) {
    indexed.text = json_text_or_empty(json_member(fields.payload, "summary"));
    return indexed;
  }
  const Message message = read_message(fields.payload);
  const std::string_view content = json_member(fields.payload, "content");
  indexed.role = message.role;
  indexed.text = message.text;
  for (const ToolCall& call : message.tool_calls) {
    tools[call.id] = call.name;
    indexed.tool = call.name;
    indexed.text.append("\n").append(call.name).append("\n");
    // OpenAI writes the arguments as a string that holds JSON.
    const std::string written = json_text_or_empty(call.arguments);
    const bool is_json = written.starts_with('{') && check_json(written);
    indexed.text.append(strings_in(is_json ? std::string_view(written) : call.arguments));
  }
  for (const ToolResult& result : message.tool_results) {
    if (const auto known = tools.find(result.call_id); known != tools.end()) {
      indexed.tool = known->second;
    }
    // A message that is itself the result has it for its text.
    if (result.content.data() == content.data()) continue;
    indexed.text.append("\n").append(text_in_content(result.content));
  }
  return indexed;
}

}  // namespace logwood::catalog
