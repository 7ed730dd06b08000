// doctor: what there is to know about a store as a whole, and what to do about it.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

std::string finding_line(const Finding& finding) {
  std::string line = fmt::format("{}  {}: {}", padded(name_of(finding.kind), 11),
                                 printable(finding.name), printable(finding.what));
  // What was done needs no doing any more.
  if (!finding.done.empty()) {
    line += " → " + printable(finding.done);
  } else if (!finding.todo.empty()) {
    line += "; " + printable(finding.todo);
  }
  return line + "\n";
}

std::string finding_json(const Finding& finding) {
  JsonLine line;
  line.add("kind", name_of(finding.kind)).add("name", finding.name).add("what", finding.what);
  if (!finding.todo.empty()) line.add("todo", finding.todo);
  if (!finding.done.empty()) line.add("done", finding.done);
  line.add("count", finding.count);
  if (finding.kind == Finding::Kind::disk_use) line.add("sizeBytes", finding.size_bytes);
  std::string problems;
  for (const Problem& problem : finding.problems) {
    problems +=
        fmt::format(R"({}{{"kind":"{}","line":{},"offset":{}}})", problems.empty() ? "" : ",",
                    name_of(problem.kind), problem.line, problem.offset);
  }
  if (!problems.empty()) line.add_token("problems", "[" + problems + "]");
  return line.text();
}

}  // namespace

Result<> run_doctor(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  std::string told;  // after the progress, which is a line on the same terminal
  std::size_t findings = 0;
  std::size_t damaged = 0;
  const auto tell = [&](const Finding& finding) {
    if (finding.kind != Finding::Kind::store && finding.kind != Finding::Kind::disk_use) ++findings;
    if (finding.kind == Finding::Kind::damage) ++damaged;
    told += command.as_json() ? finding_json(finding) : finding_line(finding);
  };
  const auto done = store.examine(tell, {.repair = command.arguments().has("--repair")},
                                  command.progress("examining", "sessions"));
  command.print(told);
  if (command.around().is_interrupted())
    return command.stopped("what was found so far is printed, the rest was not looked at");
  LOGWOOD_CHECK(done);
  LOGWOOD_CHECK(store.close());
  if (damaged > 0) {
    return Error{ErrorCode::damaged, fmt::format("{} {} damaged", damaged,
                                                 damaged == 1 ? "session is" : "sessions are")};
  }
  if (findings == 0 && !command.as_json()) command.print("all is well\n");
  return {};
}

}  // namespace logwood::cli
