#include "cli/command.hpp"

#include <fmt/format.h>

#include "api/names.hpp"
#include "base/json_text.hpp"
#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/terminal_text.hpp"

namespace logwood::cli {
namespace {

constexpr std::uint64_t number_max = 1'000'000'000;

int tell(const Surroundings& around, const Error& error) {
  around.err(fmt::format("logwood: {}\n", printable(error.message)));
  return static_cast<int>(exit_code_of(error.code));
}

bool asks_for_help(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

}  // namespace

std::string Command::store_folder() const {
  if (const auto given = arguments_.value("--store")) return *given;
  if (std::string set = around_.variable("LOGWOOD_STORE"); !set.empty()) return set;
  std::string data = around_.variable("XDG_DATA_HOME");
  if (data.empty()) data = around_.variable("HOME") + "/.local/share";
  return data + "/logwood";
}

Result<Store> Command::open_store(Needs needs) const {
  const std::string folder = store_folder();
  StoreOptions options;
  if (needs == Needs::store_or_new_one) options.create = StoreOptions::Create::if_missing;
  auto store = Store::open(folder, options);
  if (!store && store.error().code == ErrorCode::not_found) {
    return Error{ErrorCode::not_found,
                 fmt::format("there is no store in {}; logwood new makes one", folder)};
  }
  return store;
}

Result<SessionId> Command::session(Store& store) const {
  return api::session_named(store, arguments_.operand("SESSION").value_or("@last"));
}

Result<std::size_t> Command::number(std::string_view option, std::size_t otherwise) const {
  const auto given = arguments_.value(option);
  if (!given) return otherwise;
  const auto number = json_unsigned(*given);
  if (number && *number > 0 && *number <= number_max) return static_cast<std::size_t>(*number);
  return Error{ErrorCode::invalid_argument,
               fmt::format("{} {} is no whole number from 1 to {}", option, *given, number_max)};
}

Result<> Command::refresh_catalog(Store& store, CatalogPart part) const {
  return store.refresh_catalog(part);
}

bool Command::has_colour() const {
  return around_.on_terminal && around_.variable("NO_COLOR").empty();
}

std::string Command::coloured(std::string_view code, std::string_view text) const {
  if (!has_colour() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string Command::bold(std::string_view text) const { return coloured("1", text); }
std::string Command::dim(std::string_view text) const { return coloured("2", text); }

int run_program(const std::vector<std::string>& words, Surroundings& around) {
  if (!words.empty() && (words.front() == "--help" || words.front() == "-h")) {
    around.out(help_of_program());
    return 0;
  }
  if (!words.empty() && words.front() == "--version") {
    around.out(fmt::format("logwood {}\n", LOGWOOD_VERSION));
    return 0;
  }
  const bool has_verb = !words.empty() && !words.front().starts_with('-');
  const Verb* const verb = has_verb ? find_verb(words.front()) : &overview();
  if (verb == nullptr) return tell(around, no_such_verb(words.front()));
  const std::vector<std::string> rest(words.begin() + (has_verb ? 1 : 0), words.end());
  if (asks_for_help(rest)) {
    around.out(help_of(*verb));
    return 0;
  }
  auto arguments = parse_arguments(*verb, rest);
  if (!arguments) return tell(around, arguments.error());
  Command command(*std::move(arguments), around);
  auto done = verb->run(command);
  return done ? 0 : tell(around, done.error());
}

}  // namespace logwood::cli
