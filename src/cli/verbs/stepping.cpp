#include "cli/verbs/stepping.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/entry_view.hpp"

namespace logwood::cli {
namespace {

void print_step(const Command& command, const Replay& replay) {
  if (command.as_json()) {
    command.print(fmt::format(R"({{"step":{},"of":{},{})", replay.position(), replay.length(),
                              entry_json(*replay.current()).substr(1)));
  } else {
    command.print(fmt::format("{}/{}  {}", replay.position(), replay.length(),
                              entry_view(*replay.current(), command)));
  }
}

Result<> print_all(const Command& command, Replay& replay) {
  while (command.goes_on()) {
    LOGWOOD_TRY(const bool stepped, replay.forward());
    if (!stepped) return {};
    print_step(command, replay);
  }
  return command.stopped();
}

}  // namespace

Result<> step_through(const Command& command, Store& store, const SessionId& session,
                      const std::optional<EntryId>& tip) {
  LOGWOOD_TRY(Replay replay, store.replay(session, tip));
  if (command.as_json() || !command.around().can_ask) return print_all(command, replay);
  LOGWOOD_CHECK(command.flush());  // somebody is asked: no pager
  std::string answer;
  while (command.goes_on() && answer != "q") {
    LOGWOOD_TRY(const bool stepped, answer == "b" ? replay.back() : replay.forward());
    if (stepped && replay.current()) {
      print_step(command, replay);
    } else if (answer != "b") {
      command.print(replay.length() == 0 ? "there is no entry yet\n" : "that was the last\n");
      if (replay.length() == 0) return {};
    } else {
      command.print("that was the first\n");
    }
    LOGWOOD_TRY(auto given, command.ask(command.dim("Enter: next, b: back, q: leave ")));
    answer = std::move(given).value_or("q");
  }
  return command.stopped();
}

}  // namespace logwood::cli
