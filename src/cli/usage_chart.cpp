#include "cli/usage_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/counted.hpp"
#include "cli/json_line.hpp"
#include "cli/quantity.hpp"
#include "cli/terminal_text.hpp"
#include "cli/token_count.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t days_shown = 14;
constexpr std::size_t rows_shown = 10;
constexpr std::size_t name_columns = 24;

struct Unit {
  std::string_view one;
  std::string_view many;
};

using Amount = std::function<std::uint64_t(const UsageOf&)>;

// In eighths of a column, so that small differences can be seen.
std::string bar(std::uint64_t amount, std::uint64_t most, std::size_t columns) {
  static constexpr const char* parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (most == 0) return {};
  std::size_t eighths = static_cast<std::size_t>(
      static_cast<double>(amount) / static_cast<double>(most) * static_cast<double>(columns * 8));
  if (amount > 0) eighths = std::max<std::size_t>(eighths, 1);
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + parts[eighths % 8];
}

std::string chart(std::string_view heading, std::vector<UsageOf> rows, const Amount& amount,
                  const Unit& unit, const Command& command) {
  if (rows.empty()) return {};
  std::uint64_t most = 0;
  for (const UsageOf& row : rows) most = std::max(most, amount(row));
  std::string text = "\n" + command.bold(heading) + "\n";
  const std::size_t taken = 2 + name_columns + 2 + 10 + 2 + 14 + 2;
  const std::size_t columns = command.columns() > taken + 10 ? command.columns() - taken : 10;
  for (const UsageOf& row : rows) {
    const std::string name = row.name.empty() ? "(not said)" : printable(row.name);
    text += fmt::format(
        "  {}  {:>10}  {:>14}  {}\n", padded(name, name_columns),
        fmt::format("{} {}", short_count(amount(row)), amount(row) == 1 ? unit.one : unit.many),
        counted(row.sessions, "session", "sessions"), bar(amount(row), most, columns));
  }
  return text;
}

template <class Row>
std::vector<Row> first(const std::vector<Row>& rows, std::size_t count) {
  return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), count))};
}

std::string row_json(std::string_view by, const UsageOf& row) {
  JsonLine line;
  line.add("by", by).add("name", row.name).add("sessions", row.sessions);
  line.add("userMessages", row.user_messages).add("messages", row.messages);
  add_tokens(line, row.tokens);
  return line.text();
}

}  // namespace

std::string totals_view(const StoreTotals& totals, const Command& command) {
  const Usage& tokens = totals.tokens;
  std::string text =
      fmt::format("{}, {}\n{} of the user, {} of the assistant, {}\n",
                  counted(totals.sessions, "session", "sessions"), short_size(totals.size_bytes),
                  counted(totals.user_messages, "message", "messages"), totals.messages,
                  counted(totals.tool_calls, "tool call", "tool calls"));
  const bool knows_tokens = all_tokens(tokens) > 0;
  if (knows_tokens) {
    text += fmt::format(
        "tokens: {} in, {} out, {} read from a cache, {} written to one\n",
        short_count(tokens.input.value_or(0)), short_count(tokens.output.value_or(0)),
        short_count(tokens.cache_read.value_or(0)), short_count(tokens.cache_creation.value_or(0)));
  }
  const Amount by_tokens = [](const UsageOf& row) { return all_tokens(row.tokens); };
  const Amount by_count = [](const UsageOf& row) { return row.messages; };
  // Where no provider said what it used, messages are what can be counted.
  const Amount& by_most = knows_tokens ? by_tokens : by_count;
  const Unit unit = knows_tokens ? Unit{"tok", "tok"} : Unit{"msg", "msg"};
  const std::size_t days = std::min(totals.by_day.size(), days_shown);
  text += chart("by day",
                {totals.by_day.end() - static_cast<std::ptrdiff_t>(days), totals.by_day.end()},
                by_most, unit, command);
  text += chart("by model", first(totals.by_model, rows_shown), by_most, unit, command);
  text += chart("by tool", first(totals.by_tool, rows_shown), by_count, {"call", "calls"}, command);
  return text;
}

std::string totals_json(const StoreTotals& totals) {
  UsageOf all;
  all.sessions = totals.sessions;
  all.user_messages = totals.user_messages;
  all.messages = totals.messages;
  all.tokens = totals.tokens;
  std::string text = row_json("all", all);
  for (const UsageOf& row : totals.by_day) text += row_json("day", row);
  for (const UsageOf& row : totals.by_model) text += row_json("model", row);
  for (const UsageOf& row : totals.by_tool) text += row_json("tool", row);
  return text;
}

}  // namespace logwood::cli
