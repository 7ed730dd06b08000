// export and import: sessions that leave, and sessions that come.
#include <fmt/format.h>

#include <vector>

#include "api/export.hpp"
#include "api/import.hpp"
#include "api/names.hpp"
#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

Result<api::ExportOptions> export_options(const Command& command) {
  const Arguments& arguments = command.arguments();
  api::ExportOptions options;
  const std::string format = arguments.value("--format").value_or("jsonl");
  if (format == "markdown") {
    options.format = api::ExportFormat::markdown;
  } else if (format != "jsonl") {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("there is no format {}; there are jsonl and markdown", format)};
  }
  LOGWOOD_CHECK(arguments.check_at_most_one({"--redact", "--with-secrets"}));
  if (arguments.has("--redact")) options.secrets = api::Secrets::redact;
  if (arguments.has("--with-secrets")) options.secrets = api::Secrets::keep;
  return options;
}

void print_exported(const Command& command, const SessionId& session, const std::string& file,
                    const api::Exported& exported) {
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", session.text)
                      .add("file", file)
                      .add("entries", exported.entries)
                      .add("secrets", exported.secrets.count)
                      .text());
  } else {
    command.print(
        fmt::format("{}  {}\n", printable(file), counted(exported.entries, "entry", "entries")));
  }
}

Result<ImportOptions> import_options(const Command& command, std::size_t files) {
  const Arguments& arguments = command.arguments();
  ImportOptions options;
  options.partial = arguments.has("--partial");
  options.key = arguments.value("--key");
  const auto id = arguments.value("--id");
  if (!id) return options;
  if (*id != "new" && files > 1) {
    return Error{
        ErrorCode::invalid_argument,
        "one id cannot be that of several files; import them one by one, or with --id new"};
  }
  options.id = *id == "new" ? new_session_id() : SessionId{*id};
  return options;
}

Result<Imported> import_one(const Command& command, Store& store, const std::string& file,
                            const ImportOptions& options) {
  const Progress progress = command.progress("importing " + printable(file));
  if (file != "-") return api::import_file(store, file, options, progress);
  auto imported = store.import_session(
      [&](std::span<char> into) -> Result<std::size_t> {
        return command.around().some_input(into);
      },
      options, progress);
  if (!imported) return std::move(imported).error().within("standard input");
  return imported;
}

void print_imported(const Command& command, const std::string& file, const Imported& imported) {
  if (command.as_json()) {
    std::string left_out;
    for (const LeftOut& one : imported.left_out) {
      left_out += fmt::format(R"({}{{"line":{},"why":{}}})", left_out.empty() ? "" : ",", one.line,
                              json_quoted(one.why));
    }
    command.print(JsonLine()
                      .add("file", file)
                      .add("sessionId", imported.header.id.text)
                      .add("entries", imported.refused ? 0 : imported.entries)
                      .add("added", imported.added)
                      .add("alreadyThere", imported.already_there)
                      .add("refused", imported.refused)
                      .add("leftOutCount", imported.left_out_count)
                      .add_token("leftOut", "[" + left_out + "]")
                      .text());
    return;
  }
  for (const LeftOut& one : imported.left_out) {
    command.around().err(fmt::format("{}: {}\n", printable(file), printable(one.why)));
  }
  if (imported.refused) return;
  const bool is_more = !imported.already_there && imported.added < imported.entries;
  command.print(fmt::format("{}  {}{}\n", printable(imported.header.id.text),
                            counted(imported.entries, "entry", "entries"),
                            imported.already_there ? ", already there"
                            : is_more              ? fmt::format(", {} new", imported.added)
                                                   : ""));
}

// A session of another agent, by its name or its file; nothing when it is neither.
Result<std::optional<Imported>> import_of_agent(const Command& command, Store& store,
                                                const std::string& name,
                                                const ImportOptions& options) {
  std::optional<Imported> none;
  if (name == "-") return none;
  auto file = Store::of_agent_file(name);
  const auto parts = api::agent_session_id(name, ':');
  if ((file || parts) && (options.id || options.key)) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("{} is a session of another agent, which is known again by the id and key "
                    "it has there; leave out --id and --key",
                    name)};
  }
  if (file) {
    LOGWOOD_TRY(const SessionPage page, file->list({}));
    if (page.sessions.empty()) return none;
    LOGWOOD_TRY(Imported imported,
                store.import_from(*file, page.sessions[0].id,
                                  command.progress("importing " + printable(name), "entries")));
    return std::optional(std::move(imported));
  }
  if (!parts) return none;
  LOGWOOD_TRY(Store agents, command.open_agents());
  LOGWOOD_TRY(const SessionId session, api::agent_session_named(agents, parts->agent, parts->id));
  LOGWOOD_TRY(Imported imported,
              store.import_from(agents, session,
                                command.progress("importing " + printable(name), "entries")));
  return std::optional(std::move(imported));
}

// Imports one file and says so.
Result<> import_and_tell(const Command& command, Store& store, const std::string& file,
                         const ImportOptions& options) {
  LOGWOOD_TRY(const auto of_agent, import_of_agent(command, store, file, options));
  if (of_agent) {
    print_imported(command, file, *of_agent);
    return {};
  }
  LOGWOOD_TRY(const Imported imported, import_one(command, store, file, options));
  print_imported(command, file, imported);
  if (!imported.refused) return {};
  return Error{ErrorCode::damaged,
               fmt::format("{}: nothing was imported because of {}; --partial takes the rest", file,
                           counted(imported.left_out_count, "problem", "problems"))};
}

}  // namespace

Result<> run_export(Command& command) {
  LOGWOOD_TRY(const api::ExportOptions options, export_options(command));
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  const auto file = command.arguments().value("--output");
  // A person's terminal obeys what a file may hold.
  const auto to_standard_output = [&](std::string_view text) -> Result<> {
    command.print(command.around().on_terminal ? printable(text, Lines::kept) : std::string(text));
    return {};
  };
  // A line that is written over would stand in what is printed.
  const Progress progress = !file && command.around().on_terminal
                                ? [&](std::uint64_t, std::uint64_t) { return command.goes_on(); }
                                : command.progress("exporting " + session.text, "entries");
  auto done = file ? api::export_to_file(store, session, options, *file, progress)
                   : api::export_session(store, session, options, to_standard_output, progress);
  if (!done && !command.goes_on())
    return command.stopped(file ? "nothing was exported" : "what was printed is not all");
  LOGWOOD_TRY(const api::Exported exported, std::move(done));
  if (exported.refused) {
    return Error{ErrorCode::unsupported,
                 exported.secrets.text() +
                     "; add --redact to replace them or --with-secrets to export them as they are"};
  }
  if (file) print_exported(command, session, *file, exported);
  if (!exported.is_damaged) return {};
  return Error{ErrorCode::damaged,
               fmt::format("session {} is damaged, and what is sound of it was exported; logwood "
                           "verify {} says where",
                           session.text, session.text)};
}

Result<> run_import(Command& command) {
  const auto given = command.arguments().operands.find("FILE");
  if (given == command.arguments().operands.end() || given->second.empty()) {
    return Error{ErrorCode::invalid_argument, "say which files; - is standard input"};
  }
  const std::vector<std::string>& files = given->second;
  LOGWOOD_TRY(ImportOptions options, import_options(command, files.size()));
  LOGWOOD_TRY(Store store, command.open_store(Needs::store_or_new_one));
  Result<> last_failure;
  for (const std::string& file : files) {
    auto done = import_and_tell(command, store, file, options);
    if (command.around().is_interrupted()) {
      return command.stopped(
          fmt::format("{} {} imported, what follows was not", file, done ? "was" : "was not"));
    }
    if (options.id && command.arguments().value("--id") == "new") options.id = new_session_id();
    if (done) continue;
    // Each failure is told, the last one by whoever called.
    if (!last_failure)
      command.around().err(fmt::format("logwood: {}\n", printable(last_failure.error().message)));
    Error failed = std::move(done).error();
    if (failed.code == ErrorCode::already_exists)
      failed.message += "; --id new imports it beside that";
    last_failure = std::move(failed);
  }
  LOGWOOD_CHECK(last_failure);
  return store.close();
}

}  // namespace logwood::cli
