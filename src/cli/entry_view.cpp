#include "cli/entry_view.hpp"

#include <fmt/format.h>

#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/time_ago.hpp"
#include "model/message.hpp"

namespace logwood::cli {
namespace {

std::string indented(std::string_view printable_text) {
  std::string text;
  while (!printable_text.empty()) {
    const std::size_t end = std::min(printable_text.find('\n'), printable_text.size());
    text.append("    ").append(printable_text.substr(0, end)).append("\n");
    printable_text.remove_prefix(std::min(end + 1, printable_text.size()));
  }
  return text;
}

std::string who(const Entry& entry, const Message& message) {
  if (entry.type == "message" && !message.role.empty()) return printable(message.role);
  return printable(entry.type);
}

std::string state_of(const Entry& entry) {
  if (entry.erased) return "erased";
  if (entry.redacted) return "redacted";
  if (entry.incomplete) return "a blob is missing";
  return entry.flagged ? "part of a batch that is not whole" : "";
}

}  // namespace

std::string entry_view(const Entry& entry, const Command& command) {
  const Message message = read_message(entry.payload());
  std::string text = command.bold(who(entry, message)) + "  " +
                     command.dim(fmt::format("{}  {}", printable(entry.id.text),
                                             time_ago(entry.timestamp, command.around().now())));
  if (const std::string state = state_of(entry); !state.empty()) text += "  (" + state + ")";
  text += "\n";
  if (entry.erased) return text;
  if (entry.type != "message") return text + indented(printable(entry.payload()));
  text += indented(printable(message.text, Lines::kept));
  for (const ToolCall& call : message.tool_calls) {
    text +=
        indented(fmt::format("→ {}  {}", printable(call.name), command.dim(printable(call.id))));
  }
  for (const ToolResult& result : message.tool_results) {
    text += indented(fmt::format("← {}{}", command.dim(printable(result.call_id)),
                                 result.failed ? "  failed" : ""));
  }
  return text;
}

std::string entry_line(const Entry& entry) {
  const Message message = read_message(entry.payload());
  std::string text = fmt::format("[{}]", who(entry, message));
  if (const std::string state = state_of(entry); !state.empty()) text += " (" + state + ")";
  if (!message.text.empty()) text += " " + printable(message.text);
  for (const ToolCall& call : message.tool_calls) text += " → " + printable(call.name);
  if (message.text.empty() && !message.tool_results.empty()) text += " ← result";
  return text;
}

std::string entry_json(const Entry& entry) {
  JsonLine line;
  line.add("id", entry.id.text).add("type", entry.type).add("seq", entry.seq);
  if (entry.erased) line.add("erased", true);
  if (entry.redacted) line.add("redacted", true);
  if (entry.incomplete) line.add("incomplete", true);
  if (entry.flagged) line.add("flagged", true);
  return line.add_token("entry", entry.text).text();
}

}  // namespace logwood::cli
