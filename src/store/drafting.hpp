// The drafts behind the store's own verbs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logwood/attachment.hpp"
#include "logwood/context.hpp"
#include "logwood/entry.hpp"
#include "logwood/redaction.hpp"
#include "logwood/resume.hpp"
#include "logwood/turn.hpp"

namespace logwood {

[[nodiscard]] Draft head_draft(const std::optional<EntryId>& target);
[[nodiscard]] Draft label_draft(const std::string& name, const std::optional<EntryId>& target);
[[nodiscard]] Draft compaction_draft(const std::string& summary,
                                     const std::optional<EntryId>& first_kept,
                                     const Settings& settings);
[[nodiscard]] Draft tool_run_draft(const std::string& call_id, const std::string& name);
[[nodiscard]] Draft deltas_draft(const EntryId& message, const std::string& deltas,
                                 const std::string& run_id);
[[nodiscard]] Draft redaction_draft(const std::vector<RedactionTarget>& targets,
                                    const std::string& reason);
[[nodiscard]] Draft attachment_draft(const Attachment& attachment);
[[nodiscard]] std::vector<Draft> turn_drafts(const Turn& turn);

}  // namespace logwood
