#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/terminal_text.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t details_columns = 78;

std::string named(const Operand& operand) {
  switch (operand.count) {
    case Count::one:
      return std::string(operand.name);
    case Count::at_most_one:
      return fmt::format("[{}]", operand.name);
    case Count::any:
      return fmt::format("[{}…]", operand.name);
  }
  return {};
}

std::string spelled(const Option& option) {
  std::string text(option.names);
  if (const std::size_t comma = text.find(','); comma != std::string::npos)
    text.insert(comma + 1, " ");
  if (!option.value.empty()) text += fmt::format(" {}", option.value);
  return text;
}

std::string row(std::string_view left, std::string_view right) {
  return fmt::format("  {:<22} {}\n", left, right);
}

// What a person who uses agents every day types most.
constexpr std::string_view used_most[] = {"ls",     "search", "show", "tree",
                                          "status", "export", "rm",   "stats"};

std::string line_of(const Verb& verb) {
  return fmt::format("  {:<11} {}\n", verb.name, verb.summary);
}

}  // namespace

std::string synopsis_of(const Verb& verb) {
  std::string text = fmt::format("logwood {}", verb.name);
  if (!verb.options.empty()) text += " [options]";
  for (const Operand& operand : verb.operands) text += " " + named(operand);
  return text;
}

std::string help_of_program() {
  std::string text =
      "logwood keeps the history of AI agents: sessions that no crash can take away.\n\n"
      "usage: logwood [VERB] [options] …    alone: the sessions of this folder\n\n";
  for (const std::string_view name : used_most) text += line_of(*find_verb(name));
  text += "\nand:";
  std::size_t columns = 4;
  for (const Verb& verb : all_verbs()) {
    if (std::find(std::begin(used_most), std::end(used_most), verb.name) != std::end(used_most)) {
      continue;
    }
    if (columns + 1 + verb.name.size() > 78) {
      text += "\n    ";
      columns = 4;
    }
    text += fmt::format(" {}", verb.name);
    columns += 1 + verb.name.size();
  }
  return text +
         "\n\nlogwood help VERB explains one, logwood help --all lists all of them. A session is\n"
         "named by its id or either end of it, its key, its file, or @last; an entry by its\n"
         "id or either end of it, a label, or '~n': n steps back from the head.\n";
}

std::string help_of_all_verbs() {
  std::string text;
  for (const Verb& verb : all_verbs()) text += line_of(verb);
  return text +
         "\nThe store is --store FOLDER, else LOGWOOD_STORE, else \"store\" of config.json,\n"
         "else $XDG_DATA_HOME/logwood (~/.local/share/logwood); new and import make it\n"
         "when it is not there. $XDG_CONFIG_HOME/logwood/config.json\n"
         "(~/.config/logwood/config.json) may set store, pager, color and limit (of ls).\n"
         "Long output goes through LOGWOOD_PAGER, \"pager\", PAGER or less, on a terminal\n"
         "only; NO_COLOR and --color decide about colour.\n";
}

std::string help_of(const Verb& verb) {
  std::string text = fmt::format("{}\n\nusage: {}\n", verb.summary, synopsis_of(verb));
  if (!verb.operands.empty()) text += "\n";
  for (const Operand& operand : verb.operands) text += row(operand.name, operand.help);
  text += "\n";
  for (const Option& option : verb.options) text += row(spelled(option), option.help);
  for (const Option& option : options_of_every_verb()) text += row(spelled(option), option.help);
  if (!verb.details.empty()) text += "\n";
  for (const std::string& line : wrapped(verb.details, details_columns)) {
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

Error no_such_verb(std::string_view name) {
  std::string why = fmt::format("there is no verb {}", name);
  if (const Verb* near = nearest_verb(name)) {
    why += fmt::format("; did you mean {}?", near->name);
  } else {
    why += "; logwood --help lists them";
  }
  return {ErrorCode::invalid_argument, std::move(why)};
}

}  // namespace logwood::cli
