// A session as a file for somebody else: JSONL that `import` reads, or a document to read.
//
// Redactions are applied: what is hidden here does not leave. JSONL is a session file of version 0
// (docs/format.md, F11.4): every entry and mark of every branch, long strings in their place,
// without seals. Markdown is the path of the head.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "logwood/store.hpp"
#include "model/suspected_secrets.hpp"

namespace logwood::api {

enum class ExportFormat : std::uint8_t { jsonl, markdown };

/// What becomes of suspected secrets (model/secrets.hpp).
enum class Secrets : std::uint8_t {
  refuse,  ///< nothing is exported if there are any
  redact,  ///< each is replaced by [redacted]
  keep,
};

struct ExportOptions {
  ExportFormat format = ExportFormat::jsonl;
  Secrets secrets = Secrets::refuse;
};

struct Exported {
  std::uint64_t entries = 0;
  SuspectedSecrets secrets;  ///< what was found, whatever became of it
  bool refused = false;      ///< because of them; nothing was written
  bool is_damaged = false;   ///< of the session only what is sound was exported
};

using TextSink = std::function<Result<>(std::string_view)>;

/// Reads the session twice, page by page: what it holds does not grow with the session, but for the
/// ids of the path where Markdown is wanted. `progress` hears of entries in place of bytes; each
/// counts half every time.
Result<Exported> export_session(Store& store, const SessionId& session,
                                const ExportOptions& options, const TextSink& sink,
                                const Progress& progress = {});

/// Into a new file of mode 0600, which is there whole or not at all.
Result<Exported> export_to_file(Store& store, const SessionId& session,
                                const ExportOptions& options, const std::string& path,
                                const Progress& progress = {});

}  // namespace logwood::api
