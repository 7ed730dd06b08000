#include "model/message_parts.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/json_text.hpp"
#include "model/message_shape.hpp"

namespace logwood {
namespace {

using Kind = MessagePart::Kind;

class Reader {
 public:
  void take(const MessagePiece& piece) {
    switch (piece.kind) {
      case MessagePiece::Kind::text:
        return add_text(Kind::text, piece.value);
      case MessagePiece::Kind::thinking:
        return add_text(Kind::thinking, piece.value);
      case MessagePiece::Kind::call:
        return add_value(Kind::call, json_text_or_empty(piece.name), piece.value);
      case MessagePiece::Kind::result:
        return add_value(Kind::result, json_text_or_empty(piece.name), piece.value);
      case MessagePiece::Kind::bytes:
        return add_bytes(piece.block);
      case MessagePiece::Kind::other:
        found_.push_back({Kind::other, json_text_or_empty(json_member(piece.block, "type")),
                          std::string(piece.block), true});
    }
  }

  std::vector<MessagePart> found() { return std::move(found_); }

 private:
  void add_text(Kind kind, std::string_view token) {
    if (std::string text = json_text_or_empty(token); !text.empty())
      found_.push_back({kind, "", std::move(text), false});
  }

  // What a tool was given or said: text, blocks with text, or JSON.
  void add_value(Kind kind, std::string name, std::string_view token) {
    if (token.starts_with('"')) {
      std::string text = json_text_or_empty(token);
      const bool is_json = kind == Kind::call && static_cast<bool>(check_json(text));
      found_.push_back({kind, std::move(name), std::move(text), is_json});
      return;
    }
    std::string text;
    bool only_text = token.starts_with('[');
    for_each_json_element(token, [&](std::string_view block) {
      const auto [type, said] = json_members(block, {"type", "text"});
      only_text = only_text && (type == "\"text\"" || type == "\"output_text\"");
      text += (text.empty() ? "" : "\n") + json_text_or_empty(said);
    });
    if (only_text) {
      found_.push_back({kind, std::move(name), std::move(text), false});
    } else {
      found_.push_back({kind, std::move(name), std::string(token), true});
    }
  }

  void add_bytes(std::string_view block) {
    const auto [source, data, mime, url, inline_data] =
        json_members(block, {"source", "data", "mimeType", "image_url", "inlineData"});
    // Anthropic and Gemini put them one level further in.
    const auto [inner_data, media_type, inner_mime] =
        json_members(source.empty() ? inline_data : source, {"data", "media_type", "mimeType"});
    std::string what;
    for (const std::string_view token : {media_type, inner_mime, mime}) {
      if (what.empty()) what = json_text_or_empty(token);
    }
    if (what.empty()) what = "an image";
    const std::string_view base64 = inner_data.empty() ? data : inner_data;
    if (base64.size() > 2) {
      what += fmt::format(", {} bytes", (base64.size() - 2) / 4 * 3);
    } else if (!url.empty()) {
      what += ", by its address";
    }
    found_.push_back({Kind::image, "", std::move(what), false});
  }

  std::vector<MessagePart> found_;
};

}  // namespace

std::vector<MessagePart> read_parts(std::string_view payload) {
  Reader reader;
  for_each_piece(shape_of(payload), [&](const MessagePiece& piece) { reader.take(piece); });
  return reader.found();
}

}  // namespace logwood
