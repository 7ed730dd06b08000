// The only file that sees CLI11: it compiles slowly.
#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace logwood::cli {
namespace {

struct Slot {
  std::string value;
  bool flag = false;
  CLI::Option* option = nullptr;
};

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Arguments::operand(std::string_view name) const {
  const auto found = operands.find(name);
  if (found == operands.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

Result<Arguments> parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
  CLI::App parser(std::string(verb.summary), std::string(verb.name));
  parser.set_help_flag();  // help is ours
  std::map<std::string_view, Slot> slots;
  const auto add = [&](const Option& option) {
    Slot& slot = slots[option.name()];
    const std::string names(option.names);
    slot.option = option.value.empty() ? parser.add_flag(names, slot.flag)
                                       : parser.add_option(names, slot.value);
    if (!option.value.empty()) slot.option->take_last();
  };
  for (const Option& option : options_of_every_verb()) add(option);
  for (const Option& option : verb.options) add(option);
  // CLI11 gives a list whatever it can get, so only those that may be many are lists.
  std::map<std::string_view, Slot> single;
  std::map<std::string_view, std::vector<std::string>> many;
  for (const Operand& operand : verb.operands) {
    const std::string name(operand.name);
    if (operand.count == Count::any) {
      parser.add_option(name, many[operand.name]);
      continue;
    }
    Slot& slot = single[operand.name];
    slot.option = parser.add_option(name, slot.value);
    if (operand.count == Count::one) slot.option->required();
  }

  Arguments arguments;
  arguments.verb = &verb;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
    parser.parse(reversed);
  } catch (const CLI::ParseError& wrong) {
    std::string why = wrong.what();
    std::replace(why.begin(), why.end(), '\n', ' ');
    return Error{ErrorCode::invalid_argument,
                 fmt::format("{}: {}; logwood {} --help shows how", verb.name, why, verb.name)};
  }
  for (const auto& [name, slot] : slots) {
    if (slot.option->count() > 0) arguments.options.emplace(name, slot.value);
  }
  for (auto& [name, slot] : single) {
    if (slot.option->count() > 0) arguments.operands[std::string(name)] = {slot.value};
  }
  for (auto& [name, values] : many) arguments.operands.emplace(name, std::move(values));
  return arguments;
}

}  // namespace logwood::cli
