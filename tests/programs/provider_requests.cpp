// Reads and writes requests for tests/providers/check.py. One JSON object a line, one answered:
//
//   {"read": BODY, "api", "provider", "model"}      {"canonical": …}
//   {"write": CANONICAL, "target": {…}}             {"request": BODY, "warnings": […]}
//   {"lint": BODY, "api", "model", "flavor"}        {"faults": [{"rule", "level", "path"}]}
//   {"id" or "name" or "stop": TEXT, "api"}         {"is": TEXT}
//   {"compat": MODEL, "to": MODEL}                  {"compatible", "warnings", "lossyFields"}
//   {"usage": RAW}                                  {"input_total", "cache_read", …}
//   {"rules": true}                                 {"rules": [{"rule", "level", "text"}]}
#include <iostream>
#include <string>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "logwood/request.hpp"
#include "model/usage.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/lint.hpp"
#include "providers/request.hpp"
#include "providers/rewriting.hpp"
#include "providers/stop_reason.hpp"
#include "support/canonical_json.hpp"

namespace logwood {
namespace {

providers::Target read_target(std::string_view json) {
  const auto [api, provider, model, flavor, caps] =
      json_members(json, {"api", "provider", "model", "flavor", "caps"});
  providers::Target target;
  target.api = providers::api_named(json_text_or_empty(api));
  target.provider = json_text_or_empty(provider);
  target.model = json_text_or_empty(model);
  if (flavor == "\"deepseek\"") target.dialect = providers::Dialect::deepseek;
  target.can.vision = json_member(caps, "vision") != "false";
  target.can.signed_calls = target.model.starts_with("gemini-3");
  return target;
}

std::string lint(std::string_view body, std::string_view api, std::string_view model,
                 std::string_view flavor) {
  const std::string model_name = json_text_or_empty(model);
  const std::string dialect = json_text_or_empty(flavor);
  const auto faults = providers::lint(json_text_or_empty(api), body, {model_name, dialect});
  if (!faults) return "{\"error\":" + json_quoted(faults.error().message) + "}";
  JsonWriter json;
  json.begin_object().key("faults").begin_array();
  for (const providers::Fault& fault : *faults) {
    json.begin_object().key("rule").text(fault.rule->name);
    json.key("level").text(fault.rule->level == providers::Level::error ? "error" : "note");
    json.key("path").text(fault.path).end_object();
  }
  return json.end_array().end_object().take();
}

std::string usage(std::string_view raw) {
  const UsageDetails details = read_usage_details(raw);
  const std::uint64_t output = details.tokens.output.value_or(0);
  JsonWriter json;
  json.begin_object().key("input_total").number(details.input_total());
  json.key("cache_read").number(details.tokens.cache_read.value_or(0));
  json.key("cache_write").number(details.tokens.cache_creation.value_or(0));
  json.key("input_other").number(details.tokens.input.value_or(0));
  json.key("output_total").number(output).key("reasoning");
  json.json(details.reasoning ? std::to_string(*details.reasoning) : "null");
  if (details.tool_prompt) json.key("tool_prompt").number(*details.tool_prompt);
  json.key("total").number(details.input_total() + output + details.tool_prompt.value_or(0));
  return json.end_object().take();
}

std::string all_rules() {
  JsonWriter json;
  json.begin_object().key("rules").begin_array();
  for (const providers::Rule& rule : providers::lint_rules()) {
    json.begin_object().key("rule").text(rule.name);
    json.key("level").text(rule.level == providers::Level::error ? "error" : "note");
    json.key("text").text(rule.text).end_object();
  }
  return json.end_array().end_object().take();
}

std::string answer(const std::string& line) {
  const auto [linted, flavor, id, name, stop] =
      json_members(line, {"lint", "flavor", "id", "name", "stop"});
  const canonical::Api named = providers::api_named(json_text_or_empty(json_member(line, "api")));
  const auto is = [](std::string_view text) { return "{\"is\":" + json_quoted(text) + "}"; };
  if (!id.empty())
    return is(providers::fitting_id(named, json_text_or_empty(id),
                                    [](std::string_view) { return false; }));
  if (!name.empty()) return is(providers::fitting_name(named, json_text_or_empty(name)));
  if (!stop.empty()) return is(providers::stop_reason(named, json_text_or_empty(stop)));
  const auto [compat, to, rules] = json_members(line, {"compat", "to", "rules"});
  if (!compat.empty()) {
    const auto from = parse_model(json_text_or_empty(compat));
    const auto target = parse_model(json_text_or_empty(to));
    return from && target ? compatibility(*from, *target)->to_json() : "{}";
  }
  if (!rules.empty()) return all_rules();
  if (const std::string_view raw = json_member(line, "usage"); !raw.empty()) return usage(raw);
  if (!linted.empty()) {
    return lint(linted, json_member(line, "api"), json_member(line, "model"), flavor);
  }
  const auto [body, canonical, target, api, provider, model] =
      json_members(line, {"read", "write", "target", "api", "provider", "model"});
  JsonWriter json;
  json.begin_object();
  if (!body.empty()) {
    const std::string provider_name = json_text_or_empty(provider);
    const std::string model_name = json_text_or_empty(model);
    const auto request = providers::read_request(
        body, {providers::api_named(json_text_or_empty(api)), provider_name, {}, model_name, {}});
    if (!request) return "{\"error\":" + json_quoted(request.error().message) + "}";
    json.key("canonical").json(canonical_json(*request));
  } else {
    const auto written =
        providers::write_request(read_canonical_json(canonical), read_target(target));
    const std::string report = providers::told(written.report).to_json();
    json.key("request").json(written.body).key("warnings").json(json_member(report, "warnings"));
  }
  return json.end_object().take();
}

}  // namespace
}  // namespace logwood

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << logwood::answer(line) << '\n';
  }
}
