#include "cli/help.hpp"

#include <fmt/format.h>

namespace logwood::cli {
namespace {

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
      "usage: logwood VERB [options] …\n\n";
  for (const Verb& verb : all_verbs())
    text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
  return text +
         "\nlogwood VERB --help explains one. A session is named by its id or the beginning of\n"
         "it, its key, its file, or @last; an entry by its id or the beginning of it, a\n"
         "label, or ~n: n steps back from the head.\n\n"
         "The store is --store FOLDER, else LOGWOOD_STORE, else \"store\" of config.json, else\n"
         "$XDG_DATA_HOME/logwood (~/.local/share/logwood); verbs that write make the last one.\n"
         "$XDG_CONFIG_HOME/logwood/config.json (~/.config/logwood/config.json) may set store,\n"
         "pager, color and limit. Long output goes through LOGWOOD_PAGER, \"pager\", PAGER or\n"
         "less, on a terminal only; NO_COLOR and --color decide about colour.\n";
}

std::string help_of(const Verb& verb) {
  std::string text = fmt::format("{}\n\nusage: {}\n", verb.summary, synopsis_of(verb));
  if (!verb.operands.empty()) text += "\n";
  for (const Operand& operand : verb.operands) text += row(operand.name, operand.help);
  text += "\n";
  for (const Option& option : verb.options) text += row(spelled(option), option.help);
  for (const Option& option : options_of_every_verb()) text += row(spelled(option), option.help);
  if (!verb.details.empty()) text += fmt::format("\n{}\n", verb.details);
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
