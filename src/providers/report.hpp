// What becomes of a request on its way to another model: what is changed, added or lost, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

enum class Severity : std::uint8_t {
  info,         ///< nothing the model could see is lost
  transformed,  ///< it says the same in another way
  added,        ///< something that nobody said was put in
  lossy,        ///< something is not sent
  blocking,     ///< so much is not sent that somebody should be asked
};

[[nodiscard]] std::string_view name_of(Severity severity);

enum class Code : std::uint8_t {
  assistant_media_dropped,
  audio_unsupported,
  cache_hint_dropped,
  citations_config_dropped,
  citations_dropped,
  compaction_opaque_dropped,
  compaction_to_text,
  context_too_large,
  continue_added,
  custom_tool_as_function,
  developer_role_downgraded,
  document_context_dropped,
  document_to_text,
  document_url_unsupported,
  duplicate_item_dropped,
  empty_message_dropped,
  empty_result_placeholder,
  empty_text_dropped,
  file_id_not_portable,
  first_user_synthesized,
  gemini_signature_sentinel,
  image_detail_dropped,
  image_omitted,
  item_id_dropped,
  media_type_unsupported,
  messages_merged,
  name_field_dropped,
  opaque_part_dropped,
  part_incomplete_dropped,
  part_order_changed,
  phase_dropped,
  reasoning_dropped,
  reasoning_placeholder_added,
  reasoning_prefix_changed_dropped,
  reasoning_redacted_dropped,
  reasoning_server_state_dropped,
  refusal_to_text,
  server_tool_def_dropped,
  server_tool_flattened,
  signature_dropped,
  surrogate_replaced,
  system_mid_as_user,
  system_mid_relocated,
  thinking_must_be_off,
  tool_args_invalid_replaced,
  tool_args_not_json,
  tool_error_flag_lost,
  tool_error_media_hoisted,
  tool_id_rewritten,
  tool_name_rewritten,
  tool_result_duplicate_dropped,
  tool_result_media_hoisted,
  tool_result_orphan_to_text,
  tool_result_reordered,
  tool_result_synthesized,
  tool_use_to_text,
  tools_dropped,
  turns_left_out,
  url_as_file_data,
  video_unsupported,
};

/// What a code means wherever it is met.
struct CodeRow {
  Code code;
  std::string_view name;  ///< REASONING_DROPPED
  Severity severity;
  std::string_view field;     ///< what of a message it concerns
  std::string_view keys[2];   ///< what is told besides the place; empty: nothing
  std::string_view sentence;  ///< {0} and {1} are those two
};

[[nodiscard]] const CodeRow& row_of(Code code);

struct Warning {
  Code code = Code::reasoning_dropped;
  std::string at = {};  ///< the entry or message; `system` or `tools`
  std::optional<std::size_t> part = {};
  std::string details[2] = {};

  /// For a person.
  [[nodiscard]] std::string sentence() const;
};

struct Report {
  std::vector<Warning> warnings;

  /// Nothing in it is blocking.
  [[nodiscard]] bool is_compatible() const;
  /// What of the messages is not sent, each named once.
  [[nodiscard]] std::vector<std::string_view> lossy_fields() const;
};

}  // namespace logwood::providers
