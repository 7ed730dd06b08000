// redact, erase and rm: what is hidden, what is gone, what is put away.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "api/erase.hpp"
#include "api/ledger.hpp"
#include "api/names.hpp"
#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"
#include "model/redaction.hpp"

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

// A redaction whose pointer leads nowhere hides all of the entry, which is not what was asked for.
Result<> check_pointer(Store& store, const SessionId& session, const EntryId& entry,
                       const std::string& pointer) {
  LOGWOOD_TRY(const Entry found, store.find(session, entry, View::stored));
  if (string_at(found.text, pointer)) return {};
  return Error{ErrorCode::not_found,
               fmt::format("entry {} has no string at {}; logwood show {} --raw prints what it has",
                           entry.text, pointer, session.text)};
}

// On a terminal a person is asked; elsewhere --yes has to be there already.
Result<> confirm(const Command& command, const std::string& question) {
  if (command.arguments().has("--yes")) return {};
  if (!command.around().can_ask) {
    return Error{ErrorCode::invalid_argument, question + " add --yes to do it"};
  }
  LOGWOOD_TRY(const auto answer, command.ask(question + " [y/N] "));
  if (answer && is_yes(*answer)) return {};
  return Error{ErrorCode::invalid_argument, "nothing was done"};
}

// The receipt is what is left to prove it: where it cannot be kept, it is printed.
Result<> check_kept(const Command& command, const api::Erased& erased) {
  if (erased.kept) return {};
  if (!command.as_json()) command.print(to_json(erased.erasure) + "\n");
  // Whatever the reason was: the entries are gone, and to try again would not bring the file.
  return Error{ErrorCode::no_space,
               fmt::format("the entries are erased, but the receipt is in no file: {}; keep what "
                           "was printed, it is the receipt",
                           erased.kept.error().message)};
}

void print(const Command& command, const SubjectErasure& erasure) {
  if (command.as_json()) {
    command.print(to_json(erasure) + "\n");
    return;
  }
  command.print(fmt::format("erased {} of {}\n",
                            counted(erasure.sessions.size(), "session", "sessions"),
                            printable(erasure.key_prefix)));
  for (const Copy& copy : erasure.copies) {
    command.print(fmt::format("still in    {} {}\n", name_of(copy.kind), printable(copy.name)));
  }
}

// Everything about one person; or, with --again, about all of whom the ledger tells.
Result<> erase_subject(const Command& command) {
  if (command.arguments().operand("SESSION")) {
    return Error{ErrorCode::invalid_argument,
                 "--subject and --again are about whole sessions; name none"};
  }
  constexpr std::size_t ledger_size_max = 64U << 20U;
  const auto prefix = command.arguments().value("--subject");
  const std::string ledger = command.arguments().value("--ledger").value_or("erasures.jsonl");
  const Progress progress = command.progress("erasing", "sessions");
  if (prefix && command.arguments().has("--again")) {
    return Error{ErrorCode::invalid_argument,
                 "--again erases all that the ledger tells of; leave --subject out"};
  }
  LOGWOOD_CHECK(
      confirm(command, prefix ? fmt::format("every session whose key begins with {} will be "
                                            "gone for good;",
                                            printable(*prefix))
                              : "every session that the ledger tells of will be gone for good;"));
  LOGWOOD_TRY(Store store, command.open_store());
  const std::string path = (std::filesystem::path(command.around().folder) / ledger).string();
  if (prefix) {
    LOGWOOD_TRY(const SubjectErasure erasure, api::erase_subject(store, *prefix, path, progress));
    print(command, erasure);
  } else {
    LOGWOOD_TRY(const std::string text, command.read_file(path, ledger_size_max));
    LOGWOOD_TRY(const auto erasures, api::erase_again(store, text, progress));
    for (const SubjectErasure& erasure : erasures) print(command, erasure);
  }
  return store.close();
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
  const std::string pointer = command.arguments().value("--pointer").value_or("");
  std::vector<RedactionTarget> targets;
  for (const EntryId& entry : entries) {
    if (!pointer.empty()) LOGWOOD_CHECK(check_pointer(store, session, entry, pointer));
    targets.push_back({entry, pointer});
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
  if (command.arguments().value("--subject") || command.arguments().has("--again")) {
    return erase_subject(command);
  }
  if (!command.arguments().operand("SESSION")) {
    return Error{ErrorCode::invalid_argument,
                 "say which session and which entries, or whose sessions: --subject KEY-PREFIX"};
  }
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const std::vector<EntryId> entries, entries_of(command, store, session));
  LOGWOOD_CHECK(
      confirm(command, fmt::format("{} of {} will be gone for good;",
                                   counted(entries.size(), "entry", "entries"), session.text)));
  EraseOptions options;
  options.reason = command.arguments().value("--reason").value_or("");
  options.everywhere = command.arguments().has("--everywhere");
  LOGWOOD_TRY(const api::Erased erased,
              api::erase_with_receipt(store, session, entries, options, command.around().folder,
                                      command.arguments().value("--receipt")));
  const Erasure& erasure = erased.erasure;
  if (command.as_json()) {
    command.print(to_json(erasure) + "\n");
  } else {
    command.print(erasure.entries.empty()
                      ? "they were erased before\n"
                      : fmt::format("erased {}{}\n",
                                    counted(erasure.entries.size(), "entry", "entries"),
                                    erased.kept ? "   receipt: " + printable(erased.file) : ""));
    for (const Copy& copy : erasure.copies) {
      command.print(fmt::format("{}  {} {}\n", copy.erased ? "erased too" : "still in  ",
                                name_of(copy.kind), printable(copy.name)));
    }
  }
  LOGWOOD_CHECK(check_kept(command, erased));
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
