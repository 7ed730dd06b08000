// verify and migrate: whether what is stored is what was stored.
#include <fmt/format.h>

#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

Result<> verify_receipt(const Command& command, Store& store, const std::string& path) {
  constexpr std::size_t receipt_size_max = 64U << 20U;
  LOGWOOD_TRY(const std::string receipt, command.read_file(path, receipt_size_max));
  LOGWOOD_TRY(const Erasure erasure, store.check_receipt(receipt));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", erasure.session_id.text)
                      .add("erased", erasure.entries.size())
                      .add("holds", true)
                      .text());
  } else {
    command.print(fmt::format("the receipt holds: session {}, {} erased\n", erasure.session_id.text,
                              counted(erasure.entries.size(), "entry", "entries")));
  }
  return {};
}

}  // namespace

Result<> run_verify(Command& command) {
  const auto receipt = command.arguments().value("--receipt");
  if (receipt && command.arguments().operand("SESSION")) {
    return Error{ErrorCode::invalid_argument,
                 "a receipt names its session itself: leave out SESSION or --receipt"};
  }
  if (receipt) {
    LOGWOOD_TRY(Store store, command.open_store());
    return verify_receipt(command, store, *receipt);
  }
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  auto verified = store.verify(session, command.progress("verifying " + session.text));
  if (!verified && command.around().is_interrupted()) {
    return command.stopped(
        fmt::format("what was read of session {} says nothing yet about the "
                    "rest; nothing was changed",
                    session.text));
  }
  LOGWOOD_TRY(const VerifyReport report, std::move(verified));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", session.text)
                      .add("sound", report.is_sound())
                      .add("entries", report.entries)
                      .add("tombstones", report.tombstones)
                      .add("blobs", report.blobs)
                      .add("sizeBytes", report.size_bytes)
                      .add("problems", report.problem_count)
                      .add("link", report.link)
                      .text());
  } else {
    for (const Problem& problem : report.problems)
      command.print(printable(describe(problem)) + "\n");
    command.print(fmt::format("{}  {}, {} erased, {}, {} bytes\n", session.text,
                              counted(report.entries, "entry", "entries"), report.tombstones,
                              counted(report.blobs, "blob", "blobs"), report.size_bytes));
  }
  if (report.is_sound()) return {};
  return Error{ErrorCode::damaged,
               fmt::format("session {} is damaged: {}", session.text,
                           counted(report.problem_count, "problem", "problems"))};
}

Result<> run_migrate(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_TRY(const MigrationResult result, store.migrate(session));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", session.text)
                      .add("fromVersion", result.from_version)
                      .add("toVersion", result.to_version)
                      .add("entries", result.entries)
                      .text());
  } else {
    command.print(fmt::format("version {} → {}, {}\n", result.from_version, result.to_version,
                              counted(result.entries, "entry", "entries")));
  }
  return store.close();
}

}  // namespace logwood::cli
