#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/ids.hpp"
#include "logwood/origin.hpp"

namespace logwood {

/// What is in force at a tip, as the path says it. Empty: the path does not say.
struct Settings {
  std::string api;
  std::string provider;
  std::string model;
  std::string thinking_level;
  std::optional<std::string> system_prompt;          ///< in force
  std::optional<std::string> runtime_system_prompt;  ///< in force when an override ends
  std::string tools;                                 ///< JSON text, of `runtime_init`

  bool operator==(const Settings&) const = default;
};

/// One message for a model, and the entry it comes from.
struct ContextMessage {
  EntryId entry_id;
  std::string type;     ///< `message`, `compaction_summary` or `branch_summary`
  std::string role;     ///< of a message
  std::string payload;  ///< as it was stored; redacted parts are replaced
  std::string timestamp;
  std::optional<std::string> run_id;
  /// Who made it, as its entry says, or its payload, or the last `model_change` before it.
  std::optional<MessageOrigin> origin;
};

/// Why an entry of the path is not among the messages.
enum class PassedOverReason : std::uint8_t {
  redacted,
  erased,
  incomplete,         ///< a blob of it is missing or altered
  not_for_models,     ///< `custom`, or of a type we do not know
  stream,             ///< parts of a message that is there as a whole
  unfinished_stream,  ///< parts of a message that was never finished
  over_budget,        ///< its turn did not fit
};

[[nodiscard]] std::string_view name_of(PassedOverReason reason);

struct PassedOver {
  EntryId entry_id;
  PassedOverReason reason = PassedOverReason::not_for_models;
  bool operator==(const PassedOver&) const = default;
};

/// A number of tokens, and whether a provider counted them.
struct TokenCount {
  std::uint64_t tokens = 0;
  bool estimated = false;  ///< in whole or in part, from the length of the text
};

/// What a model sees at a tip: the newest compaction of its path, what that keeps, and
/// what came after; redactions applied.
struct Context {
  std::optional<EntryId> tip;
  std::optional<EntryId> compaction;  ///< whose summary comes first
  Settings settings;
  std::vector<ContextMessage> messages;  ///< oldest first
  std::size_t turns = 0;                 ///< among them
  TokenCount size;
  bool fits = true;  ///< false: the last turn alone is over the budget
  std::vector<PassedOver> passed_over;
};

struct ContextOptions {
  std::optional<EntryId> tip = std::nullopt;  ///< nothing: the head
  /// Whole turns go, the oldest first, until the rest fits. A tool call and its result
  /// are in one turn. The summary of a compaction and the last turn stay.
  std::optional<std::uint64_t> max_tokens = std::nullopt;
};

}  // namespace logwood
