// archive: sessions that take less room and can still be read.
#include <fmt/format.h>

#include <vector>

#include "api/names.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

std::string described(const SessionId& session, const ArchiveResult& result, bool undone) {
  if (!result.changed) {
    return fmt::format("{}  {} already, {} bytes\n", session.text,
                       undone ? "not archived" : "archived",
                       undone ? result.session_bytes : result.archive_bytes);
  }
  return fmt::format("{}  {} → {} bytes\n", session.text,
                     undone ? result.archive_bytes : result.session_bytes,
                     undone ? result.session_bytes : result.archive_bytes);
}

Result<ArchiveResult> keep(const Command& command, Store& store, const SessionId& session,
                           bool undone) {
  const Progress progress =
      command.progress((undone ? "bringing back " : "archiving ") + session.text);
  auto result = undone ? store.unarchive(session, progress) : store.archive(session, progress);
  if (!result && command.around().is_interrupted()) {
    return command
        .stopped(fmt::format("session {} stays as it was, and so do those after it", session.text))
        .error();
  }
  return result;
}

}  // namespace

Result<> run_archive(Command& command) {
  const auto named = command.arguments().operands.find("SESSION");
  if (named == command.arguments().operands.end() || named->second.empty()) {
    return Error{ErrorCode::invalid_argument, "say which sessions: logwood ls -a lists them"};
  }
  const bool undone = command.arguments().has("--undo");
  LOGWOOD_TRY(Store store, command.open_store());
  std::vector<SessionId> sessions;  // all of them, before anything is done with the first
  for (const std::string& name : named->second) {
    LOGWOOD_TRY(SessionId session, api::session_named(store, name));
    sessions.push_back(std::move(session));
  }
  for (const SessionId& session : sessions) {
    LOGWOOD_TRY(const ArchiveResult result, keep(command, store, session, undone));
    command.print(command.as_json() ? JsonLine()
                                          .add("sessionId", session.text)
                                          .add("archived", !undone)
                                          .add("changed", result.changed)
                                          .add("sessionBytes", result.session_bytes)
                                          .add("archiveBytes", result.archive_bytes)
                                          .text()
                                    : described(session, result, undone));
  }
  return store.close();
}

}  // namespace logwood::cli
