// Sessions as requests for a model, and sessions made for another model.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/timestamp.hpp"
#include "logwood/store.hpp"
#include "model/origin.hpp"
#include "model/summary_text.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/request.hpp"
#include "providers/stored.hpp"
#include "store/inside.hpp"

namespace logwood {
namespace {

canonical::Origin origin_of(const MessageOrigin& origin) {
  const canonical::Api api = providers::api_named(origin.by.api);
  const std::string_view provider =
      origin.by.provider.empty() ? providers::default_provider(api) : origin.by.provider;
  return {api, provider, origin.by.account, origin.by.model, origin.prefix_hash};
}

// A summary for a model that never saw what it is of.
std::string told_summary(const ContextMessage& message) {
  const std::string summary = summary_text(message.type, message.payload);
  return message.type == "branch_summary"
             ? fmt::format("[Summary of another branch of this conversation]\n{}", summary)
             : fmt::format("[Summary of the earlier conversation]\n{}", summary);
}

// What messages refer to, by entry. What was redacted or erased is not there, and said so later.
Result<providers::StoredAttachments> attachments_of(Store& store, const SessionId& session,
                                                    const Context& context) {
  providers::StoredAttachments found;
  for (const ContextMessage& message : context.messages) {
    if (message.payload.find("\"attachment\"") == std::string::npos) continue;
    const auto [content, parts] = json_members(message.payload, {"content", "parts"});
    std::vector<std::string> entries;
    for (const std::string_view list : {content, parts}) {
      for_each_json_element(list, [&](std::string_view part) {
        const auto [type, entry] = json_members(part, {"type", "entryId"});
        if (type == "\"attachment\"") entries.push_back(json_text_or_empty(entry));
      });
    }
    for (const std::string& entry : entries) {
      if (found.contains(entry)) continue;
      auto attachment = store.attachment(session, EntryId{entry});
      if (!attachment && attachment.error().code == ErrorCode::not_found) continue;
      if (!attachment) return std::move(attachment).error();
      found[entry] = {attachment->mime, attachment->name, to_base64(attachment->bytes)};
    }
  }
  return found;
}

struct Prepared {
  Context context;
  providers::Target target;
  providers::Written written;
};

// The context that fits the model, as a body for it.
Result<Prepared> prepare(Store& store, const SessionId& session, const RequestOptions& options,
                         bool is_kept) {
  providers::Models models;
  if (!options.models.empty()) LOGWOOD_CHECK(models.add(options.models));
  Prepared made;
  LOGWOOD_TRY(made.target, providers::target_of(options.to, models));
  made.target.is_kept = is_kept;
  ContextOptions wanted{options.tip, options.max_tokens};
  const providers::Capabilities& can = made.target.can;
  if (!wanted.max_tokens && !is_kept && can.window > can.output) {
    wanted.max_tokens = can.window - can.output;
  }
  LOGWOOD_TRY(made.context, store.context(session, wanted));

  std::vector<std::string> summaries(made.context.messages.size());
  std::vector<providers::StoredMessage> messages;
  for (std::size_t i = 0; i < made.context.messages.size(); ++i) {
    const ContextMessage& message = made.context.messages[i];
    providers::StoredMessage stored{message.entry_id.text, message.payload};
    if (message.origin) stored.origin = origin_of(*message.origin);
    if (message.type != "message") {
      summaries[i] = told_summary(message);
      stored.summary = summaries[i];
    }
    messages.push_back(stored);
  }
  providers::StoredSession stored;
  stored.system_prompt = made.context.settings.system_prompt;
  stored.tools = made.context.settings.tools;
  stored.messages = messages;
  LOGWOOD_TRY(stored.attachments, attachments_of(store, session, made.context));
  const MessageOrigin assumed{options.assumed.value_or(ModelRef{})};
  made.written = providers::write_request(
      providers::read_session(stored, options.assumed ? origin_of(assumed) : canonical::Origin{}),
      made.target);

  const auto left_out = std::ranges::count(made.context.passed_over, PassedOverReason::over_budget,
                                           &PassedOver::reason);
  auto& warnings = made.written.report.warnings;
  if (left_out > 0) {
    warnings.push_back(
        {providers::Code::turns_left_out, "messages", {}, {std::to_string(left_out), ""}});
  }
  if (!made.context.fits) {
    warnings.push_back({providers::Code::context_too_large, "messages", {}, {}});
  }
  return made;
}

// Where the body of a request has its messages.
std::string_view messages_in(std::string_view body) {
  const auto [messages, input, contents] = json_members(body, {"messages", "input", "contents"});
  return !messages.empty() ? messages : (!input.empty() ? input : contents);
}

bool is_models(std::string_view message) {
  const std::string_view role = json_member(message, "role");
  if (role == "\"assistant\"" || role == "\"model\"") return true;
  const std::string_view type = json_member(message, "type");
  return role.empty() && !type.ends_with("_output\"");
}

// Entries of the new session, one after another.
class MigratedEntries {
 public:
  MigratedEntries(const SessionId& session, const Prepared& prepared, const ModelRef& to,
                  const IdsAndTime& stamps, const std::optional<ModelRef>& assumed)
      : session_(session), to_(to), stamps_(stamps), now_(format_timestamp(stamps.now())) {
    put_settings(prepared.context.settings);
    std::unordered_map<std::string, ModelRef> makers;
    for (const ContextMessage& message : prepared.context.messages) {
      if (message.origin) {
        makers[message.entry_id.text] = message.origin->by;
      } else if (assumed) {
        makers[message.entry_id.text] = *assumed;
      }
    }
    std::size_t number = 0;
    for_each_json_element(messages_in(prepared.written.body), [&](std::string_view message) {
      const std::vector<std::string>& sources = prepared.written.sources[number++];
      if (sources == std::vector<std::string>{"system"}) return;  // it is among the settings
      const auto maker = sources.empty() ? makers.end() : makers.find(sources.front());
      put_message(message, sources, maker == makers.end() ? nullptr : &maker->second);
    });
  }

  Result<std::optional<std::string>> next() {
    if (given_ == texts_.size()) return std::optional<std::string>();
    return std::optional(std::move(texts_[given_++]));
  }

 private:
  void put(std::string type, std::string payload, std::string meta = {}) {
    DraftFields fields{.type = std::move(type), .payload = std::move(payload)};
    fields.id = stamps_.new_id();
    fields.parent = last_ ? Parent::of(*last_) : Parent::root();
    fields.timestamp = now_;
    fields.meta = std::move(meta);
    last_ = fields.id;
    texts_.push_back(std::move(Draft::of(fields).text));
  }

  void put_settings(const Settings& settings) {
    if (settings.system_prompt || !settings.tools.empty()) {
      JsonWriter json;
      json.begin_object();
      if (settings.system_prompt) json.key("systemPrompt").text(*settings.system_prompt);
      if (!settings.tools.empty()) json.key("tools").json(settings.tools);
      put("runtime_init", json.end_object().take());
    }
    JsonWriter json;
    json.begin_object();
    write_model(json, to_);
    put("model_change", json.end_object().take());
  }

  void put_message(std::string_view message, const std::vector<std::string>& sources,
                   const ModelRef* maker) {
    JsonWriter json;
    json.begin_object();
    if (is_models(message)) {
      json.key("origin").begin_object();
      write_model(json, to_);
      json.end_object();
    }
    json.key("migratedFrom").begin_object();
    json.key("sessionId").text(session_.text).key("entryIds").begin_array();
    for (const std::string& source : sources) json.text(source);
    json.end_array();
    if (maker != nullptr) write_model(json, *maker);
    json.end_object();
    json.key("migratedTo").begin_object();
    write_model(json, to_);
    json.end_object().key("migratedAt").text(now_).end_object();
    put("message", std::string(message), json.take());
  }

  const SessionId& session_;
  const ModelRef& to_;
  const IdsAndTime& stamps_;
  std::string now_;
  std::optional<EntryId> last_;
  std::vector<std::string> texts_;
  std::size_t given_ = 0;
};

}  // namespace

Result<Request> Store::request(const SessionId& session, const RequestOptions& options) {
  LOGWOOD_TRY(Prepared made, prepare(*this, session, options, false));
  return Request{std::move(made.written.body), providers::told(made.written.report),
                 made.context.size, std::move(made.written.prefix_hash)};
}

Result<MigratedSession> Store::fork_for(const SessionId& session, const RequestOptions& options,
                                        const ForkOptions& fork) {
  LOGWOOD_TRY(storage::StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(const SessionStatus status, backend->status(session));
  LOGWOOD_TRY(const Prepared made, prepare(*this, session, options, true));
  ModelRef to = options.to;
  to.provider = made.target.provider;
  MigratedEntries entries(session, made, to, inside_->stamps, options.assumed);
  NewSession wanted;
  wanted.id = fork.id;
  wanted.key = fork.key;
  wanted.cwd = status.header.cwd;
  wanted.origin = Origin{fork_agent, session.text, "", "", std::nullopt};
  LOGWOOD_TRY(SessionHeader header,
              backend->create(wanted, {.entries = [&] { return entries.next(); }}));
  return MigratedSession{std::move(header), providers::told(made.written.report)};
}

}  // namespace logwood
