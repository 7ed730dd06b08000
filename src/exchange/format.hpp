// The agents whose session files we read, one row each. All of it is functions of bytes and names;
// who opens files is layer storage.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exchange/told_line.hpp"
#include "exchange/writing.hpp"

namespace logwood::exchange {

/// A file as far as it has to be known to say what it is.
struct FileSight {
  std::string_view path;
  std::string_view
      beginning;  ///< its first bytes; a line that is cut off at the end does not count
};

/// Where the lines of a file go on from: the beginning of another file (Codex forks).
struct HistoryBase {
  std::string file_id;
  std::uint64_t end_offset = 0;
};

/// What a file says about the session in it.
struct FileHead {
  std::string session_id;
  std::string file_id;  ///< names the file where a session has several; else empty
  std::string created;  ///< timestamp of ours
  std::string key;
  std::string cwd;
  std::string version;  ///< of the agent
  std::string git_branch;
  std::string parent_session;  ///< that it is a sub-agent's of
  std::optional<HistoryBase> base;
  bool refers_to_lines = false;  ///< by their number, since its entries have no ids
};

/// A folder in which an agent keeps its sessions.
struct Place {
  std::string folder;
  int depth = 0;  ///< so many folders below it there may be files
};

using Variables = std::function<std::string(const char*)>;  ///< of the environment

/// What has to be remembered from one line to the next to understand it. It is small, and can be
/// written down, so that reading can go on later.
struct Memory {
  std::string last;       ///< entry of the tree that came last
  std::string timestamp;  ///< the last one there was
  std::string group;      ///< that the last lines belong to
  std::vector<std::string> group_ids;
  std::vector<std::string> turns;  ///< what the tree had grown to before each of the last turns
  bool has_title = false;          ///< a person gave one, which outranks others
  std::string first_kept;          ///< by the compaction whose summary comes next
  std::string counted;             ///< the sum of all usage that was told

  std::map<std::string, std::string> labels;  ///< by the entry they stand on

  // Not written down: only a reading from the start has them.
  std::vector<std::string> ids;  ///< of a file without ids, by the number of their line, from 0
  std::unordered_map<std::string, std::string> parents;  ///< of a file that is read as a whole
};

/// A piece of a file that is read as a whole; all pieces together are the file.
struct Piece {
  std::string_view text;
  std::string_view json;       ///< the object in it; empty: there is none
  bool is_superseded = false;  ///< a later piece says it again
};
using PieceVisitor = std::function<void(const Piece&)>;

struct Format {
  std::string_view name;   ///< as `claude` in `claude:7f3a`
  std::string_view title;  ///< as people call the agent
  bool (*detects)(const FileSight& file);
  FileHead (*head)(const FileSight& file);
  /// Where it is looked for; null: it is read by its path only, and the next one is null too.
  std::vector<Place> (*places)(const Variables& variable);
  /// What the session in a file below a place is called, by its path from there; empty: it is none.
  std::string (*name_in_path)(std::string_view path);
  /// How a file that is no list of lines, or whose lines mean something only together, falls into
  /// pieces; null: line by line.
  void (*split)(std::string_view bytes, const PieceVisitor& visit);
  /// The line is a valid JSON object.
  ToldLine (*tell)(const Line& line, Memory& memory);
  /// Makes a file of a session that the agent can go on with; null: we write none of its files.
  WrittenSession (*write)(const SessionToWrite& session, const WriteOptions& options);
  /// What that file is called, below the first of its places.
  std::string (*file_name)(const WriteOptions& options);
  /// The words of the command that goes on with it in the agent itself; null: there is no such one.
  std::vector<std::string> (*resume_words)(const std::string& session_id);
};

[[nodiscard]] std::span<const Format> formats();

/// Nothing when we know none of that name.
[[nodiscard]] const Format* format_named(std::string_view name);

/// Whose file it is; nothing when it is nobody's we know.
[[nodiscard]] const Format* format_of(const FileSight& file);

// Its rows.
extern const Format pi_format;
extern const Format claude_format;
extern const Format codex_format;
extern const Format openclaw_format;
extern const Format gemini_format;
extern const Format opencode_format;
extern const Format chat_format;

/// Lines as pieces, and the elements of an array in a document as pieces: what stands before the
/// first, and around each, goes with it.
void split_lines(std::string_view bytes, const PieceVisitor& visit);
void split_array(std::string_view bytes, std::string_view array, const PieceVisitor& visit);

/// Tells the whole lines at the beginning of a file that are JSON objects, until `visit` returns
/// false.
void for_each_first_line(std::string_view beginning,
                         const std::function<bool(std::string_view line)>& visit);

/// The folder of that name below HOME; none where that is not set.
[[nodiscard]] std::vector<Place> below_home(const Variables& variable, std::string_view name,
                                            int depth);

/// The last part of a path, and that without `ending`; empty when it does not end so.
[[nodiscard]] std::string_view file_name(std::string_view path);
[[nodiscard]] std::string_view without_ending(std::string_view name, std::string_view ending);

/// The payload of a compaction; nothing before it is kept where no entry is named.
[[nodiscard]] std::string compaction_payload(std::string_view summary, std::string_view first_kept);

/// What a JSON string token names, as an id: itself where it is one, else a hash of it; empty where
/// it names nothing.
[[nodiscard]] std::string id_of_token(std::string_view token);

}  // namespace logwood::exchange
