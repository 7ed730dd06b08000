// head, fork, label and diff: working with branches.
#include <fmt/format.h>

#include "api/names.hpp"
#include "cli/command.hpp"
#include "cli/entry_view.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/converting.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

Result<EntryId> entry_of(const Command& command, Store& store, const SessionId& session,
                         std::string_view operand) {
  return api::entry_named(store, session, command.arguments().operand(operand).value_or("~0"));
}

void print_entries(const Command& command, Store& store, const SessionId& session, const Tree& tree,
                   const std::vector<Tree::Place>& places, std::string_view side) {
  for (const Tree::Place place : places) {
    const EntryId id{std::string(tree.id(place))};
    const auto entry = store.find(session, id);
    if (command.as_json()) {
      command.print(JsonLine().add("side", side).add("entryId", id.text).text());
    } else {
      const std::string line =
          fmt::format("{} {}  {}", side, id.text, entry ? entry_line(*entry) : "(cannot be read)");
      command.print(fitted(line, command.columns()) + "\n");
    }
  }
}

}  // namespace

Result<> run_head(Command& command) {
  LOGWOOD_CHECK(command.arguments().check_at_most_one({"ENTRY", "--before-first"}));
  const auto target = command.arguments().operand("ENTRY");
  const bool moves = target || command.arguments().has("--before-first");
  if (!moves && command.arguments().has("--expect")) {
    return Error{ErrorCode::invalid_argument,
                 "--expect is for a move of the head: name an ENTRY, or --before-first"};
  }
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  if (moves) {
    std::optional<EntryId> to;
    if (target) {
      LOGWOOD_TRY(to, api::entry_named(store, session, *target));
    }
    AppendOptions options;
    if (const auto expected = command.arguments().value("--expect")) {
      LOGWOOD_TRY(const EntryId seen, api::entry_named(store, session, *expected));
      options.expected_head = ExpectedHead{seen};
    }
    LOGWOOD_CHECK(store.move_head(session, to, options));
  }
  LOGWOOD_TRY(const SessionStatus status, store.status(session));
  command.print(command.as_json()
                    ? JsonLine().add("sessionId", session.text).add("head", status.head).text()
                    : (status.head ? status.head->text : std::string("before the first entry")) +
                          "\n");
  return store.close();
}

namespace {

// A session for another model, and on standard error what that cost.
Result<> fork_for(Command& command, Store& store, const SessionId& session, const EntryId& entry,
                  const ForkOptions& fork) {
  LOGWOOD_TRY(RequestOptions options, request_options(command));
  options.tip = entry;
  LOGWOOD_TRY(const MigratedSession made, store.fork_for(session, options, fork));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", made.header.id.text)
                      .add("entryId", entry.text)
                      .add_token("report", made.report.to_json())
                      .text());
  } else {
    tell(command, made.report);
    command.print(made.header.id.text + "\n");
  }
  return store.close();
}

}  // namespace

Result<> run_fork(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const EntryId entry, entry_of(command, store, session, "ENTRY"));
  ForkOptions options;
  if (const auto id = command.arguments().value("--id")) options.id = SessionId{*id};
  options.key = command.arguments().value("--key").value_or("");
  if (command.arguments().has("--for")) return fork_for(command, store, session, entry, options);
  LOGWOOD_TRY(const SessionHeader fork, store.fork(session, entry, options));
  command.print(command.as_json()
                    ? JsonLine().add("sessionId", fork.id.text).add("entryId", entry.text).text()
                    : fork.id.text + "\n");
  return store.close();
}

Result<> run_label(Command& command) {
  LOGWOOD_CHECK(command.arguments().check_at_most_one({"--delete", "ENTRY"}));
  const auto name = command.arguments().operand("NAME");
  const bool deletes = command.arguments().has("--delete");
  if (deletes && !name) {
    return Error{ErrorCode::invalid_argument,
                 "say which label to delete: logwood label SESSION lists them"};
  }
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  if (name) {
    std::optional<EntryId> target;
    if (deletes) {
      LOGWOOD_CHECK(store.find_label(session, *name));  // what is not there cannot go
    } else {
      LOGWOOD_TRY(target, entry_of(command, store, session, "ENTRY"));
    }
    LOGWOOD_CHECK(store.set_label(session, *name, target));
    if (command.as_json())
      command.print(JsonLine().add("name", *name).add("entryId", target).text());
    return store.close();
  }
  LOGWOOD_TRY(const std::vector<Label> labels, store.labels(session));
  for (const Label& label : labels) {
    command.print(
        command.as_json()
            ? JsonLine().add("name", label.name).add("entryId", label.entry_id.text).text()
            : fmt::format("{}  {}\n", label.entry_id.text, printable(label.name)));
  }
  return {};
}

Result<> run_diff(Command& command) {
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  LOGWOOD_TRY(const EntryId left, entry_of(command, store, session, "LEFT"));
  LOGWOOD_TRY(const EntryId right, entry_of(command, store, session, "RIGHT"));
  LOGWOOD_TRY(const SessionTree loaded, store.tree(session));
  const auto left_place = loaded.tree.find(left.text);
  const auto right_place = loaded.tree.find(right.text);
  if (!left_place || !right_place) {
    return Error{ErrorCode::not_found, "one of them is not in the tree: marks have no branch"};
  }
  const BranchDiff between = diff(loaded.tree, *left_place, *right_place);
  if (between.common_ancestor) {
    print_entries(command, store, session, loaded.tree, {*between.common_ancestor}, "=");
  }
  print_entries(command, store, session, loaded.tree, between.only_left, "<");
  print_entries(command, store, session, loaded.tree, between.only_right, ">");
  return {};
}

}  // namespace logwood::cli
