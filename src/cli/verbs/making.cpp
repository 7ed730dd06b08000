// new and append: how sessions come to be and grow.
#include <fmt/format.h>

#include <vector>

#include "base/json_text.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

// The objects of standard input: one on each line, or all of it is one.
std::vector<std::string> lines_of(const std::string& input) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    const std::string line = input.substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

Draft message_of(std::string_view role, std::string_view text) {
  return Draft::of(
      {.type = "message",
       .payload = fmt::format(R"({{"role":"{}","content":{}}})", role, json_quoted(text))});
}

Result<std::vector<Draft>> drafts_of(const Command& command) {
  std::vector<Draft> drafts;
  if (const auto said = command.arguments().value("--user"))
    drafts.push_back(message_of("user", *said));
  if (const auto said = command.arguments().value("--assistant"))
    drafts.push_back(message_of("assistant", *said));
  if (!drafts.empty()) return drafts;
  for (std::string& line : lines_of(command.around().input())) drafts.push_back({std::move(line)});
  if (drafts.empty()) {
    return Error{
        ErrorCode::invalid_argument,
        "there is nothing to append: standard input is empty; give one JSON object a line, "
        "or --user TEXT"};
  }
  return drafts;
}

void print_appended(const Command& command, const AppendResult& result) {
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", result.session_id.text)
                      .add("lastAppendedEntryId", result.last_appended_entry_id.text)
                      .add("appendedCount", result.appended_count)
                      .add("replayed", result.replayed)
                      .text());
  } else {
    command.print(result.last_appended_entry_id.text + "\n");
  }
}

}  // namespace

Result<> run_new(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store(Needs::store_or_new_one));
  NewSession session;
  session.key = command.arguments().value("--key").value_or("");
  session.cwd = command.arguments().value("--cwd").value_or(command.around().folder);
  if (const auto id = command.arguments().value("--id")) session.id = SessionId{*id};
  LOGWOOD_TRY(const SessionHeader made, store.create(session));
  command.print(command.as_json() ? JsonLine().add("sessionId", made.id.text).text()
                                  : made.id.text + "\n");
  return store.close();
}

Result<> run_append(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const std::vector<Draft> drafts, drafts_of(command));
  AppendOptions options;
  if (command.arguments().has("--buffered")) options.durability = Durability::buffered;
  if (const auto tail = command.arguments().value("--expect-tail")) {
    options.expected_tail = ExpectedTail{};
    if (!tail->empty()) options.expected_tail->id = EntryId{*tail};
  }
  if (!command.arguments().has("--each")) {
    LOGWOOD_TRY(const AppendResult appended, store.append(session, drafts, options));
    print_appended(command, appended);
    return store.close();
  }
  for (const Draft& draft : drafts) {
    LOGWOOD_TRY(const AppendResult appended, store.append(session, draft, options));
    print_appended(command, appended);
    if (options.expected_tail) options.expected_tail->id = appended.last_appended_entry_id;
  }
  return store.close();
}

}  // namespace logwood::cli
