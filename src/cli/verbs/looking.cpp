// show, tree, context and status: what is in a session.
#include <fmt/format.h>

#include "api/names.hpp"
#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/entry_view.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/converting.hpp"
#include "cli/verbs/stepping.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/message.hpp"
#include "model/summary_text.hpp"

namespace logwood::cli {
namespace {

std::string or_none(const std::optional<EntryId>& id) { return id ? id->text : "none"; }

}  // namespace

Result<> run_show(Command& command) {
  LOGWOOD_CHECK(command.arguments().check_at_most_one({"--path", "--step", "--raw"}));
  LOGWOOD_CHECK(command.arguments().check_at_most_one({"--path", "--tip"}));
  LOGWOOD_CHECK(command.arguments().check_at_most_one({"--path", "--full"}));
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  if (command.arguments().has("--path")) {
    LOGWOOD_TRY(const SessionStatus status, store.status(session));
    if (status.file.empty() && command.store_is_database()) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("session {} is in a database and has no file; logwood export {} -o "
                               "FILE writes one",
                               session.text, session.text)};
    }
    const std::string path = !status.file.empty()
                                 ? status.file
                                 : fmt::format("{}/{}/{}.jsonl{}", command.store_folder(),
                                               status.archived ? "archive" : "sessions",
                                               session.text, status.archived ? ".zst" : "");
    // A program gets the bytes of the name; a person gets something to look at.
    command.print((command.around().on_terminal ? printable(path) : path) + "\n");
    return {};
  }
  LOGWOOD_TRY(const SessionTree loaded, store.tree(session));
  std::optional<EntryId> tip = loaded.head;
  if (const auto named = command.arguments().value("--tip")) {
    LOGWOOD_TRY(tip, api::entry_named(store, session, *named));
  }
  if (command.arguments().has("--step")) return step_through(command, store, session, tip);
  if (!tip) return {};
  const auto place = loaded.tree.find(tip->text);
  if (!place) {
    return Error{ErrorCode::not_found, fmt::format("entry {} is not in the tree", tip->text)};
  }
  const View view = command.arguments().has("--raw") ? View::stored : View::shown;
  for (const Tree::Place on_path : loaded.tree.path_to(*place)) {
    if (!command.goes_on()) return command.stopped();
    LOGWOOD_TRY(const Entry entry,
                store.find(session, {std::string(loaded.tree.id(on_path))}, view));
    if (command.as_json()) {
      command.print(entry_json(entry));
    } else if (entry.type == "agent_entry" && view == View::shown &&
               !command.arguments().has("--full")) {
      continue;  // says nothing to anybody but its agent
    } else if (view == View::stored) {
      command.print(printable(entry.text) + "\n");
    } else {
      command.print(entry_view(entry, command));
    }
  }
  return {};
}

Result<> run_tree(Command& command) {
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  if (command.as_json() || command.arguments().has("--tips")) {
    LOGWOOD_TRY(const std::vector<Branch> branches, store.branches(session));
    for (const Branch& branch : branches) {
      if (command.as_json()) {
        command.print(JsonLine()
                          .add("tip", branch.tip.text)
                          .add("length", branch.length)
                          .add("timestamp", branch.timestamp)
                          .add("role", branch.role)
                          .add("preview", branch.preview)
                          .add("isHead", branch.is_head)
                          .text());
      } else {
        command.print(
            fmt::format("{} {}  {}  {}\n", branch.is_head ? "*" : " ", printable(branch.tip.text),
                        counted(branch.length, "entry", "entries"), printable(branch.preview)));
      }
    }
    return {};
  }
  LOGWOOD_TRY(const SessionTree loaded, store.tree(session));
  TreeDrawing drawing;
  drawing.text_of = [&](Tree::Place place) {
    const auto entry = store.find(session, {std::string(loaded.tree.id(place))});
    std::string text = entry ? entry_line(*entry) : "(cannot be read)";
    if (loaded.head && loaded.head->text == loaded.tree.id(place)) text += "  ← head";
    return text;
  };
  const std::string drawn = draw(loaded.tree, drawing);
  for (std::size_t at = 0; at < drawn.size();) {
    const std::size_t end = drawn.find('\n', at);
    command.print(fitted(std::string_view(drawn).substr(at, end - at), command.columns()) + "\n");
    at = end + 1;
  }
  return {};
}

namespace {

// The context as a request, and on standard error what becomes of it.
Result<> print_request(Command& command, Store& store, const SessionId& session,
                       const ContextOptions& context) {
  LOGWOOD_TRY(RequestOptions options, request_options(command));
  options.tip = context.tip;
  options.max_tokens = context.max_tokens;
  LOGWOOD_TRY(const Request request, store.request(session, options));
  if (command.as_json()) {
    JsonLine line;
    line.add_token("request", request.body).add_token("report", request.report.to_json());
    line.add("tokens", request.size.tokens);
    if (!request.prefix_hash.empty()) line.add("prefixHash", request.prefix_hash);
    command.print(line.text());
    return {};
  }
  tell(command, request.report);
  command.print(request.body + "\n");
  return {};
}

}  // namespace

Result<> run_context(Command& command) {
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  ContextOptions options;
  if (const auto named = command.arguments().value("--tip")) {
    LOGWOOD_TRY(options.tip, api::entry_named(store, session, *named));
  }
  if (command.arguments().has("--max-tokens")) {
    LOGWOOD_TRY(options.max_tokens, command.number("--max-tokens", 0));
  }
  if (command.arguments().has("--for")) return print_request(command, store, session, options);
  LOGWOOD_TRY(const Context context, store.context(session, options));
  for (const ContextMessage& message : context.messages) {
    if (command.as_json()) {
      command.print(JsonLine()
                        .add("entryId", message.entry_id.text)
                        .add("type", message.type)
                        .add_token("payload", message.payload)
                        .text());
    } else {
      const Message read = read_message(message.payload);
      const std::string who = read.role.empty() ? message.type : read.role;
      const std::string summary = summary_text(message.type, message.payload);
      command.print(fitted(fmt::format("{}  {}  {}", message.entry_id.text, printable(who),
                                       printable(summary.empty() ? read.text : summary)),
                           command.columns()) +
                    "\n");
    }
  }
  for (const PassedOver& passed : context.passed_over) {
    command.around().err(
        fmt::format("logwood: passed over {}: {}\n", passed.entry_id.text, name_of(passed.reason)));
  }
  return {};
}

Result<> run_status(Command& command) {
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  LOGWOOD_TRY(const Resumed resumed, store.resume(session));
  auto verified = store.verify(session, command.progress("verifying " + session.text));
  if (!verified && command.around().is_interrupted()) return command.stopped();
  LOGWOOD_TRY(const VerifyReport report, std::move(verified));
  LOGWOOD_TRY(const SessionStatus status, store.status(session));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", session.text)
                      .add("head", resumed.head)
                      .add("turns", resumed.report.turns_restored)
                      .add("unfinished", resumed.report.unfinished.size())
                      .add("entries", report.entries)
                      .add("problems", report.problem_count)
                      .add("sound", report.is_sound())
                      .add("archived", status.archived)
                      .add("readOnly", status.read_only)
                      .text());
    return {};
  }
  command.print(fmt::format("session     {}\n", session.text));
  command.print(fmt::format("head        {}\n", or_none(resumed.head)));
  command.print(fmt::format("turns       {}\n", resumed.report.turns_restored));
  for (const UnfinishedCall& call : resumed.report.unfinished) {
    command.print(fmt::format("unfinished  {} {} of entry {}, {}\n", printable(call.name),
                              printable(call.call_id), call.entry_id.text,
                              call.state == CallState::started ? "started" : "requested"));
  }
  for (const Problem& problem : report.problems) {
    command.print(fmt::format("problem     {}\n", printable(describe(problem))));
  }
  if (!status.read_only.empty()) {
    command.print(fmt::format("read-only   {}\n", printable(status.read_only)));
  }
  command.print(report.is_sound() ? "sound\n" : "DAMAGED\n");
  return {};
}

}  // namespace logwood::cli
