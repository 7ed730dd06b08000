#include "exchange/writing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "base/uuid.hpp"
#include "model/message_shape.hpp"
#include "model/origin.hpp"
#include "model/summary_text.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/models.hpp"
#include "providers/request.hpp"
#include "providers/stored.hpp"

namespace logwood::exchange {
namespace {

canonical::Origin origin_of(const ModelRef& model) {
  const canonical::Api api = providers::api_named(model.api);
  return {api,
          model.provider.empty() ? providers::default_provider(api) : model.provider,
          model.account,
          model.model,
          {}};
}

// Where the body of a request has its messages.
std::string_view messages_in(std::string_view body) {
  const auto [messages, input] = json_members(body, {"messages", "input"});
  return messages.empty() ? input : messages;
}

void count(std::string_view message, KeptCounts& kept) {
  const MessageShape shape = shape_of(message);
  bool has_result = false;
  bool has_content = false;
  const auto take = [&](const MessagePiece& piece) {
    using Kind = MessagePiece::Kind;
    kept.tool_calls += piece.kind == Kind::call ? 1U : 0U;
    kept.results += piece.kind == Kind::result ? 1U : 0U;
    kept.images += piece.kind == Kind::bytes ? 1U : 0U;
    kept.reasoning +=
        piece.kind == Kind::thinking || json_member(piece.block, "type") == "\"redacted_thinking\""
            ? 1U
            : 0U;
    has_result = has_result || piece.kind == Kind::result;
    has_content = has_content || piece.kind == Kind::text || piece.kind == Kind::bytes;
  };
  for_each_piece(shape, take);
  kept.reasoning += shape.type == "\"reasoning\"" ? 1U : 0U;
  kept.turns += shape.role == "\"user\"" && has_content && !has_result ? 1U : 0U;
}

}  // namespace

std::string derived_uuid(const std::string& session_id, std::uint64_t number) {
  const Sha256 hash = sha256({session_id, ":", std::to_string(number)});
  std::array<std::uint8_t, 16> bytes{};
  std::copy_n(hash.begin(), bytes.size(), bytes.begin());
  return uuid_v8(bytes);
}

std::string derived_hex(const std::string& session_id, std::uint64_t number, std::size_t digits) {
  return to_hex(sha256({session_id, ":", std::to_string(number)})).substr(0, digits);
}

ConvertedPath convert_path(const SessionToWrite& session, std::string_view api,
                           std::string_view otherwise, Documents documents) {
  ConvertedPath converted;
  std::vector<providers::StoredMessage> messages;
  std::vector<std::optional<ModelRef>> makers(session.path.size());
  std::vector<std::string> summaries(session.path.size());
  std::unordered_map<std::string_view, std::size_t> places;
  std::optional<ModelRef> in_use;
  std::string model(otherwise);
  for (std::size_t i = 0; i < session.path.size(); ++i) {
    const Entry& entry = session.path[i];
    places.emplace(entry.id.text, i);
    if (entry.erased || entry.incomplete || entry.redacted) continue;
    if (entry.type == "model_change") {
      if (const auto origin = read_origin(entry.payload())) in_use = origin->by;
    }
    if (entry.type == "branch_summary") {
      summaries[i] = "[Summary of another branch of this conversation]\n" +
                     summary_text(entry.type, entry.payload());
      messages.push_back({entry.id.text, entry.payload(), {}, summaries[i]});
    }
    if (entry.type != "message") continue;
    auto origin = MessageOrigin::of_meta(entry.meta());
    if (!origin) origin = read_origin(entry.payload());
    makers[i] = origin ? std::optional(origin->by) : in_use;
    if (makers[i] && makers[i]->api == api) model = makers[i]->model;
    providers::StoredMessage stored{entry.id.text, entry.payload()};
    if (makers[i]) stored.origin = origin_of(*makers[i]);
    messages.push_back(stored);
  }
  providers::StoredSession stored;
  stored.messages = messages;
  providers::Target target;
  const ModelRef wanted{std::string(api),
                        std::string(providers::default_provider(providers::api_named(api))), model};
  if (auto known = providers::target_of(wanted, providers::Models())) target = *std::move(known);
  target.is_kept = true;
  if (documents == Documents::left_out) target.can.documents = false;
  providers::Written written = providers::write_request(providers::read_session(stored), target);
  converted.body = std::move(written.body);
  converted.report = std::move(written.report);

  std::size_t next_place = 0;  // of the path, up to which compactions were told
  const auto put_compactions = [&](std::size_t until) {
    for (; next_place < until; ++next_place) {
      const Entry& entry = session.path[next_place];
      if (entry.type != "compaction_summary" || entry.redacted || entry.erased) continue;
      ConvertedMessage made;
      made.summary = summary_text(entry.type, entry.payload());
      made.first_kept = json_text_or_empty(json_member(entry.payload(), "firstKeptEntryId"));
      made.entry = entry.id.text;
      made.timestamp = entry.timestamp;
      ++converted.kept.compactions;
      converted.messages.push_back(std::move(made));
    }
  };
  std::size_t number = 0;
  for_each_json_element(messages_in(converted.body), [&](std::string_view message) {
    const std::vector<std::string>& sources = written.sources[number++];
    if (sources == std::vector<std::string>{"system"}) return;
    ConvertedMessage made;
    made.json = message;
    made.sources = sources;
    const auto place = sources.empty() ? places.end() : places.find(sources.front());
    if (place != places.end()) {
      put_compactions(place->second);
      const Entry& entry = session.path[place->second];
      made.entry = entry.id.text;
      made.timestamp = entry.timestamp;
      made.model = makers[place->second];
    } else if (!converted.messages.empty()) {
      made.timestamp = converted.messages.back().timestamp;
    } else {
      made.timestamp = session.header.created;
    }
    count(message, converted.kept);
    converted.messages.push_back(std::move(made));
  });
  put_compactions(session.path.size());
  return converted;
}

}  // namespace logwood::exchange
