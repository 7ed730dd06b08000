// Sessions written for other agents: what was said on one path, in the shape of the agent's API,
// and a report of what that cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/origin.hpp"
#include "logwood/session.hpp"
#include "providers/report.hpp"

namespace logwood::exchange {

struct SessionToWrite {
  SessionHeader header;
  std::string title;            ///< empty: none was given
  std::span<const Entry> path;  ///< from the root to the tip, as it may be shown
};

struct WriteOptions {
  std::string session_id;  ///< of the new session
  std::string cwd;         ///< where the agent will be started
  std::string now;         ///< timestamp
};

/// What of the path is in the file.
struct KeptCounts {
  std::uint64_t turns = 0;
  std::uint64_t tool_calls = 0;
  std::uint64_t results = 0;
  std::uint64_t images = 0;
  std::uint64_t reasoning = 0;
  std::uint64_t compactions = 0;
};

struct WrittenSession {
  std::string bytes;
  std::size_t messages = 0;
  KeptCounts kept;
  providers::Report report;
};

// The rows of the table.
WrittenSession write_pi(const SessionToWrite& session, const WriteOptions& options);
WrittenSession write_claude(const SessionToWrite& session, const WriteOptions& options);
WrittenSession write_codex(const SessionToWrite& session, const WriteOptions& options);

/// What its file is called, below the first place of the agent.
std::string file_name_of_pi(const WriteOptions& options);
std::string file_name_of_claude(const WriteOptions& options);
std::string file_name_of_codex(const WriteOptions& options);

/// A message of the path in the shape of an API, or a compaction between two of them.
struct ConvertedMessage {
  std::string_view json;             ///< empty: a compaction
  std::string summary;               ///< of the compaction
  std::string first_kept;            ///< entry; empty: nothing before it
  std::string entry;                 ///< the first that it comes from; perhaps empty
  std::vector<std::string> sources;  ///< all of them
  std::string timestamp;
  std::optional<ModelRef> model;  ///< that said it
};

struct ConvertedPath {
  std::string body;  ///< that the messages are pieces of
  std::vector<ConvertedMessage> messages;
  KeptCounts kept;
  providers::Report report;
};

/// Whether an agent has a word for documents, or only for text and pictures.
enum class Documents : std::uint8_t { kept, left_out };

/// For a model of `api`: the last of the path that has this API, else `otherwise`.
[[nodiscard]] ConvertedPath convert_path(const SessionToWrite& session, std::string_view api,
                                         std::string_view otherwise,
                                         Documents documents = Documents::kept);

/// Ids that are derived from that of a session: the same each time, and those of no other.
[[nodiscard]] std::string derived_uuid(const std::string& session_id, std::uint64_t number);
[[nodiscard]] std::string derived_hex(const std::string& session_id, std::uint64_t number,
                                      std::size_t digits);

}  // namespace logwood::exchange
