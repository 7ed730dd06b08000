// new and append: how sessions come to be and grow.
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <vector>

#include "api/names.hpp"
#include "base/counted.hpp"
#include "base/json_text.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

// A line that is longer holds no entry, and more lines no batch: nothing beyond that is read.
constexpr std::size_t line_size_max = (16U << 20U) + (64U << 10U);
constexpr std::size_t input_size_max = 64U << 20U;

// The next object of standard input; nothing at its end. Blank lines are for the reader.
Result<std::optional<Draft>> next_draft(const Command& command) {
  while (true) {
    LOGWOOD_TRY(std::optional<std::string> line, command.around().line(line_size_max));
    if (!line) return std::optional<Draft>();
    if (line->find_first_not_of(" \t\r") != std::string::npos) {
      return std::optional(Draft{*std::move(line)});
    }
  }
}

Draft message_of(std::string_view role, std::string_view text) {
  return Draft::of(
      {.type = "message",
       .payload = fmt::format(R"({{"role":"{}","content":{}}})", role, json_quoted(text))});
}

// What the options say; empty: they say nothing.
std::vector<Draft> drafts_of_options(const Command& command) {
  std::vector<Draft> drafts;
  if (const auto said = command.arguments().value("--user"))
    drafts.push_back(message_of("user", *said));
  if (const auto said = command.arguments().value("--assistant"))
    drafts.push_back(message_of("assistant", *said));
  return drafts;
}

Error nothing_to_append() {
  return {ErrorCode::invalid_argument,
          "there is nothing to append: standard input is empty; give one JSON object a line, or "
          "--user TEXT"};
}

Result<std::vector<Draft>> drafts_of_input(const Command& command) {
  std::vector<Draft> drafts;
  for (std::size_t size = 0;;) {
    LOGWOOD_TRY(std::optional<Draft> draft, next_draft(command));
    if (!draft) break;
    size += draft->text.size();
    if (size > input_size_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("one batch has at most {} bytes; --each appends every line as a "
                               "batch of its own",
                               input_size_max)};
    }
    drafts.push_back(*std::move(draft));
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
  const auto folder = command.arguments().value("--cwd");
  session.cwd = folder ? command.folder(*folder) : command.around().folder;
  if (const auto id = command.arguments().value("--id")) session.id = SessionId{*id};
  LOGWOOD_TRY(const SessionHeader made, store.create(session));
  command.print(command.as_json() ? JsonLine().add("sessionId", made.id.text).text()
                                  : made.id.text + "\n");
  return store.close();
}

namespace {

// One batch for each draft that `next` gives.
Result<> append_each(const Command& command, Store& store, const SessionId& session,
                     AppendOptions options,
                     const std::function<Result<std::optional<Draft>>()>& next) {
  for (std::size_t count = 0;; ++count) {
    LOGWOOD_TRY(const std::optional<Draft> draft, next());
    if (command.around().is_interrupted()) {
      return command.stopped(fmt::format("{} appended, what follows was not",
                                         counted(count, "entry was", "entries were")));
    }
    if (!draft && count == 0) return nothing_to_append();
    if (!draft) return store.close();
    auto appended = store.append(session, *draft, options);
    if (!appended) return std::move(appended).error().within(fmt::format("entry {}", count + 1));
    print_appended(command, *appended);
    LOGWOOD_CHECK(command.flush());  // whoever feeds it may wait for the answer
    if (options.expected_tail) options.expected_tail->id = appended->last_appended_entry_id;
  }
}

}  // namespace

Result<> run_append(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  AppendOptions options;
  if (command.arguments().has("--buffered")) options.durability = Durability::buffered;
  if (const auto tail = command.arguments().value("--expect-tail")) {
    options.expected_tail = ExpectedTail{};
    if (!tail->empty()) {
      LOGWOOD_TRY(options.expected_tail->id, api::entry_named(store, session, *tail));
    }
  }
  std::vector<Draft> drafts = drafts_of_options(command);
  if (command.arguments().has("--each")) {
    std::size_t at = 0;
    const bool from_input = drafts.empty();
    return append_each(command, store, session, options, [&]() -> Result<std::optional<Draft>> {
      if (from_input) return next_draft(command);
      return at < drafts.size() ? std::optional(drafts[at++]) : std::nullopt;
    });
  }
  if (drafts.empty()) {
    LOGWOOD_TRY(drafts, drafts_of_input(command));
  }
  // Ctrl-C while they were typed: what is there is not what was meant.
  if (command.around().is_interrupted()) return command.stopped("nothing was appended");
  if (drafts.empty()) return nothing_to_append();
  LOGWOOD_TRY(const AppendResult appended, store.append(session, drafts, options));
  print_appended(command, appended);
  return store.close();
}

}  // namespace logwood::cli
