#include "cli/session_row.hpp"

#include <fmt/format.h>

#include "api/all_sessions.hpp"
#include "base/counted.hpp"
#include "base/json_text.hpp"
#include "cli/json_line.hpp"
#include "cli/quantity.hpp"
#include "cli/terminal_text.hpp"
#include "cli/time_ago.hpp"
#include "cli/token_count.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t uuid_size = 36;
constexpr std::size_t title_columns_min = 10;

std::string what_is_unusual(const SessionSummary& summary) {
  std::string text;
  const auto add = [&](const std::string& word) { text += "  " + word; };
  if (summary.is_brief) add(short_size(summary.size_bytes));
  if (summary.branches > 1) add(counted(summary.branches, "branch", "branches"));
  if (summary.state != SessionState::ok) add(std::string(name_of(summary.state)));
  for (const std::string& tag : summary.tags) add("#" + printable(tag));
  return text;
}

std::string object_of(const JsonLine& line) {
  std::string text = line.text();
  text.pop_back();  // the line break
  return text;
}

}  // namespace

std::string short_id(std::string_view id) {
  if (id.size() == uuid_size) return std::string(id.substr(uuid_size - short_id_columns));
  return printable(id);
}

std::string id_cell(std::string_view id) {
  const std::string name = short_id(id);
  // One that was given is not cut: it must be possible to type it.
  return width_of(name) > short_id_columns ? name : padded(name, short_id_columns);
}

std::string session_name(std::string_view id) {
  const std::string of_agent = api::agent_name_of(id);
  return of_agent.empty() ? short_id(id) : printable(of_agent);
}

std::size_t name_width(std::string_view id) { return width_of(api::agent_name_of(id)); }

std::string session_cell(std::string_view id, std::size_t columns) {
  const std::string name = session_name(id);
  return width_of(name) > columns ? name : padded(name, columns);
}

std::string session_row(const SessionSummary& summary, const Command& command,
                        std::size_t name_columns, std::size_t indent) {
  const std::uint64_t tokens = all_tokens(summary.usage.tokens);
  const std::string front =
      fmt::format("{}  {}  {:>9}  {:>8}  ", session_cell(summary.header.id.text, name_columns),
                  padded(time_ago(summary.last_active, command.around().now()), 12),
                  summary.is_brief ? "-" : counted(summary.turns, "turn", "turns"),
                  tokens == 0 ? "-" : short_count(tokens) + " tok");
  const std::string back = what_is_unusual(summary);
  const std::size_t taken = indent + width_of(front) + width_of(back);
  const std::size_t for_title =
      command.columns() > taken + title_columns_min ? command.columns() - taken : title_columns_min;
  const std::string title = printable(summary.title.empty() ? summary.header.key : summary.title);
  return front + (back.empty() ? fitted(title, for_title) : padded(title, for_title)) +
         command.dim(back) + "\n";
}

std::string summary_json(const SessionSummary& summary) {
  JsonLine line;
  const SessionHeader& header = summary.header;
  line.add("id", header.id.text).add("created", header.created);
  line.add("lastActive", summary.last_active).add("title", summary.title);
  if (!header.key.empty()) {
    const KeyParts parts = parts_of_key(header.key);
    line.add("key", header.key).add("agent", parts.agent).add("channel", parts.channel);
    line.add("peerKind", parts.peer_kind).add("peer", parts.peer);
  }
  if (!summary.cwd.empty()) line.add("cwd", summary.cwd);
  if (header.origin) {
    JsonLine origin;
    origin.add("agent", header.origin->agent).add("sessionId", header.origin->session_id);
    if (header.origin->entry_id) origin.add("entryId", header.origin->entry_id->text);
    line.add_token("origin", object_of(origin));
  }
  if (header.parent) line.add("parentSessionId", header.parent->session_id.text);
  line.add("entries", summary.entries).add("userMessages", summary.user_messages);
  line.add("turns", summary.turns).add("messages", summary.usage.messages);
  add_tokens(line, summary.usage.tokens);
  line.add("toolCalls", summary.usage.tool_calls);
  JsonLine tools;
  for (const ToolUse& tool : summary.tools) tools.add(tool.name, tool.calls);
  line.add_token("tools", object_of(tools));
  if (summary.usage.duration) line.add("durationMs", summary.usage.duration->count());
  line.add("branches", summary.branches).add("sizeBytes", summary.size_bytes);
  line.add("state", name_of(summary.state));
  std::string tags;
  for (const std::string& tag : summary.tags) tags += (tags.empty() ? "" : ",") + json_quoted(tag);
  line.add_token("tags", "[" + tags + "]");
  if (!summary.expires_at.empty()) line.add("expiresAt", summary.expires_at);
  if (summary.is_brief) line.add("brief", true);
  return line.text();
}

}  // namespace logwood::cli
