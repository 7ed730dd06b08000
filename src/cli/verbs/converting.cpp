// convert and compat: requests of one API as requests of another, without any session; and what
// context and fork say about a model they are made for.
#include "cli/verbs/converting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/counted.hpp"
#include "base/unicode.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"
#include "logwood/request.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t body_size_max = std::size_t{256} << 20U;

// Worth a person's attention: something was added or is lost.
bool is_told(const RequestWarning& warning) {
  return warning.severity != "info" && warning.severity != "transformed";
}

std::string place_of(const RequestWarning& warning) {
  if (!warning.part) return printable(warning.at);
  return fmt::format("{} part {}", printable(warning.at), *warning.part);
}

Result<> check(Command& command, const std::string& body) {
  const auto from = command.arguments().value("--from");
  std::string api = from.value_or("");
  std::string model;
  // A model may be named, or only its API.
  if (const std::size_t colon = api.find(':'); colon != std::string::npos) {
    model = api.substr(colon + 1);
    api = api.substr(0, std::min(colon, api.find('@')));
  }
  LOGWOOD_TRY(const auto faults, check_request(api, body, model));
  std::size_t refused = 0;
  for (const RequestFault& fault : faults) {
    refused += fault.refused ? 1 : 0;
    if (command.as_json()) {
      command.print(JsonLine()
                        .add("rule", fault.rule)
                        .add("refused", fault.refused)
                        .add("path", fault.path)
                        .add("detail", fault.detail)
                        .add("text", fault.text)
                        .text());
    } else {
      const std::string detail = fault.detail.empty() ? "" : " (" + printable(fault.detail) + ")";
      command.print(fmt::format("{}  {}  {}{}\n", fault.refused ? "refused" : "note   ",
                                printable(fault.path), fault.text, detail));
      command.print(command.dim(fmt::format("         {}\n", fault.rule)));
    }
  }
  if (refused == 0) {
    if (!command.as_json() && faults.empty()) command.print("nothing is wrong with it\n");
    return {};
  }
  return Error{ErrorCode::unsupported,
               fmt::format("the API would refuse this: {}", counted(refused, "fault", "faults"))};
}

}  // namespace

Result<std::optional<ModelRef>> model_named(const Command& command, std::string_view option) {
  const auto named = command.arguments().value(option);
  if (!named) return std::optional<ModelRef>();
  LOGWOOD_TRY(ModelRef model, parse_model(*named));
  return std::optional(std::move(model));
}

Result<RequestOptions> request_options(const Command& command) {
  RequestOptions options;
  LOGWOOD_TRY(options.to, parse_model(command.arguments().value("--for").value_or("")));
  LOGWOOD_TRY(options.assumed, model_named(command, "--from"));
  options.models = command.settings().models.value_or("");
  return options;
}

void tell(const Command& command, const Compatibility& report) {
  std::size_t untold = 0;
  for (const RequestWarning& warning : report.warnings) {
    if (!is_told(warning)) {
      ++untold;
      continue;
    }
    command.around().err(fmt::format("logwood: {} {}: {}\n", warning.severity, place_of(warning),
                                     printable(warning.text)));
  }
  if (untold > 0) {
    command.around().err(
        fmt::format("logwood: {} without loss\n", counted(untold, "change", "changes")));
  }
}

Result<> run_convert(Command& command) {
  const auto file = command.arguments().operand("FILE");
  LOGWOOD_TRY(const std::string body, command.read_file(file.value_or("-"), body_size_max));
  if (!command.arguments().has("--from")) {
    return Error{ErrorCode::invalid_argument, "say which API the request is for: --from API:MODEL"};
  }
  if (command.arguments().has("--check")) {
    LOGWOOD_CHECK(command.arguments().check_at_most_one({"--check", "--to"}));
    return check(command, body);
  }
  LOGWOOD_TRY(const auto from, model_named(command, "--from"));
  LOGWOOD_TRY(const auto to, model_named(command, "--to"));
  if (!to) {
    return Error{ErrorCode::invalid_argument,
                 "say which model the request becomes one for: --to API:MODEL, or --check"};
  }
  LOGWOOD_TRY(const Request request,
              convert_request(body, *from, *to, command.settings().models.value_or("")));
  if (command.as_json()) {
    command.print(JsonLine()
                      .add_token("request", request.body)
                      .add_token("report", request.report.to_json())
                      .text());
    return {};
  }
  tell(command, request.report);
  command.print(request.body + "\n");
  return {};
}

Result<> run_compat(Command& command) {
  LOGWOOD_TRY(const ModelRef from, parse_model(*command.arguments().operand("FROM")));
  LOGWOOD_TRY(const ModelRef to, parse_model(*command.arguments().operand("TO")));
  LOGWOOD_TRY(const Compatibility report,
              compatibility(from, to, command.settings().models.value_or("")));
  if (command.as_json()) {
    command.print(report.to_json() + "\n");
    return {};
  }
  constexpr std::array<std::string_view, 5> severities = {"blocking", "lossy", "added",
                                                          "transformed", "info"};
  constexpr std::array<std::string_view, 5> meanings = {
      "not sent, and somebody should be asked", "not sent", "put in, though nobody said it",
      "said in another way", "changed, and nothing is lost"};
  const std::size_t text_columns = std::max<std::size_t>(command.columns(), 24) - 4;
  for (std::size_t i = 0; i < severities.size(); ++i) {
    std::set<std::string> told;  // a kind of loss is told once
    for (const RequestWarning& warning : report.warnings) {
      if (warning.severity != severities[i] || !told.insert(warning.code).second) continue;
      if (told.size() == 1) command.print(command.bold(meanings[i]) + "\n");
      std::string_view indent = "  ";
      for (const std::string& line : wrapped(printable(warning.text), text_columns)) {
        command.print(fmt::format("{}{}\n", indent, line));
        indent = "    ";
      }
    }
  }
  if (report.warnings.empty()) command.print("everything is sent as it is\n");
  return {};
}

}  // namespace logwood::cli
