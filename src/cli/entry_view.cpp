#include "cli/entry_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/counted.hpp"
#include "base/json_text.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/time_ago.hpp"
#include "exchange/spilled_file.hpp"
#include "model/message.hpp"
#include "model/summary_text.hpp"

namespace logwood::cli {
namespace {

constexpr std::string_view indent = "    ";
// Of what a tool answered; --full shows all of it.
constexpr std::size_t result_lines_max = 12;

// Each line indented; on a terminal also those that it has to break.
std::string indented(std::string_view printable_text, const Command& command,
                     std::size_t lines_max = static_cast<std::size_t>(-1)) {
  const bool breaks = command.around().on_terminal && command.columns() > 2 * indent.size();
  const std::size_t columns = breaks ? command.columns() - indent.size() : 0;
  std::string text;
  for (std::size_t lines = 0; !printable_text.empty(); ++lines) {
    if (lines == lines_max) {
      const auto left = std::count(printable_text.begin(), printable_text.end(), '\n') +
                        (printable_text.ends_with('\n') ? 0 : 1);
      return text.append(indent).append(command.dim(fmt::format(
                 "… {} with --full", counted(static_cast<std::size_t>(left), "line", "lines")))) +
             "\n";
    }
    const std::size_t end = std::min(printable_text.find('\n'), printable_text.size());
    const std::string_view line = printable_text.substr(0, end);
    const auto parts = breaks ? wrapped(line, columns) : std::vector{std::string(line)};
    for (const std::string& part : parts) text.append(indent).append(part).append("\n");
    printable_text.remove_prefix(std::min(end + 1, printable_text.size()));
  }
  return text;
}

// `→ Bash  npm test`
std::string call_line(const ToolCall& call, const Command& command) {
  const std::string name = "→ " + printable(call.name);
  const std::string given = printable(text_of(call));
  if (command.arguments().has("--full")) return indented(name + "  " + given, command);
  const std::size_t taken = indent.size() + width_of(name) + 2;
  const std::size_t columns = std::max(command.columns(), taken + 20) - taken;
  return std::string(indent) + name + "  " + command.dim(fitted(given, columns)) + "\n";
}

std::string who(const Entry& entry, const Message& message) {
  if (entry.type == "message" && !message.role.empty()) return printable(message.role);
  if (entry.type == "agent_entry") {  // in the words of its agent
    const std::string line =
        json_text_or_empty(json_member(json_member(entry.meta(), "source"), "line"));
    const std::string type = json_text_or_empty(json_member(line, "type"));
    if (!type.empty()) return printable(type);
  }
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
  if (entry.type != "message") {
    const std::string summary = summary_text(entry.type, entry.payload());
    return text +
           indented(summary.empty() ? printable(entry.payload()) : printable(summary, Lines::kept),
                    command);
  }
  const bool is_result = !message.tool_results.empty();
  const std::size_t lines_max = is_result && !command.arguments().has("--full")
                                    ? result_lines_max
                                    : static_cast<std::size_t>(-1);
  text += indented(printable(message.text, Lines::kept), command, lines_max);
  for (const ToolCall& call : message.tool_calls) text += call_line(call, command);
  const std::string_view content = json_member(entry.payload(), "content");
  for (const ToolResult& result : message.tool_results) {
    if (result.failed) text += std::string(indent) + "← failed\n";
    // A message that is itself the result has it for its text.
    if (result.content.data() == content.data() && !message.text.empty()) continue;
    text += indented(printable(text_of(result), Lines::kept), command, lines_max);
  }
  if (!command.arguments().has("--full")) return text;
  for (const exchange::SpilledFile& file : exchange::spilled_files(entry)) {
    text += std::string(indent) + command.dim(printable(file.name)) +
            (file.is_whole ? "\n" : command.dim("  (not all of it is known)") + "\n");
    text += indented(printable(file.bytes, Lines::kept), command);
  }
  return text;
}

std::string entry_line(const Entry& entry) {
  const Message message = read_message(entry.payload());
  std::string text = fmt::format("[{}]", who(entry, message));
  if (const std::string state = state_of(entry); !state.empty()) text += " (" + state + ")";
  const std::string summary = summary_text(entry.type, entry.payload());
  if (!summary.empty()) text += " " + printable(summary);
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
