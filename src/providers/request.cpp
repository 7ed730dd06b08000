#include "logwood/request.hpp"

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/lint.hpp"
#include "providers/models.hpp"
#include "providers/request.hpp"
#include "providers/specimen.hpp"

namespace logwood {
namespace {

using canonical::Api;

// What people call an API, when they do not call it by its name.
Api api_called(std::string_view name) {
  if (name == "anthropic") return Api::anthropic_messages;
  if (name == "openai" || name == "deepseek") return Api::openai_chat;
  if (name == "google") return Api::gemini;
  return providers::api_named(name);
}

RequestWarning told(const providers::Warning& warning) {
  const providers::CodeRow& row = providers::row_of(warning.code);
  RequestWarning told{std::string(row.name),
                      std::string(providers::name_of(row.severity)),
                      warning.at,
                      warning.part,
                      warning.sentence(),
                      {}};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!row.keys[i].empty() && !warning.details[i].empty()) {
      told.details.emplace_back(row.keys[i], warning.details[i]);
    }
  }
  return told;
}

Result<providers::Target> target_of(const ModelRef& model, const std::string& models) {
  providers::Models table;
  if (!models.empty()) LOGWOOD_CHECK(table.add(models));
  return providers::target_of(model, table);
}

}  // namespace

namespace providers {

Result<Target> target_of(const ModelRef& model, const Models& models) {
  Target target;
  target.api = api_named(model.api);
  if (target.api == Api::none) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("there is no API {}; known are anthropic-messages, openai-chat, "
                             "openai-responses and gemini",
                             model.api)};
  }
  target.provider = model.provider.empty() ? default_provider(target.api) : model.provider;
  target.account = model.account;
  target.model = model.model;
  if (target.provider == "deepseek") target.dialect = Dialect::deepseek;
  target.can = models.of(target.api, target.model);
  return target;
}

Compatibility told(const Report& report) {
  Compatibility all;
  all.compatible = report.is_compatible();
  for (const Warning& warning : report.warnings) all.warnings.push_back(logwood::told(warning));
  for (const std::string_view field : report.lossy_fields()) all.lossy_fields.emplace_back(field);
  return all;
}

}  // namespace providers

std::string Compatibility::to_json() const {
  JsonWriter json;
  json.begin_object().key("compatible").boolean(compatible).key("warnings").begin_array();
  for (const RequestWarning& warning : warnings) {
    json.begin_object().key("code").text(warning.code).key("severity").text(warning.severity);
    json.key("at").text(warning.at);
    if (warning.part) json.key("part").number(*warning.part);
    for (const auto& [name, value] : warning.details) {
      json.key(name);
      if (name == "count") {
        json.json(value);
      } else {
        json.text(value);
      }
    }
    json.key("text").text(warning.text).end_object();
  }
  json.end_array().key("lossyFields").begin_array();
  for (const std::string& field : lossy_fields) json.text(field);
  return json.end_array().end_object().take();
}

Result<ModelRef> parse_model(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view left = text.substr(0, colon);
  const std::size_t at = left.find('@');
  const std::string_view name = left.substr(0, at);
  const Api api = api_called(name);
  if (colon == std::string_view::npos || colon + 1 == text.size() || api == Api::none) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("{} names no model; write API:MODEL or API@PROVIDER:MODEL, API being "
                             "anthropic, openai (or openai-chat), openai-responses or gemini",
                             text)};
  }
  ModelRef model;
  model.api = providers::name_of(api);
  model.provider = at == std::string_view::npos
                       ? (name == "deepseek" ? name : providers::default_provider(api))
                       : left.substr(at + 1);
  model.model = text.substr(colon + 1);
  return model;
}

std::string to_text(const ModelRef& model) {
  const Api api = providers::api_named(model.api);
  if (model.provider.empty() || model.provider == providers::default_provider(api)) {
    return model.api + ":" + model.model;
  }
  return model.api + "@" + model.provider + ":" + model.model;
}

Result<Request> convert_request(std::string_view body, const ModelRef& from, const ModelRef& to,
                                const std::string& models) {
  LOGWOOD_TRY(const providers::Target source, target_of(from, models));
  LOGWOOD_TRY(const providers::Target target, target_of(to, models));
  const canonical::Origin origin{source.api, source.provider, source.account, source.model, {}};
  LOGWOOD_TRY(canonical::Request request, providers::read_request(body, origin));
  providers::Written written = providers::write_request(std::move(request), target);
  return Request{
      std::move(written.body), providers::told(written.report), {}, std::move(written.prefix_hash)};
}

Result<Compatibility> compatibility(const ModelRef& from, const ModelRef& to,
                                    const std::string& models) {
  LOGWOOD_TRY(const providers::Target source, target_of(from, models));
  LOGWOOD_TRY(const Request request,
              convert_request(providers::specimen_of(source.api), from, to, models));
  return request.report;
}

Result<std::vector<RequestFault>> check_request(std::string_view api, std::string_view body,
                                                std::string_view model) {
  const std::string_view dialect = api == "deepseek" ? "deepseek" : "";
  const Api known = api_called(api);
  const std::string_view name = known == Api::none ? api : providers::name_of(known);
  LOGWOOD_TRY(const auto faults, providers::lint(name, body, {model, dialect}));
  std::vector<RequestFault> told;
  for (const providers::Fault& fault : faults) {
    told.push_back({std::string(fault.rule->name), fault.rule->level == providers::Level::error,
                    fault.path, std::string(fault.rule->text), fault.detail});
  }
  return told;
}

}  // namespace logwood
