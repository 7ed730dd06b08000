#include "logwood/origin.hpp"

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "model/origin.hpp"

namespace logwood {

void write_model(JsonWriter& json, const ModelRef& model) {
  json.key("api").text(model.api).key("provider").text(model.provider);
  json.key("model").text(model.model);
  if (!model.account.empty()) json.key("account").text(model.account);
}

std::optional<MessageOrigin> read_origin(std::string_view object) {
  const auto [api, provider, model, account, prefix_hash] =
      json_members(object, {"api", "provider", "model", "account", "prefixHash"});
  MessageOrigin origin;
  origin.by = {json_text_or_empty(api), json_text_or_empty(provider), json_text_or_empty(model),
               json_text_or_empty(account)};
  origin.prefix_hash = json_text_or_empty(prefix_hash);
  if (origin.by.api.empty() || origin.by.model.empty()) return std::nullopt;
  return origin;
}

std::string MessageOrigin::to_meta() const {
  JsonWriter json;
  json.begin_object().key("origin").begin_object();
  write_model(json, by);
  if (!prefix_hash.empty()) json.key("prefixHash").text(prefix_hash);
  return json.end_object().end_object().take();
}

std::optional<MessageOrigin> MessageOrigin::of_meta(std::string_view meta) {
  return read_origin(json_member(meta, "origin"));
}

}  // namespace logwood
