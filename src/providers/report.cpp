#include "providers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_writer.hpp"

namespace logwood::providers {
namespace {

constexpr std::array rows = {
    CodeRow{Code::assistant_media_dropped,
            "ASSISTANT_MEDIA_DROPPED",
            Severity::blocking,
            "media",
            {"kind", ""},
            "What the model made ({0}) is not sent: the target takes none from it."},
    CodeRow{Code::audio_unsupported,
            "AUDIO_UNSUPPORTED",
            Severity::blocking,
            "audio",
            {"", ""},
            "Audio is not sent: the target takes none."},
    CodeRow{Code::cache_hint_dropped,
            "CACHE_HINT_DROPPED",
            Severity::info,
            "cache",
            {"", ""},
            "A hint about caching is left out: it means nothing to the target."},
    CodeRow{Code::citations_config_dropped,
            "CITATIONS_CONFIG_DROPPED",
            Severity::lossy,
            "citations",
            {"", ""},
            "The wish for citations is not sent: the target has none."},
    CodeRow{Code::citations_dropped,
            "CITATIONS_DROPPED",
            Severity::lossy,
            "citations",
            {"count", ""},
            "Citations of a text are not sent ({0}): only its words are."},
    CodeRow{
        Code::compaction_opaque_dropped,
        "COMPACTION_OPAQUE_DROPPED",
        Severity::blocking,
        "compaction",
        {"", ""},
        "A compaction is not sent, for only its provider can read it: take the branch before it."},
    CodeRow{Code::compaction_to_text,
            "COMPACTION_TO_TEXT",
            Severity::transformed,
            "compaction",
            {"", ""},
            "The summary of a compaction is sent as text."},
    CodeRow{Code::context_too_large,
            "CONTEXT_TOO_LARGE",
            Severity::blocking,
            "messages",
            {"", ""},
            "The last turn alone is larger than what the model takes."},
    CodeRow{Code::continue_added,
            "CONTINUE_ADDED",
            Severity::added,
            "messages",
            {"", ""},
            "\"Continue.\" is put at the end, since the target wants the user to speak last."},
    CodeRow{Code::custom_tool_as_function,
            "CUSTOM_TOOL_AS_FUNCTION",
            Severity::transformed,
            "tools",
            {"tool", ""},
            "The tool {0}, which takes free text, is sent as a function with one string."},
    CodeRow{Code::developer_role_downgraded,
            "DEVELOPER_ROLE_DOWNGRADED",
            Severity::transformed,
            "role",
            {"", ""},
            "A developer's message is sent as a system message."},
    CodeRow{Code::document_context_dropped,
            "DOCUMENT_CONTEXT_DROPPED",
            Severity::lossy,
            "documents",
            {"", ""},
            "The note that goes with a document is not sent: the target has no place for it."},
    CodeRow{Code::document_to_text,
            "DOCUMENT_TO_TEXT",
            Severity::transformed,
            "documents",
            {"", ""},
            "A text document is sent as text."},
    CodeRow{Code::document_url_unsupported,
            "DOCUMENT_URL_UNSUPPORTED",
            Severity::blocking,
            "documents",
            {"", ""},
            "Of a document at an address only the address is sent."},
    CodeRow{Code::duplicate_item_dropped,
            "DUPLICATE_ITEM_DROPPED",
            Severity::info,
            "items",
            {"item", ""},
            "The item {0} was there twice and is sent once."},
    CodeRow{Code::empty_message_dropped,
            "EMPTY_MESSAGE_DROPPED",
            Severity::info,
            "messages",
            {"", ""},
            "A message of which nothing is left is not sent."},
    CodeRow{Code::empty_result_placeholder,
            "EMPTY_RESULT_PLACEHOLDER",
            Severity::transformed,
            "toolResults",
            {"", ""},
            "An empty result is sent as \"(no output)\"."},
    CodeRow{Code::empty_text_dropped,
            "EMPTY_TEXT_DROPPED",
            Severity::info,
            "text",
            {"", ""},
            "An empty text is not sent."},
    CodeRow{Code::file_id_not_portable,
            "FILE_ID_NOT_PORTABLE",
            Severity::blocking,
            "files",
            {"fileId", ""},
            "The file {0} is kept by another provider and cannot be sent."},
    CodeRow{Code::first_user_synthesized,
            "FIRST_USER_SYNTHESIZED",
            Severity::added,
            "messages",
            {"", ""},
            "\"(conversation resumed)\" is put first, since the target wants the user to begin."},
    CodeRow{Code::gemini_signature_sentinel,
            "GEMINI_SIGNATURE_SENTINEL",
            Severity::info,
            "signatures",
            {"callId", ""},
            "The call {0} has no signature of this model and says so in the way Google documents."},
    CodeRow{Code::image_detail_dropped,
            "IMAGE_DETAIL_DROPPED",
            Severity::lossy,
            "images",
            {"detail", ""},
            "That an image is to be seen in {0} detail is not sent."},
    CodeRow{Code::image_omitted,
            "IMAGE_OMITTED",
            Severity::blocking,
            "images",
            {"", ""},
            "An image is not sent: the model cannot see."},
    CodeRow{Code::item_id_dropped,
            "ITEM_ID_DROPPED",
            Severity::info,
            "items",
            {"item", ""},
            "The item {0} is sent without its id, which is bound to what is not sent."},
    CodeRow{Code::media_type_unsupported,
            "MEDIA_TYPE_UNSUPPORTED",
            Severity::blocking,
            "media",
            {"mediaType", ""},
            "A part of the type {0} is not sent: the target takes none."},
    CodeRow{Code::messages_merged,
            "MESSAGES_MERGED",
            Severity::info,
            "messages",
            {"", ""},
            "A message is joined to the one before it."},
    CodeRow{Code::name_field_dropped,
            "NAME_FIELD_DROPPED",
            Severity::lossy,
            "name",
            {"", ""},
            "The name of who speaks is not sent."},
    CodeRow{Code::opaque_part_dropped,
            "OPAQUE_PART_DROPPED",
            Severity::lossy,
            "parts",
            {"nativeType", ""},
            "A part of the type {0}, which only its API knows, is not sent."},
    CodeRow{Code::part_incomplete_dropped,
            "PART_INCOMPLETE_DROPPED",
            Severity::lossy,
            "parts",
            {"kind", "callId"},
            "A part that was never finished is not sent: {0} {1}"},
    CodeRow{Code::part_order_changed,
            "PART_ORDER_CHANGED",
            Severity::transformed,
            "parts",
            {"", ""},
            "What was said after a tool call is sent before it."},
    CodeRow{Code::phase_dropped,
            "PHASE_DROPPED",
            Severity::lossy,
            "phase",
            {"", ""},
            "Whether a text was commentary or the answer is not sent."},
    CodeRow{Code::reasoning_dropped,
            "REASONING_DROPPED",
            Severity::lossy,
            "reasoning",
            {"from", ""},
            "What {0} thought is not sent: no other model can use it."},
    CodeRow{Code::reasoning_placeholder_added,
            "REASONING_PLACEHOLDER_ADDED",
            Severity::info,
            "reasoning",
            {"", ""},
            "Empty reasoning is put beside a tool call, as the target demands."},
    CodeRow{Code::reasoning_prefix_changed_dropped,
            "REASONING_PREFIX_CHANGED_DROPPED",
            Severity::lossy,
            "reasoning",
            {"", ""},
            "Thinking is not sent: its signature covers what came before, and that has changed."},
    CodeRow{Code::reasoning_redacted_dropped,
            "REASONING_REDACTED_DROPPED",
            Severity::lossy,
            "reasoning",
            {"from", ""},
            "What {0} thought, encrypted, is not sent: no other model can use it."},
    CodeRow{Code::reasoning_server_state_dropped,
            "REASONING_SERVER_STATE_DROPPED",
            Severity::lossy,
            "reasoning",
            {"item", ""},
            "The reasoning {0} is not sent: its content was left with the provider."},
    CodeRow{Code::refusal_to_text,
            "REFUSAL_TO_TEXT",
            Severity::transformed,
            "refusals",
            {"", ""},
            "A refusal is sent as text."},
    CodeRow{Code::server_tool_def_dropped,
            "SERVER_TOOL_DEF_DROPPED",
            Severity::lossy,
            "tools",
            {"tool", ""},
            "The tool {0} is not offered: only its provider can run it."},
    CodeRow{Code::server_tool_flattened,
            "SERVER_TOOL_FLATTENED",
            Severity::transformed,
            "tools",
            {"tool", ""},
            "A run of {0}, a tool of the provider, is told as text."},
    CodeRow{Code::signature_dropped,
            "SIGNATURE_DROPPED",
            Severity::lossy,
            "signatures",
            {"kind", ""},
            "The signature of a {0} is not sent: it is another model's."},
    CodeRow{Code::surrogate_replaced,
            "SURROGATE_REPLACED",
            Severity::lossy,
            "text",
            {"count", ""},
            "Halves of characters, which no API takes, are sent as U+FFFD ({0})."},
    CodeRow{Code::system_mid_as_user,
            "SYSTEM_MID_AS_USER",
            Severity::transformed,
            "role",
            {"", ""},
            "A system message in the middle is sent as the user's, marked as such."},
    CodeRow{Code::system_mid_relocated,
            "SYSTEM_MID_RELOCATED",
            Severity::transformed,
            "role",
            {"", ""},
            "A system message in the middle is moved to where the target takes it."},
    CodeRow{Code::tool_args_invalid_replaced,
            "TOOL_ARGS_INVALID_REPLACED",
            Severity::lossy,
            "toolCalls",
            {"callId", ""},
            "The arguments of {0} are no JSON object and are sent as {{}}."},
    CodeRow{Code::tool_args_not_json,
            "TOOL_ARGS_NOT_JSON",
            Severity::transformed,
            "toolCalls",
            {"callId", ""},
            "The arguments of {0} are no JSON object; they are sent as they are."},
    CodeRow{Code::tool_error_flag_lost,
            "TOOL_ERROR_FLAG_LOST",
            Severity::lossy,
            "toolResults",
            {"callId", ""},
            "That {0} failed is not sent, only what it said."},
    CodeRow{Code::tool_error_media_hoisted,
            "TOOL_ERROR_MEDIA_HOISTED",
            Severity::transformed,
            "toolResults",
            {"callId", ""},
            "What the failed call {0} showed is sent after its result."},
    CodeRow{Code::tool_id_rewritten,
            "TOOL_ID_REWRITTEN",
            Severity::info,
            "toolCalls",
            {"from", "to"},
            "The call {0} is sent as {1}, an id the target takes."},
    CodeRow{Code::tool_name_rewritten,
            "TOOL_NAME_REWRITTEN",
            Severity::info,
            "tools",
            {"from", "to"},
            "The tool {0} is sent as {1}, a name the target takes."},
    CodeRow{Code::tool_result_duplicate_dropped,
            "TOOL_RESULT_DUPLICATE_DROPPED",
            Severity::info,
            "toolResults",
            {"callId", ""},
            "A second result of {0} is not sent."},
    CodeRow{Code::tool_result_media_hoisted,
            "TOOL_RESULT_MEDIA_HOISTED",
            Severity::transformed,
            "toolResults",
            {"callId", "count"},
            "What {0} showed is sent after the results ({1})."},
    CodeRow{Code::tool_result_orphan_to_text,
            "TOOL_RESULT_ORPHAN_TO_TEXT",
            Severity::transformed,
            "toolResults",
            {"callId", ""},
            "The result of {0}, whose call is not there, is sent as text."},
    CodeRow{Code::tool_result_reordered,
            "TOOL_RESULT_REORDERED",
            Severity::info,
            "toolResults",
            {"callId", ""},
            "The result of {0} came late and is sent next to its call."},
    CodeRow{Code::tool_result_synthesized,
            "TOOL_RESULT_SYNTHESIZED",
            Severity::added,
            "toolResults",
            {"callId", ""},
            "No result of {0} was recorded; it may have run, and the model is told so."},
    CodeRow{
        Code::turns_left_out,
        "TURNS_LEFT_OUT",
        Severity::lossy,
        "messages",
        {"count", ""},
        "The oldest turns are not sent, since the rest fills the model's window ({0} messages)."},
    CodeRow{Code::url_as_file_data,
            "URL_AS_FILE_DATA",
            Severity::transformed,
            "media",
            {"url", ""},
            "What is at {0} is sent as a file to be fetched."},
    CodeRow{Code::video_unsupported,
            "VIDEO_UNSUPPORTED",
            Severity::blocking,
            "video",
            {"", ""},
            "Video is not sent: the target takes none."},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].code) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::transformed:
      return "transformed";
    case Severity::added:
      return "added";
    case Severity::lossy:
      return "lossy";
    case Severity::blocking:
      return "blocking";
  }
  return {};
}

const CodeRow& row_of(Code code) { return rows[static_cast<std::size_t>(code)]; }

std::string Warning::sentence() const {
  std::string said = fmt::format(fmt::runtime(row_of(code).sentence), details[0], details[1]);
  while (said.ends_with(' ')) said.pop_back();
  return said;
}

std::string to_json(const Warning& warning) {
  const CodeRow& row = row_of(warning.code);
  JsonWriter json;
  json.begin_object().key("code").text(row.name);
  json.key("severity").text(name_of(row.severity)).key("at").text(warning.at);
  if (warning.part) json.key("part").number(*warning.part);
  for (std::size_t i = 0; i < 2; ++i) {
    if (row.keys[i].empty() || warning.details[i].empty()) continue;
    json.key(row.keys[i]);
    if (row.keys[i] == "count") {
      json.json(warning.details[i]);
    } else {
      json.text(warning.details[i]);
    }
  }
  json.key("text").text(warning.sentence()).end_object();
  return json.take();
}

bool Report::is_compatible() const {
  return std::ranges::none_of(warnings, [](const Warning& warning) {
    return row_of(warning.code).severity == Severity::blocking;
  });
}

std::vector<std::string_view> Report::lossy_fields() const {
  std::vector<std::string_view> fields;
  for (const Warning& warning : warnings) {
    const CodeRow& row = row_of(warning.code);
    if (row.severity < Severity::lossy) continue;
    if (std::ranges::find(fields, row.field) == fields.end()) fields.push_back(row.field);
  }
  return fields;
}

}  // namespace logwood::providers
