#include "providers/reading.hpp"

#include <fmt/format.h>

#include <utility>

namespace logwood::providers {

void Reading::expect(std::size_t bytes) {
  request_.messages.reserve(bytes / 1024);
  names_.reserve(bytes / 4096);
}

void Reading::next(std::string_view entry, const std::optional<canonical::Origin>& origin) {
  joins_ = false;
  // What two models say is two messages.
  const auto is_same = [&] {
    if (origin_.has_value() != origin.has_value()) return false;
    return !origin || (origin->api == origin_->api && origin->provider == origin_->provider &&
                       origin->model == origin_->model);
  };
  if (!is_same()) close_assistant();
  entry_ = entry;
  origin_ = origin;
  next_place_ = 0;
}

Message& Reading::add_message(Role role) {
  close_assistant();
  const bool is_more = std::exchange(joins_, false) && role == Role::assistant &&
                       !request_.messages.empty() &&
                       request_.messages.back().role == Role::assistant;
  if (is_more) return request_.messages.back();
  Message& message = request_.messages.emplace_back();
  message.id = entry_.empty() ? request_.keep("m" + std::to_string(++counted_)) : entry_;
  message.role = role;
  if (role == Role::assistant) message.origin = origin_;
  return message;
}

Part& Reading::add_part(Message& message, Part part) {
  message.parts.push_back(std::move(part));
  return placed_last(message);
}

Part& Reading::add_part(Message& message) {
  message.parts.emplace_back();
  return placed_last(message);
}

Part& Reading::placed_last(Message& message) {
  Part& part = message.parts.back();
  part.entry = entry_.empty() ? message.id : entry_;
  part.place = entry_.empty() ? message.parts.size() - 1 : next_place_++;
  return part;
}

Message& Reading::open_assistant() {
  if (open_assistant_) return request_.messages.back();
  Message& message = add_message(Role::assistant);
  open_assistant_ = true;
  return message;
}

std::string_view Reading::plain(std::string_view token) const {
  const EscapedText text = escaped_text(token);
  return text.has_escapes() ? request_.keep(unescaped(text)) : text.inside;
}

EscapedText Reading::normal(std::string_view token) const {
  const EscapedText text = escaped_text(token);
  return text.has_escapes() ? request_.keep_escaped(unescaped(text)) : text;
}

std::string_view Reading::name_of_call(std::string_view id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string_view() : found->second;
}

bool Reading::read_attachment(std::string_view json, Part& part) const {
  const auto [type, entry] = json_members(json, {"type", "entryId"});
  if (attachments_ == nullptr || type != "\"attachment\"") return false;
  const auto found = attachments_->find(unescaped(escaped_text(entry)));
  if (found == attachments_->end()) return false;
  part.kind = kind_of_media(found->second.media_type);
  part.native = {};
  part.source = {Source::Kind::base64, escaped(found->second.media_type), {found->second.data}, {}};
  part.title = escaped(found->second.name);
  return true;
}

void Reading::make_ids_unique() {
  if (!has_repeated_ids_) return;
  struct Use {
    std::size_t count = 0;
    std::string_view now = {};  // what the last call of that id is called; empty: by that id
  };
  std::unordered_map<std::string_view, Use> uses;
  for (Message& message : request_.messages) {
    for (Part& part : message.parts) {
      if (part.kind == PartKind::tool_call) {
        Use& use = uses[part.call_id];
        if (++use.count == 1) continue;
        part.provider_id = part.call_id;
        use.now = part.call_id = request_.keep(fmt::format("{}#{}", part.provider_id, use.count));
      } else if (part.kind == PartKind::tool_result) {
        const auto found = uses.find(part.call_id);
        if (found == uses.end() || found->second.now.empty()) continue;
        part.provider_id = part.call_id;
        part.call_id = found->second.now;
      }
    }
  }
}

Source source_at(const Reading& reading, std::string_view url_token) {
  const EscapedText url = reading.normal(url_token);
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view coding = ";base64,";
  const std::size_t comma = url.inside.find(',');
  const bool is_data = url.inside.starts_with(scheme) && comma != std::string_view::npos &&
                       url.inside.substr(0, comma + 1).ends_with(coding);
  if (!is_data) return {Source::Kind::url, {}, url, {}};
  const std::size_t type_length = comma + 1 - coding.size() - scheme.size();
  return {Source::Kind::base64,
          {url.inside.substr(scheme.size(), type_length)},
          {url.inside.substr(comma + 1)},
          {}};
}

Source openai_file(const Reading& reading, std::string_view id_token, std::string_view data_token) {
  if (id_token.starts_with('"')) {
    return {Source::Kind::file, {}, reading.normal(id_token), "openai"};
  }
  Source source = source_at(reading, data_token);
  if (source.kind == Source::Kind::url) {
    source = {Source::Kind::base64, {"application/pdf"}, source.data, {}};
  }
  return source;
}

std::vector<Part> read_content(const Reading& reading, std::string_view content,
                               Part (*read_part)(const Reading&, std::string_view)) {
  std::vector<Part> parts;
  if (content.starts_with('"')) parts.emplace_back().text = escaped_text(content);
  for_each_json_element(content,
                        [&](std::string_view part) { parts.push_back(read_part(reading, part)); });
  return parts;
}

PartKind kind_of_media(std::string_view media_type) {
  if (media_type.starts_with("image/")) return PartKind::image;
  if (media_type.starts_with("audio/")) return PartKind::audio;
  if (media_type.starts_with("video/")) return PartKind::video;
  return PartKind::document;
}

void take_arguments(const Reading& reading, std::string_view token, Part& call) {
  call.arguments_text = escaped_text(token);
  const std::string_view written = reading.plain(token);
  const std::string_view arguments = written.empty() ? "{}" : written;
  bool is_object = false;
  const std::size_t start = arguments.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && arguments[start] == '{') {
    is_object = static_cast<bool>(check_json(arguments));
  }
  call.are_arguments_invalid = !is_object;
  call.arguments = is_object ? arguments : "{}";
}

Part made_text(const Reading& reading, std::string_view text) {
  Part part;
  part.text = reading.escaped(text);
  return part;
}

void read_tools(Reading& reading, Api api, std::string_view tools) {
  for_each_json_element(tools, [&](std::string_view text) {
    const auto [name, description, input_schema, parameters, type, function, custom, declared] =
        json_members(text, {"name", "description", "input_schema", "parameters", "type", "function",
                            "custom", "functionDeclarations"});
    const auto add_function = [&](std::string_view called, std::string_view said,
                                  std::string_view schema) {
      reading.request().tools.push_back(
          {Tool::Kind::function, reading.plain(called), escaped_text(said), schema, {}});
    };
    if (!declared.empty()) {
      for_each_json_element(declared, [&](std::string_view declaration) {
        const auto [called, said, json_schema, schema] = json_members(
            declaration, {"name", "description", "parametersJsonSchema", "parameters"});
        add_function(called, said, json_schema.empty() ? schema : json_schema);
      });
      return;
    }
    if (!input_schema.empty()) return add_function(name, description, input_schema);
    if (type == "\"function\"" && !function.empty()) {
      const auto [called, said, schema] =
          json_members(function, {"name", "description", "parameters"});
      return add_function(called, said, schema);
    }
    if (type == "\"function\"") return add_function(name, description, parameters);
    Tool tool{Tool::Kind::providers, {}, {}, {}, {api, text, {}, false}};
    if (type == "\"custom\"") {
      const auto [called, said] = json_members(custom, {"name", "description"});
      tool.kind = Tool::Kind::custom;
      tool.name = reading.plain(custom.empty() ? name : called);
      tool.description = escaped_text(custom.empty() ? description : said);
    }
    reading.request().tools.push_back(tool);
  });
}

}  // namespace logwood::providers
