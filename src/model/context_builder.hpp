// Puts a context together from entries that are told newest first.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "logwood/context.hpp"
#include "logwood/entry.hpp"
#include "model/entry_fields.hpp"
#include "model/message.hpp"
#include "model/redaction.hpp"

namespace logwood {

/// A message of the path with what it was read as.
struct ReadMessage {
  ContextMessage message;
  Message parts;
};

/// Marks speak about entries before them, so going backwards all that concern an entry
/// are known when it is met.
class ContextBuilder {
 public:
  explicit ContextBuilder(const std::optional<EntryId>& tip);

  /// Whether an entry has to be read at all: a mark, or the next one on the path.
  [[nodiscard]] bool wants(const EntryPlace& place) const;

  /// False when nothing older is needed.
  bool take(Entry entry);

  /// Whether the tip was met. One that was asked for may not be in the session.
  [[nodiscard]] bool found_tip() const { return found_tip_; }

  struct Built {
    Context context;  ///< of full length; no turns counted yet
    std::vector<ReadMessage> messages;
    std::unordered_set<std::string> started_calls;  ///< of which a tool_run mark tells
  };
  [[nodiscard]] Built finish();

 private:
  bool take_on_path(Entry entry);
  void take_settings(std::string_view type, std::string_view payload);
  void take_settings_of_compaction(std::string_view payload);

  std::optional<EntryId> next_;  // on the path
  bool found_tip_ = false;
  std::vector<Entry> path_;  // newest first

  std::optional<std::size_t> compaction_;  // in path_
  std::string first_kept_;
  bool met_first_kept_ = false;

  Settings settings_;
  bool has_model_ = false;
  bool has_level_ = false;
  bool has_override_ = false;  // or its end
  bool has_runtime_ = false;
  std::optional<std::string> override_;  // of the runtime's system prompt

  Redactions redactions_;
  std::unordered_set<std::string> hidden_;  // on the path, nothing of them is shown
  std::unordered_set<std::string> started_calls_;
};

}  // namespace logwood
