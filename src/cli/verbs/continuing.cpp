// continue: a session goes on in another agent.
#include "api/continuing.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "api/names.hpp"
#include "base/counted.hpp"
#include "base/shell_word.hpp"
#include "base/timestamp.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

// Those that files are written for, as a person may name them.
std::string names_of_agents() {
  std::string names;
  for (const exchange::Format& format : exchange::formats()) {
    if (format.write == nullptr) continue;
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  return names;
}

Result<const exchange::Format*> agent_of(const Command& command) {
  const auto name = command.arguments().value("--in");
  if (!name) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("say in which agent: --in {}", names_of_agents())};
  }
  const exchange::Format* const format = exchange::format_named(*name);
  if (format != nullptr && format->write != nullptr) return format;
  return Error{
      ErrorCode::invalid_argument,
      fmt::format("sessions are not written for {}, only for {}", *name, names_of_agents())};
}

// The folder that is named, else that of the session while it is there, else this one.
Result<std::string> folder_for(const Command& command, api::FoundSession& found) {
  if (const auto named = command.arguments().value("--cwd")) return command.folder(*named);
  LOGWOOD_TRY(const SessionStatus status, found.store.status(found.id));
  std::error_code failed;
  const bool is_there = std::filesystem::is_directory(status.header.cwd, failed);
  return is_there ? status.header.cwd : command.folder(".");
}

std::string what_is_kept(const exchange::KeptCounts& kept) {
  std::string text = counted(kept.turns, "turn", "turns");
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0) text += ", " + counted(count, one, many);
  };
  add(kept.tool_calls, "tool call", "tool calls");
  if (kept.tool_calls > 0)
    text += fmt::format(" with {}", counted(kept.results, "result", "results"));
  add(kept.reasoning, "reasoning block", "reasoning blocks");
  add(kept.images, "image", "images");
  add(kept.compactions, "compaction", "compactions");
  return text;
}

// `17 × reasoning …`: what is the same is told once.
void tell_warnings(const Command& command, std::string_view heading, const Compatibility& report,
                   bool (*is_wanted)(std::string_view severity)) {
  std::map<std::string, std::pair<std::size_t, std::string>> by_code;
  for (const RequestWarning& warning : report.warnings) {
    if (!is_wanted(warning.severity)) continue;
    auto& [count, text] = by_code[warning.code];
    if (count++ == 0) text = warning.text;
  }
  for (const auto& [code, told] : by_code) {
    const std::string times = told.first > 1 ? fmt::format("{} times: ", told.first) : "";
    command.print(fmt::format("{:<9}{}{}\n", heading, times, printable(told.second)));
    heading = "";
  }
}

void print_continued(const Command& command, const api::Continued& done) {
  if (done.is_same) {
    command.print(
        fmt::format("{:<9}{}\n", done.already_there ? "there" : "wrote", printable(done.file)));
    command.print(done.already_there ? "         as the agent left it\n"
                                     : "         byte for byte as it was\n");
    return;
  }
  command.print(fmt::format("{:<9}{}\n", "keeps", what_is_kept(done.kept)));
  tell_warnings(command, "changes", done.report, [](std::string_view severity) {
    return severity == "transformed" || severity == "added";
  });
  tell_warnings(command, "loses", done.report, [](std::string_view severity) {
    return severity == "lossy" || severity == "blocking";
  });
  if (done.branches_left > 0) {
    command.print(fmt::format("{:<9}{}: the file has one path\n", "without",
                              counted(done.branches_left, "other branch", "other branches")));
  }
  command.print(fmt::format("{:<9}{}   the source is untouched\n", "wrote", printable(done.file)));
}

}  // namespace

Result<> run_continue(Command& command) {
  LOGWOOD_TRY(const exchange::Format* const agent, agent_of(command));
  LOGWOOD_TRY(auto found, command.found_session());
  api::ContinueOptions options;
  options.agent = agent;
  options.variable = command.around().variable;
  options.now = format_timestamp(command.around().now());
  LOGWOOD_TRY(options.cwd, folder_for(command, found));
  if (const auto tip = command.arguments().value("--tip")) {
    LOGWOOD_TRY(options.tip, api::entry_named(found.store, found.id, *tip));
  }
  LOGWOOD_TRY(const api::Continued done, api::continue_in(found.store, found.id, options));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", found.id.text)
                      .add("agent", agent->name)
                      .add("file", done.file)
                      .add("agentSessionId", done.session_id)
                      .add("command", shell_command(done.command))
                      .add("cwd", done.cwd)
                      .add("isSame", done.is_same)
                      .add("alreadyThere", done.already_there)
                      .add("turns", done.kept.turns)
                      .add("toolCalls", done.kept.tool_calls)
                      .add("results", done.kept.results)
                      .add("reasoning", done.kept.reasoning)
                      .add("images", done.kept.images)
                      .add("compactions", done.kept.compactions)
                      .add("branchesLeft", done.branches_left)
                      .add_token("report", done.report.to_json())
                      .text());
    return {};
  }
  print_continued(command, done);
  const bool is_elsewhere = done.cwd != command.around().folder && !done.cwd.empty();
  command.print(
      fmt::format("run:     {}{}\n",
                  is_elsewhere ? fmt::format("cd {} && ", printable(shell_word(done.cwd))) : "",
                  printable(shell_command(done.command))));
  if (!command.around().can_ask || !command.around().become) return {};
  LOGWOOD_TRY(const auto answer, command.ask("start it now? [Y/n] "));
  LOGWOOD_CHECK(command.stopped("the file is written"));
  const bool is_wanted =
      answer && (answer->empty() || *answer == "y" || *answer == "Y" || *answer == "yes");
  if (!is_wanted) return {};
  Result<> started = command.around().become(done.command, done.cwd);
  if (started) return {};
  return Error{started.error().code, started.error().message +
                                         "; the file is written, and the command above goes on "
                                         "with it"};
}

}  // namespace logwood::cli
