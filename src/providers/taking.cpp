// What a target takes from the user and from tools: pictures, sound and documents of the kinds it
// knows. In the place of anything else stands a text that says what is missing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "providers/lowering.hpp"

namespace logwood::providers {
namespace {

bool is_media(PartKind kind) {
  return kind == PartKind::image || kind == PartKind::audio || kind == PartKind::video ||
         kind == PartKind::document;
}

bool takes_audio(Api api) { return api == Api::openai_chat || api == Api::gemini; }

bool takes_image_type(Api api, std::string_view media_type) {
  constexpr std::array<std::string_view, 4> known = {"image/jpeg", "image/png", "image/gif",
                                                     "image/webp"};
  return api != Api::anthropic_messages || std::ranges::find(known, media_type) != known.end();
}

// The text of a document, whichever way it is kept.
std::optional<std::string> text_in(const Source& source) {
  if (source.kind == Source::Kind::text) return unescaped(source.data);
  if (source.kind != Source::Kind::base64 || !source.media_type.inside.starts_with("text/")) {
    return std::nullopt;
  }
  auto text = from_base64(source.data.inside);
  if (!text || !is_utf8(*text)) return std::nullopt;
  return text;
}

}  // namespace

void Lowering::put_text_in_place(Part& part, std::string_view text) {
  part.kind = PartKind::text;
  part.text = request_.keep_escaped(text);
}

void Lowering::take_document(Part& part) {
  const Api api = target_.api;
  if (!part.context.empty()) {
    // Only Anthropic has a place for it.
    if (api != Api::anthropic_messages) warn(Code::document_context_dropped, part);
  }
  if (api == Api::anthropic_messages && part.source.kind == Source::Kind::text) return;
  if (auto text = text_in(part.source)) {
    if (api == Api::gemini && part.source.kind == Source::Kind::base64) return;
    if (api == Api::anthropic_messages) {
      part.source = {Source::Kind::text, {"text/plain"}, request_.keep_escaped(*text), {}};
      return;
    }
    warn(Code::document_to_text, part);
    const std::string title =
        part.title.empty() ? "" : fmt::format(" title={}", json_quoted(unescaped(part.title)));
    put_text_in_place(part, fmt::format("<document{}>\n{}\n</document>", title, *text));
    return;
  }
  if (part.source.kind == Source::Kind::url && api == Api::openai_chat) {
    warn(Code::document_url_unsupported, part);
    put_text_in_place(part, fmt::format("(document at {})", unescaped(part.source.data)));
    return;
  }
  const std::string_view type = part.source.media_type.inside;
  const bool is_pdf = type.empty() || type == "application/pdf";
  if (target_.can.documents && (is_pdf || api != Api::anthropic_messages)) return;
  warn(Code::media_type_unsupported, part, type);
  put_text_in_place(part, "(document omitted: not supported by the target)");
}

bool Lowering::take(Part& part) {
  const bool is_odd = is_media(part.kind) && (part.source.kind == Source::Kind::none ||
                                              part.source.kind == Source::Kind::other);
  if (!native(part).empty() && (part.kind != PartKind::image || target_.can.vision)) return true;
  const std::string_view native_type = json_member(part.native.json, "type");
  part.native = {};
  const Api api = target_.api;
  if (!part.cache.empty()) warn(Code::cache_hint_dropped, part);
  if (is_odd || part.kind == PartKind::opaque || part.kind == PartKind::tool_change) {
    warn(Code::opaque_part_dropped, part, unescaped(escaped_text(native_type)));
    return false;
  }
  if (part.kind == PartKind::compaction) {
    warn(part.text.empty() ? Code::compaction_opaque_dropped : Code::compaction_to_text, part);
    if (part.text.empty()) return false;
    part.kind = PartKind::text;
  }
  if (part.wants_citations && api != Api::anthropic_messages) {
    warn(Code::citations_config_dropped, part);
  }
  const bool has_detail = api == Api::openai_chat || api == Api::openai_responses;
  if (!part.detail.empty() && part.detail.inside != "auto" && !has_detail) {
    warn(Code::image_detail_dropped, part, part.detail.inside);
  }
  if (part.kind == PartKind::image && !target_.can.vision) {
    warn(Code::image_omitted, part);
    put_text_in_place(part, "(image omitted: model does not support images)");
    return true;
  }
  const Source& source = part.source;
  const bool is_file = is_media(part.kind) && source.kind == Source::Kind::file;
  const bool has_no_place = part.kind == PartKind::image && api == Api::openai_chat;
  if (is_file && (source.provider != target_.provider || has_no_place)) {
    warn(Code::file_id_not_portable, part, source.data.inside);
    put_text_in_place(part, fmt::format("(attachment not available: {})",
                                        part.title.empty() ? std::string(name_of(part.kind))
                                                           : unescaped(part.title)));
    return true;
  }
  if (part.kind == PartKind::audio) {
    const bool is_inline = source.kind == Source::Kind::base64 || api == Api::gemini;
    if (takes_audio(api) && target_.can.audio && is_inline) return true;
    warn(Code::audio_unsupported, part);
    put_text_in_place(part, "(audio omitted: not supported by the target)");
  } else if (part.kind == PartKind::video && api != Api::gemini) {
    warn(Code::video_unsupported, part);
    put_text_in_place(part, "(video omitted: not supported by the target)");
  } else if (part.kind == PartKind::image && source.kind == Source::Kind::base64 &&
             !takes_image_type(api, source.media_type.inside)) {
    warn(Code::media_type_unsupported, part, source.media_type.inside);
    put_text_in_place(part, fmt::format("(image omitted: {} is not supported by the target)",
                                        unescaped(source.media_type)));
  } else if (part.kind == PartKind::document) {
    take_document(part);
  }
  return true;
}

std::vector<Part>& Lowering::take_content(Part& result) {
  keep_if(result.content, [&](Part& part) {
    part.entry = result.entry;
    part.place = result.place;
    // A result is built anew as a whole, so what is in it is too.
    if (part.kind != PartKind::opaque) part.native = {};
    return take(part);
  });
  return result.content;
}

std::vector<Part>& Lowering::take_parts(Message& message) {
  keep_if(message.parts, [&](Part& part) {
    if (!take(part)) return false;
    const bool is_empty = part.kind == PartKind::text && part.text.empty() && !part.is_signed;
    if (is_empty) warn(Code::empty_text_dropped, part);
    return !is_empty;
  });
  return message.parts;
}

bool Lowering::has_text(const Message& message) {
  bool has_any = false;
  for (const Part& part : message.parts) {
    has_any = has_any || part.kind == PartKind::text;
    Part lost = part;
    if (part.kind != PartKind::text) (void)take(lost);  // says so
  }
  if (!has_any) warn(Code::empty_message_dropped, message.id);
  return has_any;
}

EscapedText Lowering::told_omitted(const Part& part) {
  warn(Code::assistant_media_dropped, part, name_of(part.kind));
  return request_.keep_escaped(
      fmt::format("({} produced by the assistant omitted)", name_of(part.kind)));
}

EscapedText Lowering::address_of(const Source& source) {
  if (source.kind != Source::Kind::base64) return source.data;
  return {request_.keep(
      fmt::format("data:{};base64,{}", source.media_type.inside, source.data.inside))};
}

}  // namespace logwood::providers
