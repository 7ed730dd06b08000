// help and completion: what the program says about itself.
#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/json_line.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {

Result<> run_help(Command& command) {
  std::string text = command.arguments().has("--all") ? help_of_all_verbs() : help_of_program();
  if (const auto name = command.arguments().operand("VERB")) {
    const Verb* const verb = find_verb(*name);
    if (verb == nullptr) return no_such_verb(*name);
    text = help_of(*verb);
  }
  command.print(command.as_json() ? JsonLine().add("help", text).text() : text);
  return {};
}

Result<> run_completion(Command& command) {
  const std::string shell = command.arguments().operand("SHELL").value_or("");
  LOGWOOD_TRY(const std::string script, completion_script(shell));
  command.print(command.as_json() ? JsonLine().add("shell", shell).add("script", script).text()
                                  : script);
  return {};
}

}  // namespace logwood::cli
