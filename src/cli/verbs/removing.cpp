// redact, erase and rm: what is hidden, what is gone, what is put away.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "api/names.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

Result<std::vector<EntryId>> entries_of(const Command& command, Store& store,
                                        const SessionId& session) {
  std::vector<EntryId> entries;
  const auto given = command.arguments().operands.find("ENTRY");
  if (given != command.arguments().operands.end()) {
    for (const std::string& name : given->second) {
      LOGWOOD_TRY(EntryId entry, api::entry_named(store, session, name));
      entries.push_back(std::move(entry));
    }
  }
  if (!entries.empty()) return entries;
  return Error{ErrorCode::invalid_argument, "say which entries: logwood show lists their ids"};
}

bool is_yes(std::string_view answer) { return answer == "y" || answer == "Y" || answer == "yes"; }

// On a terminal a person is asked; elsewhere --yes has to be there already.
Result<> confirm(const Command& command, const std::string& question) {
  if (command.arguments().has("--yes")) return {};
  if (!command.around().can_ask) {
    return Error{ErrorCode::invalid_argument, question + " add --yes to do it"};
  }
  LOGWOOD_TRY(const std::string answer, command.ask(question + " [y/N] "));
  if (is_yes(answer)) return {};
  return Error{ErrorCode::invalid_argument, "nothing was done"};
}

// Before anything is erased: a receipt that cannot be kept cannot be had again. The folder is the
// one by name, as one that was removed can still be stood in.
Result<> check_place(const Command& command, const std::string& receipt) {
  const std::filesystem::path file = std::filesystem::path(command.around().folder) / receipt;
  const bool replaces = ::access(file.c_str(), F_OK) == 0;
  const std::filesystem::path written = replaces ? file : file.parent_path();
  if (::access(written.c_str(), W_OK) == 0) return {};
  return Error{ErrorCode::permission_denied,
               fmt::format("nothing was erased: the receipt cannot be written to {}: {}; name "
                           "another place with --receipt FILE",
                           receipt, std::strerror(errno))};
}

Result<> write_receipt(const std::string& path, const std::string& json) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << json << '\n';
  file.close();
  if (file) return {};
  return Error{ErrorCode::unavailable,
               fmt::format("the entries are erased, but the receipt could not be written to {}; "
                           "this is it: {}",
                           path, json)};
}

Result<> restore(const Command& command) {
  if (command.arguments().has("--family")) {
    return Error{ErrorCode::invalid_argument,
                 "--undo brings back one session; name them one by one, without --family"};
  }
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session,
              api::removed_session_named(store, *command.arguments().operand("SESSION")));
  LOGWOOD_CHECK(store.restore(session));
  command.print(command.as_json()
                    ? JsonLine().add("sessionId", session.text).add("restored", true).text()
                    : "back from the trash: " + session.text + "\n");
  return store.close();
}

}  // namespace

Result<> run_redact(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const std::vector<EntryId> entries, entries_of(command, store, session));
  std::vector<RedactionTarget> targets;
  for (const EntryId& entry : entries) {
    targets.push_back({entry, command.arguments().value("--pointer").value_or("")});
  }
  LOGWOOD_TRY(const AppendResult done,
              store.redact(session, targets, command.arguments().value("--reason").value_or("")));
  command.print(command.as_json() ? JsonLine()
                                        .add("sessionId", session.text)
                                        .add("entryId", done.last_appended_entry_id.text)
                                        .text()
                                  : fmt::format("hidden: {}; the bytes stay until logwood erase\n",
                                                counted(entries.size(), "entry", "entries")));
  return store.close();
}

Result<> run_erase(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const std::vector<EntryId> entries, entries_of(command, store, session));
  LOGWOOD_CHECK(
      confirm(command, fmt::format("{} of {} will be gone for good;",
                                   counted(entries.size(), "entry", "entries"), session.text)));
  LOGWOOD_CHECK(
      check_place(command, command.arguments().value("--receipt").value_or("erasure.json")));
  EraseOptions options;
  options.reason = command.arguments().value("--reason").value_or("");
  options.everywhere = command.arguments().has("--everywhere");
  LOGWOOD_TRY(const Erasure erasure, store.erase(session, entries, options));
  const std::string receipt =
      command.arguments()
          .value("--receipt")
          .value_or(fmt::format("erasure-{}.json", erasure.redaction_id.text));
  if (!erasure.entries.empty()) LOGWOOD_CHECK(write_receipt(receipt, to_json(erasure)));
  if (command.as_json()) {
    command.print(to_json(erasure) + "\n");
    return store.close();
  }
  command.print(erasure.entries.empty()
                    ? "they were erased before\n"
                    : fmt::format("erased {}   receipt: {}\n",
                                  counted(erasure.entries.size(), "entry", "entries"),
                                  printable(receipt)));
  for (const Copy& copy : erasure.copies) {
    command.print(fmt::format("{}  {} {}\n", copy.erased ? "erased too" : "still in  ",
                              name_of(copy.kind), printable(copy.name)));
  }
  return store.close();
}

Result<> run_rm(Command& command) {
  if (command.arguments().has("--undo")) return restore(command);
  LOGWOOD_TRY(Store store, command.open_store());
  const auto named = command.arguments().operand("SESSION");
  LOGWOOD_TRY(const SessionId session, api::session_named(store, *named));
  std::vector<SessionId> removed = {session};
  if (command.arguments().has("--family")) {
    LOGWOOD_TRY(removed, store.remove_family(session));
  } else {
    LOGWOOD_CHECK(store.remove(session));
  }
  for (const SessionId& one : removed) {
    command.print(command.as_json()
                      ? JsonLine().add("sessionId", one.text).add("removed", true).text()
                      : "to the trash: " + one.text + "\n");
  }
  return store.close();
}

}  // namespace logwood::cli
