#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "api/names.hpp"
#include "base/json_text.hpp"
#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/pager.hpp"
#include "cli/progress.hpp"
#include "cli/terminal_text.hpp"
#include "cli/text_file.hpp"

namespace logwood::cli {
namespace {

// More than this is as good as this.
constexpr std::uint64_t number_max = 1'000'000'000;

// After all that was printed, also where a person is still looking at it in the pager.
int tell(const Surroundings& around, const Error& error) {
  (void)around.finish();  // whether that went well is asked at the end of the run
  if (!error.message.empty()) around.err(fmt::format("logwood: {}\n", printable(error.message)));
  return static_cast<int>(exit_code_of(error.code));
}

Result<> check_colour(const Arguments& arguments) {
  const auto given = arguments.value("--color");
  if (!given || colour_named(*given)) return {};
  return Error{ErrorCode::invalid_argument,
               fmt::format("--color is auto, always or never, and not {}", *given)};
}

// A terminal that can do no more than print what it gets.
bool is_dumb(const Surroundings& around) {
  const std::string kind = around.variable("TERM");
  return kind.empty() || kind == "dumb";
}

// LOGWOOD_PAGER, what is set, PAGER, or less where there is one. `cat` is what people say for none.
std::string pager_of(const Surroundings& around, const Settings& settings) {
  std::string pager = around.variable("LOGWOOD_PAGER");
  if (pager.empty() && settings.pager) return *settings.pager;
  if (pager.empty()) pager = around.variable("PAGER");
  if (pager.empty() && is_program("less", around.variable("PATH"))) pager = "less";
  return pager == "cat" ? "" : pager;
}

int run_verb(const Verb& verb, const std::vector<std::string>& words, Surroundings& around) {
  auto arguments = parse_arguments(verb, words);
  if (!arguments) return tell(around, arguments.error());
  if (arguments->has("--help")) {
    around.out(verb.name.empty() ? help_of_program() : help_of(verb));
    return 0;
  }
  if (auto known = check_colour(*arguments); !known) return tell(around, known.error());
  auto settings = read_settings(around.variable);
  if (!settings) return tell(around, settings.error());
  const std::string pager = pager_of(around, *settings);
  if (around.on_terminal && !is_dumb(around) && !arguments->has("--json") && !pager.empty()) {
    around.page(pager);
  }
  Command command(*std::move(arguments), *std::move(settings), around);
  const auto done = verb.run(command);
  if (done) return 0;
  const int code = tell(around, done.error());
  return around.is_interrupted() ? static_cast<int>(ExitCode::interrupted) : code;
}

// A name with a folder in it, or with the ending of a file.
bool is_file_name(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".jsonl") ||
         name.ends_with(".jsonl.zst") || name.ends_with(".json");
}

bool is_database(std::string_view place) { return place.find("://") != std::string_view::npos; }

int run_words(const std::vector<std::string>& words, Surroundings& around) {
  const std::string first = words.empty() ? "" : words.front();
  if (first == "--help" || first == "-h") {
    around.out(help_of_program());
    return 0;
  }
  if (first == "--version") {
    around.out(fmt::format("logwood {}\n", LOGWOOD_VERSION));
    return 0;
  }
  if (first.empty() || first.starts_with('-')) return run_verb(overview(), words, around);
  const Verb* const verb = find_verb(first);
  if (verb == nullptr) return tell(around, no_such_verb(first));
  return run_verb(*verb, {words.begin() + 1, words.end()}, around);
}

}  // namespace

std::string Command::store_folder() const {
  if (const auto given = arguments_.value("--store")) return *given;
  if (std::string set = around_.variable("LOGWOOD_STORE"); !set.empty()) return set;
  return settings_.store ? *settings_.store : default_store(around_.variable);
}

bool Command::store_is_database() const { return is_database(store_folder()); }

Result<Store> Command::open_store(Needs needs) const {
  const std::string folder = store_folder();
  if (folder.empty()) {
    return Error{
        ErrorCode::invalid_argument,
        "no store is named, and HOME is not set: give --store FOLDER or set LOGWOOD_STORE"};
  }
  return open_store_at(folder, needs);
}

Result<Store> Command::open_store_at(const std::string& place, Needs needs) {
  StoreOptions options;
  if (needs == Needs::store_or_new_one) options.create = StoreOptions::Create::if_missing;
  auto store = Store::open(place, options);
  // Who was to make one is told what stood in the way. What is said of a database says it already,
  // and without the password in its name.
  if (!store && !is_database(place) && needs == Needs::store &&
      store.error().code == ErrorCode::not_found) {
    return Error{ErrorCode::not_found,
                 fmt::format("there is no store in {}; logwood new makes one", place)};
  }
  return store;
}

Result<SessionId> Command::session(Store& store) const {
  const std::string name = arguments_.operand("SESSION").value_or("@last");
  const auto of_agent = api::agent_session_id(name, ':');
  if (!of_agent) return api::session_named(store, name);
  auto found = api::agent_session_named(store, of_agent->agent, of_agent->id);
  if (found || found.error().code != ErrorCode::not_found) return found;
  return Error{ErrorCode::not_found,
               fmt::format("{0} is not in the store; what other agents have is never changed, "
                           "and logwood import {0} makes a session of it that can be",
                           name)};
}

Result<Store> Command::open_agents() const {
  return Store::of_agents({around_.variable, agents_cache(around_.variable)});
}

Result<api::AllSessions> Command::all_sessions() const {
  std::optional<Store> own;
  auto store = open_store();
  if (store) {
    own = *std::move(store);
  } else if (store.error().code != ErrorCode::not_found || arguments_.has("--store") ||
             !around_.variable("LOGWOOD_STORE").empty()) {
    return std::move(store).error();
  }
  // Who names a store means that one.
  if (arguments_.has("--store")) return api::AllSessions(std::move(own), std::nullopt);
  LOGWOOD_TRY(Store of_agents, open_agents());
  return api::AllSessions(std::move(own), std::move(of_agents));
}

Result<api::FoundSession> Command::found_session() const {
  const std::string name = arguments_.operand("SESSION").value_or("@last");
  std::string unknown;  // why a file that is there is no session
  if (is_file_name(name)) {
    auto file = Store::of_agent_file(name);
    if (file) {
      LOGWOOD_TRY(const SessionPage page, file->list({}));
      if (!page.sessions.empty()) return api::FoundSession{*std::move(file), page.sessions[0].id};
    } else if (file.error().code == ErrorCode::unsupported) {
      unknown = file.error().message;
    } else if (file.error().code != ErrorCode::not_found) {
      return std::move(file).error();
    }
  }
  // One of ours goes by its name.
  LOGWOOD_TRY(api::AllSessions all, all_sessions());
  auto found = std::move(all).take(name);
  if (!found && !unknown.empty() && found.error().code == ErrorCode::not_found)
    return Error{ErrorCode::not_found, unknown};
  return found;
}

std::string Command::folder(const std::string& name) const {
  if (name.empty()) return name;
  const auto absolute = std::filesystem::path(around_.folder) / name;
  std::error_code failed;
  auto whole = std::filesystem::weakly_canonical(absolute, failed);
  if (failed) whole = absolute.lexically_normal();
  std::string text = whole.string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::size_t> Command::number(std::string_view option, std::size_t otherwise,
                                    std::size_t least) const {
  const auto given = arguments_.value(option);
  if (!given) return otherwise;
  const auto number = json_unsigned(*given);
  if (number && *number >= least) return static_cast<std::size_t>(std::min(*number, number_max));
  return Error{ErrorCode::invalid_argument,
               fmt::format("{} {} is no whole number from {}", option, *given, least)};
}

Result<> Command::stopped(std::string_view so_far) const {
  if (!around_.is_interrupted()) return {};
  return Error{ErrorCode::unavailable,
               so_far.empty() ? "" : fmt::format("interrupted: {}", so_far)};
}

Progress Command::progress(std::string_view what, std::string_view unit) const {
  std::shared_ptr<ProgressLine> line;  // owned by the copies of the function
  if (around_.errors_on_terminal && !is_dumb(around_)) {
    line = std::make_shared<ProgressLine>(around_.err, around_.now, around_.columns,
                                          std::string(what), std::string(unit));
  }
  return [line, &around = around_](std::uint64_t done, std::uint64_t total) {
    if (line) line->show(done, total);
    return !around.is_interrupted();
  };
}

Result<std::optional<std::string>> Command::ask(std::string_view question) const {
  constexpr std::size_t answer_size_max = 1000;
  print(question);
  LOGWOOD_CHECK(flush());
  return around_.line(answer_size_max);
}

Result<std::string> Command::read_file(const std::string& path, std::size_t size_max) const {
  if (path == "-") return around_.input(size_max);
  return read_text_file(path, size_max, FileKinds::and_pipes);
}

bool Command::has_colour() const {
  Colour colour = settings_.colour.value_or(Colour::automatic);
  if (const auto given = arguments_.value("--color"))
    colour = colour_named(*given).value_or(colour);
  if (colour != Colour::automatic) return colour == Colour::always;
  return around_.on_terminal && !is_dumb(around_) && around_.variable("NO_COLOR").empty();
}

std::string Command::coloured(std::string_view code, std::string_view text) const {
  if (!has_colour() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string Command::bold(std::string_view text) const { return coloured("1", text); }
std::string Command::dim(std::string_view text) const { return coloured("2", text); }

int run_program(const std::vector<std::string>& words, Surroundings& around) {
  const int code = run_words(words, around);
  // Output that did not reach anybody is a failure, whatever the verb thinks of itself.
  const auto written = around.finish();
  if (written || code != 0) return code;
  (void)tell(around, written.error());
  return static_cast<int>(ExitCode::failed);
}

}  // namespace logwood::cli
