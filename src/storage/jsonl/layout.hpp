// Where things lie in a store's folder (docs/format.md). Session ids become file
// names here and nowhere else, so here they are checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "logwood/ids.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

inline constexpr std::string_view store_file = "logwood.json";
inline constexpr std::string_view sessions_folder = "sessions";
inline constexpr std::string_view archive_folder = "archive";
inline constexpr std::string_view blobs_folder = "blobs";
inline constexpr std::string_view index_folder = "index";
inline constexpr std::string_view quarantine_folder = "quarantine";
inline constexpr std::string_view trash_folder = "trash";

/// The files of one session.
struct SessionNames {
  std::string folder;    ///< that its file lies in
  std::string file;      ///< sessions/<id>.jsonl
  std::string new_file;  ///< what is being written to take its place
  std::string index;     ///< derived
  std::string blobs;     ///< the folder of its long strings
  std::string archive_folder;
  std::string archive;      ///< archive/<id>.jsonl.zst, in the place of `file`
  std::string new_archive;  ///< an archive being written
};

/// `invalid_argument` when the id is none: the one way from an id to a file.
Result<SessionNames> names_of(const SessionId& session);

/// The session a file in sessions/ holds; empty when it is no session file.
[[nodiscard]] std::string session_of(std::string_view file_name);

/// The same of a file in archive/.
[[nodiscard]] std::string archived_session_of(std::string_view file_name);

/// quarantine/<id>.<offset>.<time>, where torn bytes are kept.
[[nodiscard]] std::string quarantine_name(const SessionId& session, std::uint64_t offset,
                                          std::string_view timestamp, int attempt);

/// trash/<id>.<time>: what a removed session is called there. Its file ends with .jsonl, or with
/// .jsonl.zst where it was archived, the folder of its blobs with .blobs.
[[nodiscard]] std::string trash_name(const SessionId& session, std::string_view timestamp,
                                     int attempt);
[[nodiscard]] SessionNames names_in_trash(std::string_view trash_name);

/// What a file in trash/ is called there without its ending; empty when it is no session.
[[nodiscard]] std::string trash_name_of(std::string_view file_name);

}  // namespace logwood::storage::jsonl
